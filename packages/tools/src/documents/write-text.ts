import { type Block, type Cell, type CellValue, type MadeDocument, type Run, runsText } from './blocks.ts';

export function markdownText({ blocks }: MadeDocument): string {
  return `${blocks.map(blockText).join('\n\n').trim()}\n`;
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'cover':
      return [`# ${block.title}`, ...(block.subtitle === null ? [] : [`*${block.subtitle}*`]), ...block.lines].join(
        '\n\n',
      );
    case 'heading':
      return `${'#'.repeat(Math.min(6, block.level))} ${marked(block.runs)}`;
    case 'paragraph':
      return marked(block.runs);
    case 'note':
      return `> ${block.tone === 'quote' || block.tone === 'info' ? '' : `**${block.tone}**: `}${marked(block.runs)}`;
    case 'code':
      return `\`\`\`\n${block.text}\n\`\`\``;
    case 'list':
      return block.items
        .map(({ level, isOrdered, runs }) => `${'   '.repeat(level)}${isOrdered ? '1.' : '-'} ${marked(runs)}`)
        .join('\n');
    case 'kpi':
      return block.items
        .map(({ label, value, note }) => `- **${label}**: ${value}${note === null ? '' : ` (${note})`}`)
        .join('\n');
    case 'table':
      return tableText(block.header, block.rows, block.caption);
    case 'chart': {
      const header = ['', ...block.series.map(({ name }) => name)].map(plainCell);
      const rows = block.labels.map((label, index) =>
        [label, ...block.series.map(({ values }) => values[index] ?? null)].map(plainCell),
      );
      return tableText(header, rows, block.title);
    }
    case 'rule':
      return '---';
    case 'spacer':
    case 'page-break':
      return '';
  }
}

function plainCell(value: CellValue): Cell {
  return { value, runs: [{ text: value === null ? '' : String(value) }] };
}

function tableText(header: readonly Cell[] | null, rows: readonly Cell[][], caption: string | null): string {
  const width = Math.max(header?.length ?? 0, ...rows.map((row) => row.length));
  const line = (row: readonly Cell[]): string =>
    `| ${Array.from({ length: width }, (_, at) =>
      marked(row[at]?.runs ?? [])
        .replaceAll('|', '\\|')
        .replaceAll('\n', ' '),
    ).join(' | ')} |`;
  return [
    ...(caption === null ? [] : [`**${caption}**`, '']),
    line(header ?? []),
    `|${' --- |'.repeat(width)}`,
    ...rows.map(line),
  ].join('\n');
}

function marked(runs: readonly Run[]): string {
  return runs
    .map((run) => {
      if (run.code) return `\`${run.text}\``;
      const mark = `${run.bold ? '**' : ''}${run.italic ? '*' : ''}${run.strike ? '~~' : ''}`;
      const text = `${mark}${run.text}${[...mark].reverse().join('')}`;
      return run.href === undefined ? text : `[${text}](${run.href})`;
    })
    .join('');
}

/** What a spreadsheet would interpret as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180. A text that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export function csvText(rows: readonly (readonly CellValue[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(value: CellValue): string {
  if (value === null) return '';
  const text = String(value);
  const isNumber = typeof value === 'number' || /^[+-]?\d+([.,]\d+)*%?$/.test(text.trim());
  const safe = FORMULA.test(text) && !isNumber ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The rows of a CSV text; the separator is the most frequent of `,`, `;` and tab in its first line. */
export function csvRows(text: string): string[][] {
  const first = text.split('\n', 1)[0] ?? '';
  const count = (sign: string): number => first.split(sign).length;
  const separator = [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === separator) {
      row.push(cell);
      cell = '';
    } else if (sign === '\n') {
      rows.push([...row, cell.replace(/\r$/, '')]);
      [row, cell] = [[], ''];
    } else cell += sign;
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows;
}

/** The rows of the input: the given ones, those of its tables, or the lines of its text. */
export function rowsOf({ rows, blocks, body }: MadeDocument): CellValue[][] | undefined {
  if (rows) return rows;
  const table = blocks.find((block) => block.type === 'table');
  if (table?.type === 'table')
    return [...(table.header ? [table.header] : []), ...table.rows].map((row) => row.map(valueOf));
  return body === null ? undefined : csvRows(body);
}

function valueOf({ value, runs }: Cell): CellValue {
  return typeof value === 'string' ? runsText(runs) : value;
}
