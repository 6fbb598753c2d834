import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { createFolderInside, isWithin, readFileInside, realPathAt } from '@fucina/shared';
import { controlledParts, shownReadOnly, writable } from '../control-files/control-mounts.ts';
import { isPlainFolder } from './identity.ts';
import type { Mount } from './mounts.ts';
import { MAX_FILES, objectMounts, type RepositoryNeeds } from './packed-objects.ts';

interface LinkedWorktree {
  /** The repository's data that all worktrees share; absolute real path. */
  commonDir: string;
  /** The part of it that is this worktree's: its HEAD, index and log. */
  own: string;
}

export type WorktreeNeeds = RepositoryNeeds & Outside;

export interface Outside {
  dataDir: string;
  /** A folder in the data folder in which no command writes: that of the self-test. */
  testFolder?: string | undefined;
}

const MAX_BYTES = 64 * 1024;
const TABLE = /\.(?:ref|log)$/;

/**
 * The repository of a linked worktree; undefined for anything else. A command could have written the folder's `.git` file,
 * and all that is in the folder or where commands write: so the repository is in neither, and names this folder as its
 * worktree. Nothing of it is reached through a link.
 */
export async function linkedWorktree(
  folder: string,
  { dataDir, testFolder }: Outside,
): Promise<LinkedWorktree | undefined> {
  const target = /^gitdir: (.+)$/m.exec(await textOf(folder, '.git'))?.[1];
  const own = target === undefined ? undefined : realPathAt(resolve(folder, target));
  if (own === undefined || basename(dirname(own)) !== 'worktrees') return undefined;
  const commonDir = dirname(dirname(own));
  const isOfTest = testFolder !== undefined && isWithin(testFolder, commonDir);
  if (isWithin(folder, commonDir) || (isWithin(dataDir, commonDir) && !isOfTest)) return undefined;
  const back = (await textOf(own, 'gitdir')).trim();
  return resolve(own, back) === join(folder, '.git') ? { commonDir, own } : undefined;
}

/**
 * The repository of a linked worktree, read-only but for what commits of this worktree need: new objects, the
 * worktree's own part, and its branch. What exists of objects, other worktrees, other branches and settings stay as they are.
 */
export async function worktreeMounts(folder: string, needs: WorktreeNeeds): Promise<Mount[]> {
  const found = await linkedWorktree(folder, needs);
  if (found === undefined) return [];
  const { commonDir, own } = found;
  return [
    { kind: 'read-only', source: commonDir, target: commonDir },
    ...(await objectMounts(commonDir, needs)),
    ...(await branchMounts(commonDir, own)),
    writable(own),
    ...controlledParts(own),
  ];
}

/**
 * git replaces the file of a branch, so its folder must be writable; the other branches in it are not, and no branch that
 * another worktree has checked out.
 */
async function branchMounts(commonDir: string, own: string): Promise<Mount[]> {
  const tables = join(commonDir, 'reftable');
  if (isPlainFolder(tables)) return tableMounts(tables);
  const reference = await branchOf(own);
  if (reference === undefined || (await branchesElsewhere(commonDir, own)).has(reference)) return [];
  const mounts = await Promise.all([reference, join('logs', reference)].map((path) => onlyThis(commonDir, path)));
  return mounts.flat();
}

/**
 * Tables of references: a commit adds one for all branches and lists it. Those that exist stay as they are, also where
 * git would merge them into a new one. With very many none can be added.
 */
async function tableMounts(folder: string): Promise<Mount[]> {
  const names = (await readdir(folder)).filter((name) => TABLE.test(name));
  if (names.length > MAX_FILES) return [shownReadOnly(folder)];
  return [writable(folder), ...names.map((name) => shownReadOnly(join(folder, name)))];
}

async function branchOf(gitDir: string): Promise<string | undefined> {
  const head = await textOf(gitDir, 'HEAD');
  const reference = /^ref: (refs\/heads\/[^\0\n]+?)\s*$/.exec(head)?.[1];
  return reference?.split('/').every((part) => part !== '..' && part !== '.' && part !== '') ? reference : undefined;
}

/** Of a file of git that names one thing; empty when there is none, or a link leads out of the folder. */
async function textOf(folder: string, name: string): Promise<string> {
  try {
    return (await readFileInside(folder, name, MAX_BYTES)).bytes.toString();
  } catch {
    return ''; // by contract
  }
}

async function branchesElsewhere(commonDir: string, own: string): Promise<Set<string | undefined>> {
  const linked = (await readdir(dirname(own))).map((name) => join(dirname(own), name));
  const others = [commonDir, ...linked].filter((gitDir) => gitDir !== own);
  return new Set(await Promise.all(others.map(branchOf)));
}

async function onlyThis(commonDir: string, path: string): Promise<Mount[]> {
  const parent = await folderWithin(commonDir, dirname(path));
  if (parent === undefined) return [];
  const others = (await readdir(parent, { withFileTypes: true })).filter(
    (entry) => entry.name !== basename(path) && !entry.isSymbolicLink(),
  );
  return [writable(parent), ...others.map(({ name }) => shownReadOnly(join(parent, name)))];
}

/** Made when it is missing: git removes the folders of branches that it packs. Undefined when a link leads elsewhere. */
async function folderWithin(commonDir: string, path: string): Promise<string | undefined> {
  await createFolderInside(commonDir, path, { recursive: true }).catch(() => undefined); // looked at next
  const folder = join(commonDir, path);
  return isPlainFolder(folder) ? folder : undefined;
}
