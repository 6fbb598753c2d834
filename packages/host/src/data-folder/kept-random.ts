import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode, writeFileAtomically } from '@fucina/shared';

const BYTES = 32;

/** 64 random hexadecimal digits, kept in a file that only its owner can read. `isNew` replaces them. */
export async function keptRandom(file: string, { isNew }: { isNew: boolean }): Promise<string> {
  const kept = isNew ? undefined : await readKept(file);
  if (kept) return kept;
  const made = randomBytes(BYTES).toString('hex');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomically(file, `${made}\n`, { exactMode: 0o600 });
  return made;
}

async function readKept(file: string): Promise<string | undefined> {
  try {
    const kept = (await readFile(file, 'utf8')).trim();
    if (!/^[0-9a-f]{64}$/.test(kept)) return undefined;
    await chmod(file, 0o600);
    return kept;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
