import * as z from 'zod';
import { renamed } from '../http/renamed.ts';
import { entryPath } from './folder.ts';

/** SHA-256 of a file's bytes. */
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** `impronta`: of the bytes that were read; null: the file must not exist. */
export const textWrite = renamed(
  z.strictObject({ percorso: entryPath, contenuto: z.string(), impronta: hash.nullable() }),
  { percorso: 'path', contenuto: 'text', impronta: 'expected' },
);

export const writtenFile = renamed(z.object({ impronta: hash, dimensione: z.number().int() }), {
  impronta: 'hash',
  dimensione: 'sizeBytes',
});
