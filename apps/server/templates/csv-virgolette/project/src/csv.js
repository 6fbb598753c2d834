/** Rows of fields, all of them text. */
export function parseCsv(text) {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.split(','));
}

/** The first row names the fields of the others. */
export function parseRecords(text) {
  const [names = [], ...rows] = parseCsv(text);
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}
