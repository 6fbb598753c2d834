import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, systemCode } from '@fucina/shared';
import type { Io } from '../io.ts';
import { GROUPS, isRecord, KEYS, type Scope } from './keys.ts';

/** One settings file as it was read: keys spelled with dots. */
export interface SettingsFile {
  scope: Scope;
  path: string;
  exists: boolean;
  values: ReadonlyMap<string, unknown>;
  unknownKeys: readonly string[];
}

const MAX_BYTES = 1_048_576;

/** Weakest first. */
export function settingsPaths(io: Io, dir: string): { scope: Scope; path: string }[] {
  const own = configDir(io);
  return [
    { scope: 'user', path: join(own, 'settings.json') },
    { scope: 'project', path: join(dir, '.svc', 'settings.json') },
    { scope: 'project-user', path: join(own, 'projects', `${folderName(dir)}.json`) },
  ];
}

/** Throws CONFIG_INVALID, naming the file and the key. A file that is not there holds nothing. */
export function readSettingsFile({ scope, path }: { scope: Scope; path: string }): SettingsFile {
  const text = readText(path);
  const empty = { scope, path, exists: false, values: new Map<string, unknown>(), unknownKeys: [] };
  if (text === undefined) return empty;
  const values = new Map<string, unknown>();
  const unknownKeys: string[] = [];
  const read = (group: Record<string, unknown>, prefix: string): void => {
    for (const [name, value] of Object.entries(group)) {
      const key = prefix + name;
      const rule = KEYS.get(key);
      if (rule && !rule.fits(value)) throw invalid(`${path}: ${key}`);
      if (rule) values.set(key, value);
      else if (GROUPS.has(key) && isRecord(value)) read(value, `${key}.`);
      else unknownKeys.push(key);
    }
  };
  read(parse(text, path), '');
  return { scope, path, exists: true, values, unknownKeys };
}

function readText(path: string): string | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) throw invalid(path);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    if (error instanceof AppError) throw error;
    throw invalid(path, error);
  }
}

function parse(text: string, path: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(path, cause);
  }
  if (!isRecord(value)) throw invalid(path);
  return value;
}

function invalid(setting: string, cause?: unknown): AppError {
  return new AppError('CONFIG_INVALID', { params: { setting }, cause });
}

/** Where each system keeps a person's settings. */
function configDir({ env, home }: Io): string {
  if (env.FUCINA_CONFIG_DIR) return env.FUCINA_CONFIG_DIR;
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Fucina');
  if (process.platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Fucina');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'fucina');
}

/** A folder's own name among a person's files: two spellings of one folder share it. */
function folderName(dir: string): string {
  return createHash('sha256').update(realPathOf(dir)).digest('hex').slice(0, 32);
}

function realPathOf(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    // Not there (yet): its spelling is all it has.
    return dir;
  }
}
