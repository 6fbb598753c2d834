import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { controlPartsOf, spelledParts } from './control-files.ts';
import type { ControlFolder } from './control-folders.ts';

const LINK = 'link';

/** Another one when an entry is replaced, also if the file system reuses its number. */
export function identityOf(entry: BigIntStats): string {
  return `${entry.dev} ${entry.ino} ${entry.birthtimeNs} ${entry.isSymbolicLink() ? LINK : ''}`;
}

export function isLinkIdentity(identity: string): boolean {
  return identity.endsWith(LINK);
}

/** Control files below the folder, by relative path, with their identities. */
export async function controlNames(folder: string, folders: readonly ControlFolder[]): Promise<Map<string, string>> {
  const entries = await controlEntries(folder, folders);
  return new Map([...entries].map(([path, entry]) => [path, identityOf(entry)]));
}

export async function controlEntries(
  folder: string,
  folders: readonly ControlFolder[],
): Promise<Map<string, BigIntStats>> {
  const found = new Map<string, BigIntStats>();
  const each = folders.flatMap(({ path, entries }) => entries.map((entry) => controlPaths(path, entry)));
  const paths = (await Promise.all(each)).flat();
  const all = await Promise.all(paths.map((path) => lstat(path, { bigint: true }).catch(() => undefined)));
  for (const [index, entry] of all.entries()) if (entry) found.set(relative(folder, paths[index] ?? ''), entry);
  return found;
}

/** What an existing repository did not have before. */
const NEW_IN_REPOSITORY = ['commondir', 'config.worktree', 'hooks', 'modules'];

async function controlPaths(folder: string, entry: Dirent): Promise<string[]> {
  const path = join(folder, entry.name);
  if (entry.name === '.git') return [path, ...NEW_IN_REPOSITORY.map((name) => join(path, name))];
  const parts = controlPartsOf(entry.name);
  if (parts === 'whole') return [path];
  // No folder, or gone.
  const names = await readdir(path).catch(() => []);
  const inner = spelledParts(names, parts).map((name) => join(path, name));
  // What is written later where such a link leads has an ordinary name.
  return entry.isSymbolicLink() ? [path, ...inner] : inner;
}
