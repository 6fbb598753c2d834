import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const list = z.object({
  version: z.string().min(1),
  /** Bytes of everything, unpacked. */
  bytes: z.int().positive(),
  /** A package-lock.json: every package with its version and the hash of its contents. */
  lock: z.looseObject({ packages: z.record(z.string(), z.looseObject({})) }),
});
export type LibraryList = z.infer<typeof list>;

/** `npm run pack:cli` writes it beside the bundle, where it leaves the library out. */
export const PACKED_LIST = new URL('../engine-library.json', import.meta.url);

/** Undefined when this build has none: it then has the library. */
export async function readLibraryList(file: URL): Promise<LibraryList | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
  return list.parse(JSON.parse(text));
}
