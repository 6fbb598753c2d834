import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { keptRandom } from './kept-random.ts';

const FILE = 'instance-id';
const DIGITS = 20;

/**
 * The host name of a data folder's server, such as `fucina-0a1b….localhost`: only that server gets a cookie set under it.
 * The folder's random id differs between computers, its path between copies, so two servers never share a name.
 */
export async function instanceHost(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = await realpath(folder);
  const id = await keptRandom(join(path, FILE), { isNew: false });
  const digits = createHash('sha256').update(`${id}\n${path}`).digest('hex').slice(0, DIGITS);
  return `fucina-${digits}.localhost`;
}
