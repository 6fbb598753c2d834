import type { OutputAnswer, OutputRequest } from '@fucina/host';
import * as z from 'zod';
import type { Form } from '../http/answers.ts';
import { encoded } from '../http/renamed.ts';
import { wholeNumber } from './common.ts';

const stream = z.enum(['stdout', 'stderr']);
const MAX_LIMIT = 8 * 1024 * 1024;

/** The range applies to the record and the raw bytes; a download is always the whole stream. */
export const outputQuery = z
  .strictObject({
    stream: stream.optional(),
    offset: wholeNumber.optional(),
    limit: wholeNumber.refine((bytes) => bytes >= 1 && bytes <= MAX_LIMIT).optional(),
    format: z.enum(['raw', 'download']).optional(),
  })
  .refine(({ format, offset, limit }) => format !== 'download' || (offset === undefined && limit === undefined));

type OutputQuery = z.output<typeof outputQuery>;
type Slice = Extract<OutputAnswer, { form: 'text' | 'raw' }>;

export const outputSlice = encoded(
  z
    .object({
      outputId: z.string(),
      stream,
      offset: z.number().int(),
      bytes: z.number().int(),
      nextOffset: z.number().int().nullable(),
      availableBytes: z.number().int(),
      state: z.enum(['running', 'complete', 'truncated']),
      text: z.string(),
    })
    .meta({ id: 'ProcessOutput' }),
  ({ content, ...slice }: Slice) => ({ ...slice, bytes: content.length, text: content.toString('utf8') }),
);

export function outputRequest(outputId: string, { format, ...query }: OutputQuery): OutputRequest {
  return { outputId, stream: 'stdout', ...query, form: format ?? 'text' };
}

export function outputForm(answer: OutputAnswer): Form<Slice> {
  if (answer.form === 'text') return { record: answer };
  if (answer.form === 'download') {
    const { outputId, stream: name, sizeBytes, content } = answer;
    return { bytes: { sizeBytes, content, name: `${outputId}.${name}.txt` } };
  }
  const { content, offset, nextOffset, availableBytes, state } = answer;
  const headers = {
    'x-svc-output-offset': String(offset),
    // Omitted at the end: an empty value would be parsed as 0.
    ...(nextOffset !== null && { 'x-svc-output-next-offset': String(nextOffset) }),
    'x-svc-output-available-bytes': String(availableBytes),
    'x-svc-output-state': state,
  };
  return { bytes: { sizeBytes: content.length, content, headers } };
}
