/** A table as CSV (RFC 4180). A text that a spreadsheet would run as a formula is quoted with an apostrophe. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The columns of exported usage, in every client. */
export const USAGE_COLUMNS = [
  'day',
  'project',
  'model',
  'calls',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cost_usd',
  'calls_without_cost',
  'turn_ms',
] as const;
