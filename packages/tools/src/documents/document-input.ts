import * as z from 'zod';
import { FORMATS } from './formats.ts';

/** Invalid in XML, or lone surrogates: always removed. */
const NOT_TEXT = /(?![\t\n\r])\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/gu;

/** Checked, but not in the schema: a limit that the model never reaches would only cost tokens. */
const text = (limit: number) =>
  z
    .string()
    .overwrite((value) => value.replaceAll(NOT_TEXT, ''))
    .refine((value) => value.length <= limit, `at most ${limit} characters`);
const list = <Item extends z.ZodType>(item: Item, limit: number) =>
  z.array(item).refine((items) => items.length <= limit, `at most ${limit}`);
const line = text(2000);
const value = z.union([text(32_000), z.number(), z.boolean(), z.null()]);
const row = list(value, 256);

const block = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('cover'),
    title: line,
    subtitle: line.optional(),
    lines: list(line, 12).optional(),
  }),
  z.strictObject({ type: z.literal('h'), level: z.int().min(1).max(4).optional(), text: line }),
  z.strictObject({ type: z.literal('p'), text: text(20_000) }),
  z.strictObject({
    type: z.literal('note'),
    tone: z.enum(['info', 'warning', 'success']).optional(),
    text: text(20_000),
  }),
  z.strictObject({ type: z.literal('list'), ordered: z.boolean().optional(), items: list(line, 200) }),
  z.strictObject({
    type: z.literal('kpi'),
    items: z
      .array(z.strictObject({ label: line, value: z.union([line, z.number()]), note: line.optional() }))
      .min(1)
      .max(12),
  }),
  z.strictObject({
    type: z.literal('table'),
    caption: line.optional(),
    header: row.optional(),
    rows: list(row, 2000),
  }),
  z.strictObject({
    type: z.literal('chart'),
    kind: z.enum(['bar', 'line', 'pie']),
    title: line.optional(),
    labels: list(line, 100),
    series: z
      .array(z.strictObject({ name: line, values: list(z.number(), 100) }))
      .min(1)
      .max(8),
  }),
  z.strictObject({ type: z.literal('spacer') }),
  z.strictObject({ type: z.literal('pb') }),
]);

/** Arguments of document_create. Texts may contain Markdown if the format supports styles. */
export const documentInput = z.strictObject({
  format: z.enum(FORMATS),
  title: text(200)
    .refine((title) => title.trim() !== '')
    .describe('also the file name'),
  body: text(2_000_000).optional().describe('Markdown; for text formats the content itself'),
  rows: list(row, 20_000).optional().describe('for csv, xlsx, tables; first row: header'),
  slides: z
    .array(z.strictObject({ title: line, bullets: list(line, 60) }))
    .max(300)
    .optional(),
  report: z
    .strictObject({
      theme: z.enum(['report', 'plain']).optional(),
      footer: line.optional(),
      blocks: z.array(block).min(1).max(400),
    })
    .optional(),
});

export type DocumentInput = z.infer<typeof documentInput>;
export type DocumentRequest = Omit<DocumentInput, 'format'> & {
  /** Title of a table of contents after the cover, for pdf and docx. */
  contents?: string;
  /** The sources of `[1]`, `[2]` … in the text: footnotes of a docx. */
  references?: readonly string[];
};
export type ReportBlock = NonNullable<DocumentInput['report']>['blocks'][number];
