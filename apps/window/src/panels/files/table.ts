const SIGNS = [',', ';', '\t', '|'] as const;

/** The separator: the most frequent one in the first lines, or a tab for a .tsv file. */
export function separatorOf(text: string, path: string): string {
  if (path.toLowerCase().endsWith('.tsv')) return '\t';
  const sample = text.slice(0, 4_000).replaceAll(/"[^"]*"/g, '');
  const counts = SIGNS.map((sign) => sample.split(sign).length - 1);
  return SIGNS[counts.indexOf(Math.max(...counts))] ?? ',';
}

export interface Table {
  rows: string[][];
  /** There are more rows than these. */
  isCut: boolean;
}

/** Rows of cells, as in RFC 4180: a quoted cell may contain the separator, line breaks and doubled quotes. */
export function tableOf(text: string, separator: string, maxRows: number): Table {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] as string;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === separator) {
      row.push(cell);
      cell = '';
    } else if (sign === '\n') {
      row.push(cell.endsWith('\r') ? cell.slice(0, -1) : cell);
      cell = '';
      rows.push(row);
      row = [];
      if (rows.length === maxRows) return { rows, isCut: at + 1 < text.length };
    } else cell += sign;
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return { rows, isCut: false };
}
