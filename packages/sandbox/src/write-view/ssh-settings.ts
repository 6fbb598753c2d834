import { mkdtemp, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { type Environment, homeOf, removeTree } from '@fucina/shared';

/** A file shown in the place of another. */
export interface ShownFile {
  source: string;
  /** Absolute real path. */
  target: string;
}

export interface SshSettings extends AsyncDisposable {
  files: readonly ShownFile[];
}

const SYSTEM = '/etc/ssh/ssh_config';
const MAX_FILES = 100;

/**
 * Copies of the settings of ssh that belong to another user, root for most. ssh refuses such files unless they are the
 * user's own or root's, and in a user namespace root's seem to be nobody's. The first file of the system is not checked.
 */
export async function ownSshSettings(environment: Environment): Promise<SshSettings> {
  const home = join(homeOf(environment), '.ssh');
  const seen = new Set<string>();
  await follow(SYSTEM, dirname(SYSTEM), seen);
  await follow(join(home, 'config'), home, seen);
  seen.delete(SYSTEM);
  const folder = await mkdtemp(join(tmpdir(), 'fucina-ssh-'));
  const files: ShownFile[] = [];
  for (const target of seen) {
    const source = join(folder, String(files.length));
    const text = await textOfOthers(target);
    if (text === undefined) continue;
    await writeFile(source, text, { mode: 0o600 });
    files.push({ source, target });
  }
  return { files, [Symbol.asyncDispose]: () => removeTree(folder) };
}

/** This file and those that it includes, by real path. */
async function follow(path: string, folder: string, seen: Set<string>): Promise<void> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || seen.has(real) || seen.size >= MAX_FILES) return;
  const text = await readFile(real, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  seen.add(real);
  for (const [, patterns = ''] of text.matchAll(/^\s*include[\s=]+(.+)$/gim))
    for (const pattern of patterns.match(/"[^"]+"|\S+/g) ?? [])
      for (const file of await matching(pattern.replaceAll('"', ''), folder)) await follow(file, folder, seen);
}

/** Wildcards of the last name only, which is how systems include a folder of settings. */
async function matching(pattern: string, folder: string): Promise<string[]> {
  const whole = pattern.startsWith('~/') ? join(dirname(folder), pattern.slice(2)) : pattern;
  const path = isAbsolute(whole) ? whole : join(folder, whole);
  const name = basename(path);
  if (!/[*?]/.test(name)) return [path];
  const wanted = new RegExp(
    `^${name
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );
  const names = await readdir(dirname(path)).catch(() => []);
  return names
    .filter((one) => wanted.test(one))
    .sort()
    .map((one) => join(dirname(path), one));
}

async function textOfOthers(path: string): Promise<Buffer | undefined> {
  try {
    return (await stat(path)).uid === process.getuid?.() ? undefined : await readFile(path);
  } catch {
    return undefined; // missing, or not to be read: ssh says so itself
  }
}
