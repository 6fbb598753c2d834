import { join } from 'node:path';

/** The file of a stored content; `sha256` as 64 lower-case hex digits. */
export function contentPath(store: string, sha256: string): string {
  return join(store, sha256.slice(0, 2), sha256);
}
