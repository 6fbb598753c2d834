import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode, writeFileAtomically } from '@fucina/shared';
import type { Io } from '../io.ts';
import { isRecord } from './keys.ts';
import { configDir, realPathOf } from './settings-paths.ts';

/** Real folder → SHA-256 of the settings file that the user trusted: changed content is not trusted. */
type Trusted = Readonly<Record<string, unknown>>;

export function isTrusted(io: Io, dir: string, digest: string | undefined): boolean {
  return digest !== undefined && readTrusted(io).get(realPathOf(dir)) === digest;
}

/** Undefined removes the trust; false when there was none. */
export async function setTrust(io: Io, dir: string, digest: string | undefined): Promise<boolean> {
  const trusted = new Map(readTrusted(io));
  const folder = realPathOf(dir);
  if (digest === undefined && !trusted.delete(folder)) return false;
  if (digest !== undefined) trusted.set(folder, digest);
  const path = trustPath(io);
  const folders: Trusted = Object.fromEntries(trusted);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomically(path, `${JSON.stringify({ folders }, null, 2)}\n`, { exactMode: 0o600 });
  return true;
}

function trustPath(io: Io): string {
  return join(configDir(io), 'trusted-folders.json');
}

/** An unreadable file trusts nothing. */
function readTrusted(io: Io): ReadonlyMap<string, unknown> {
  try {
    const content: unknown = JSON.parse(readFileSync(trustPath(io), 'utf8'));
    return new Map(isRecord(content) && isRecord(content.folders) ? Object.entries(content.folders) : []);
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === 'ENOENT') return new Map();
    throw error;
  }
}
