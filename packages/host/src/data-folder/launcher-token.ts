import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode, writeFileAtomically } from '@fucina/shared';

const FILE = 'launcher-token';
const TOKEN_BYTES = 32;

/**
 * The server's token for a data folder, stored in a file that only its owner can read, so that a browser stays signed
 * in after a restart. `isNew` replaces it: every browser then needs the new address.
 */
export async function launcherToken(folder: string, { isNew }: { isNew: boolean }): Promise<string> {
  const file = join(folder, FILE);
  const kept = isNew ? undefined : await readToken(file);
  if (kept) return kept;
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomically(file, `${token}\n`, { exactMode: 0o600 });
  return token;
}

async function readToken(file: string): Promise<string | undefined> {
  try {
    const token = (await readFile(file, 'utf8')).trim();
    if (!/^[0-9a-f]{64}$/.test(token)) return undefined;
    await chmod(file, 0o600);
    return token;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
