import { join } from 'node:path';
import { keptRandom } from './kept-random.ts';

const FILE = 'launcher-token';

/**
 * The server's token for a data folder, stored in a file that only its owner can read, so that a browser stays signed
 * in after a restart. `isNew` replaces it: every browser then needs the new address.
 */
export function launcherToken(folder: string, { isNew }: { isNew: boolean }): Promise<string> {
  return keptRandom(join(folder, FILE), { isNew });
}
