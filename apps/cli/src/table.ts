/** Aligned columns, two spaces apart; the last has no fixed width. Widths ignore escape codes. */
export function columns(rows: readonly (readonly Cell[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach(({ text }, at) => {
      widths[at] = Math.max(widths[at] ?? 0, [...text].length);
    });
  }
  return rows.map((row) =>
    row
      .map(({ text, paint = same }, at) => {
        const padding = at === row.length - 1 ? '' : ' '.repeat((widths[at] ?? 0) - [...text].length);
        return `${paint(text)}${padding}`;
      })
      .join('  ')
      .trimEnd(),
  );
}

export interface Cell {
  text: string;
  paint?: (text: string) => string;
}

function same(text: string): string {
  return text;
}
