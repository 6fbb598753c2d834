import { AppError } from '@fucina/shared';
import { cleanLine } from '../../clean-text.ts';
import type { CommonFlags } from '../../command-facts.ts';
import { type Cell, columns } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';

/** Options of a command in addition to the common ones. */
export type Flags = CommonFlags & Readonly<Record<string, unknown>>;

const LINE = 100;

export interface Listing<Row> {
  /** The key of the rows in `--json` output. */
  name: string;
  rows: readonly Row[];
  /** Printed when there are none. */
  empty: string;
  cells(row: Row): readonly Cell[];
  facts?(row: Row): unknown;
}

/** A table, or an object with --json. */
export function show<Row>({ name, rows, empty, cells, facts }: Listing<Row>, flags: Flags, { out }: Terminal): void {
  if (flags.json) return out(JSON.stringify({ [name]: facts ? rows.map(facts) : rows }));
  if (rows.length === 0) return out(empty);
  for (const line of columns(rows.map(cells))) out(line);
}

/** The result of an action: a sentence, or the record with --json. */
export function reportDone(
  sentence: string,
  record: unknown,
  { flags, terminal }: { flags: Flags; terminal: Terminal },
): void {
  terminal.out(flags.json ? JSON.stringify(record) : sentence);
}

/** Text of a file, a model or a user, on one line of a table. */
export function oneLine(text: string | null | undefined, width = LINE): string {
  return cleanLine(text ?? '', width);
}

/** Resolves an unambiguous beginning of an id. NOT_FOUND for none, QUERY_INVALID for the beginning of several. */
export function findById<Row>(rows: readonly Row[], given: string, idOf: (row: Row) => string): Row {
  const exact = rows.find((row) => idOf(row) === given);
  if (exact) return exact;
  const found = given === '' ? [] : rows.filter((row) => idOf(row).startsWith(given));
  if (found.length > 1) throw new AppError('QUERY_INVALID', { reason: 'several-ids' });
  if (!found[0]) throw new AppError('NOT_FOUND');
  return found[0];
}

/** Long ids are shortened to what distinguishes them; `byId` accepts that. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
