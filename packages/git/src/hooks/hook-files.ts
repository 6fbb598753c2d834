import { createHash } from 'node:crypto';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isWithin, readRegularFile } from '@fucina/shared';
import { lastOf, settingsOf } from '../programs/program-settings.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { commonDirOf } from '../repository/repository.ts';

/** Hooks that git runs with an operation, in this order. */
export const HOOKS = {
  commit: ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'],
  amend: ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-rewrite'],
  switch: ['post-checkout'],
  'fast-forward': ['post-merge'],
  merge: ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-merge'],
  rebase: ['pre-rebase', 'post-checkout', 'post-rewrite'],
  push: ['pre-push'],
} as const;

/** Hooks that can be trusted; others are only named. */
export const TRUSTABLE_HOOKS = [
  ...HOOKS.amend,
  ...HOOKS.switch,
  'pre-merge-commit',
  'post-merge',
  'pre-rebase',
  ...HOOKS.push,
] as const;

export interface HookFile {
  /** Relative to the repository, or absolute for a file outside. */
  path: string;
  /** At most 64 KiB of it. */
  text: string;
  isCut: boolean;
}

/** A hook of a repository, with all that its trust is bound to. */
export interface HookFiles {
  name: string;
  /** Absolute path of the program. */
  program: string;
  /** The program, and what its manager (husky, lefthook, pre-commit) reads to know what to run. */
  files: HookFile[];
  /** SHA-256 (hex) over the files. */
  fingerprint: string;
}

type Place = Pick<GitFolder, 'git' | 'repository'>;

const MAX_BYTES = 16 * 1024 ** 2;
const SHOWN_BYTES = 64 * 1024;

/** Absolute paths of the hooks among these that git would run, by name. */
export async function hookPrograms(place: Place, names: readonly string[]): Promise<Map<string, string>> {
  const set = lastOf(await settingsOf(place.git), 'core.hookspath');
  const folder =
    set === undefined
      ? join(await commonDirOf(place.repository), 'hooks')
      : resolve(place.repository.root, set.replace(/^~(?=\/|$)/, homedir()));
  return new Map(names.map((name) => [name, join(folder, name)] as const).filter(([, path]) => isProgram(path)));
}

/** Undefined for a program that is too large to be shown and trusted. */
export async function readHook(
  { repository: { root } }: Place,
  name: string,
  program: string,
): Promise<HookFiles | undefined> {
  const bytes = await readRegularFile(program, MAX_BYTES);
  if (bytes === undefined) return undefined;
  const others = await Promise.all(
    readBy(program, bytes.toString('latin1'), root).map(async (path) => {
      const found = await readRegularFile(path, MAX_BYTES);
      return found === undefined ? [] : [{ path, bytes: found }];
    }),
  );
  const contents = [{ path: program, bytes }, ...others.flat()];
  const fingerprint = createHash('sha256').update(name);
  for (const one of contents) fingerprint.update(`\0${one.path}\0${one.bytes.length}\0`).update(one.bytes);
  return { name, program, files: contents.map((one) => shown(one, root)), fingerprint: fingerprint.digest('hex') };
}

function shown({ path, bytes }: { path: string; bytes: Buffer }, root: string): HookFile {
  return {
    path: isWithin(root, path) ? relative(root, path).split(sep).join('/') : path,
    text: bytes.subarray(0, SHOWN_BYTES).toString('utf8'),
    isCut: bytes.length > SHOWN_BYTES,
  };
}

const LEFTHOOK = ['lefthook', '.lefthook', 'lefthook-local', '.lefthook-local'].flatMap((name) =>
  ['yml', 'yaml', 'toml', 'json'].map((ending) => `${name}.${ending}`),
);
/** What is in the root of the repository and says what the hooks of a manager do. */
const SETTINGS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/lefthook/i, LEFTHOOK],
  [/pre-commit|pre_commit/i, ['.pre-commit-config.yaml']],
];

/** Absolute paths of further files that a hook runs or reads, where its manager is known; they may be missing. */
function readBy(program: string, text: string, root: string): string[] {
  const [folder, name] = [dirname(program), basename(program)];
  const settings = SETTINGS.flatMap(([words, files]) =>
    words.test(text) ? files.map((file) => join(root, file)) : [],
  );
  // husky: the programs in `_` run the script of the same name beside it.
  if (basename(folder) === '_')
    return [join(folder, 'h'), join(folder, 'husky.sh'), join(folder, '..', name), ...settings];
  return [...(/husky\.sh/.test(text) ? [join(folder, '_', 'husky.sh')] : []), ...settings];
}

/** Folders outside the repository that a hook needs to be read from. */
export function foldersOutside({ program }: HookFiles, root: string): string[] {
  const folders = [dirname(program), dirname(realPathOf(program))];
  return [...new Set(folders)].filter((folder) => !isWithin(root, folder));
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // gone meanwhile: it then fails by its name
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Missing or not executable: git runs none either.
    return false;
  }
}
