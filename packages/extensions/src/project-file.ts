import { join } from 'node:path';
import { isMissing, PathError, type ReadJson, readFileInside, readJson } from '@fucina/shared';
import * as z from 'zod';

/** Declarations of a project, read from its file each time, so that no stale version is trusted. */
export type Declared<Value> = ReadJson<Value>;

const MAX_BYTES = 256 * 1024;
/** Skills, plugins, hooks and servers of a project are all below it. */
const PROJECT_FOLDER = '.svc';

/** False when the project cannot declare anything: one check instead of one per file. */
export function hasProjectFolder(folder: string): boolean {
  return mayExist(folder, PROJECT_FOLDER);
}

/** Whether to look for a path at all: an optional one is usually missing, and an error takes longer than a check. */
export function mayExist(root: string, path: string): boolean {
  try {
    // Only the first name: behind a link the rest may be outside.
    return !isMissing(join(root, path.split('/', 1)[0] ?? ''));
  } catch {
    return true; // the error surfaces when it is read
  }
}

/** The JSON of a file inside a project; `missing` when there is none. Any other error is a problem, in English. */
export async function readDeclared<Value>(
  folder: string,
  path: string,
  { schema, missing }: { schema: z.ZodType<Value>; missing: Value },
): Promise<Declared<Value>> {
  let text: string;
  try {
    text = (await readFileInside(folder, path, MAX_BYTES)).bytes.toString('utf8');
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return error.problem === 'missing' ? { value: missing } : { problem: `${path}: ${error.problem}` };
  }
  return readJson(text, path, schema);
}

/** An id that is safe as a file name: no separators, not only dots. */
export const declaredId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected at most 64 letters, digits, ".", "_" and "-"')
  .refine((id) => !id.includes('..'));

/** The first entry of each id. */
export function firstOfEach<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  const seen = new Map<string, Row>();
  for (const row of rows) if (!seen.has(row.id)) seen.set(row.id, row);
  return [...seen.values()];
}
