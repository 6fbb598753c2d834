import { textStart } from '@fucina/shared';
import writeExcelFile, { type Sheet, type SheetData } from 'write-excel-file/node';
import type { Cell, CellValue, MadeDocument } from './blocks.ts';
import { runsText } from './blocks.ts';
import { csvRows } from './write-text.ts';

const MAX_TEXT = 32_767;
const MAX_WIDTH = 60;

interface Page {
  name: string;
  rows: CellValue[][];
}

/** One sheet for the rows, or one per table; texts stay texts, whatever their first character. */
export async function xlsxBytes(made: MadeDocument): Promise<Uint8Array> {
  const names = new Set<string>();
  const sheets = pagesOf(made).map(
    ({ name, rows }): Sheet<never> => ({
      sheet: sheetName(name, names),
      data: rows.map((row, at) => row.map((value) => cell(value, at === 0 && rows.length > 1))) as SheetData,
      columns: widths(rows),
      ...(rows.length > 1 && { stickyRowsCount: 1 }),
    }),
  );
  return writeExcelFile(sheets).toBuffer();
}

function pagesOf({ title, rows, blocks, body }: MadeDocument): Page[] {
  if (rows) return [{ name: title, rows }];
  const value = ({ value: own, runs }: Cell): CellValue => (typeof own === 'string' ? runsText(runs) : own);
  const pages = blocks.flatMap((block, index): Page[] => {
    if (block.type === 'table') {
      const all = [...(block.header ? [block.header] : []), ...block.rows];
      return [
        {
          name: block.caption ?? headingBefore(blocks.slice(0, index)) ?? title,
          rows: all.map((row) => row.map(value)),
        },
      ];
    }
    if (block.type !== 'chart') return [];
    const header: CellValue[] = ['', ...block.series.map(({ name }) => name)];
    const lines = block.labels.map((label, at): CellValue[] => [
      label,
      ...block.series.map(({ values }) => values[at] ?? null),
    ]);
    return [{ name: block.title ?? title, rows: [header, ...lines] }];
  });
  if (pages.length > 0) return pages;
  return [{ name: title, rows: csvRows(body ?? '') }];
}

function headingBefore(blocks: MadeDocument['blocks']): string | undefined {
  const heading = blocks.findLast((block) => block.type === 'heading');
  return heading?.type === 'heading' ? runsText(heading.runs) : undefined;
}

function cell(value: CellValue, isHeader: boolean) {
  if (value === null || value === '') return null;
  const look = isHeader ? { fontWeight: 'bold' as const } : {};
  if (typeof value === 'number') return { value, type: Number, ...look };
  if (typeof value === 'boolean') return { value, type: Boolean, ...look };
  return { value: textStart(value, MAX_TEXT), type: String, ...look };
}

function widths(rows: readonly CellValue[][]) {
  const count = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: count }, (_, at) => {
    const longest = Math.max(4, ...rows.slice(0, 500).map((row) => String(row[at] ?? '').length));
    return { width: Math.min(MAX_WIDTH, longest + 2) };
  });
}

/** Excel's rules: 31 characters, none of `[]:*?/\`, no apostrophe at an end, unique ignoring case. */
function sheetName(wanted: string, taken: Set<string>): string {
  const plain = textStart(
    wanted
      .replaceAll(/[[\]:*?/\\]/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/^'+|'+$/g, '')
      .trim(),
    28,
  );
  const base = plain === '' ? 'Sheet' : plain;
  let name = base;
  for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${textStart(base, 26)} ${count}`;
  taken.add(name.toLowerCase());
  return name;
}
