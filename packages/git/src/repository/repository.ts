import { accessSync, constants, lstatSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { entryAt, PathError, readFileInside, readSmallFileNow, statInside, systemCode } from '@fucina/shared';

export interface Repository {
  /** Absolute folder that contains `.git`. */
  root: string;
  /**
   * Absolute real path of the repository's data: `.git` itself, or the target of a worktree's or submodule's `.git`
   * file.
   */
  gitDir: string;
}

const MAX_POINTER_BYTES = 8192;
const MAX_PACKED_BYTES = 1024 * 1024;

/**
 * The repository of a folder, found by searching upwards for `.git`; undefined when there is none. Starts no process.
 */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  for (let root = folder; ; root = dirname(root)) {
    const gitDir = await gitDirOf(root);
    if (gitDir !== undefined) return { root, gitDir };
    if (root === dirname(root)) return undefined;
  }
}

/** The name of the branch; null when detached, unborn in an unknown format, or outside a repository. */
export async function readBranch(repository: Repository | undefined): Promise<string | null> {
  const head = repository && (await textOf(repository.gitDir, 'HEAD'));
  const name = /^ref: refs\/heads\/(.+?)\s*$/.exec(head ?? '')?.[1];
  // Newer reference formats leave `.invalid` for older readers.
  return name === undefined || name === '.invalid' || /\p{Cc}/u.test(name) ? null : name;
}

/** The commit of HEAD, where it can be read from files without git; undefined does not mean that there is none. */
export async function headCommitFromFiles(repository: Repository): Promise<string | undefined> {
  const head = await textOf(repository.gitDir, 'HEAD');
  const branch = /^ref: (refs\/heads\/.+?)\s*$/.exec(head ?? '')?.[1];
  const text = branch === undefined ? head : await textOfReference(await commonDirOf(repository), branch);
  return /^([0-9a-f]{40}|[0-9a-f]{64})\s*$/.exec(text ?? '')?.[1];
}

/** Its own file, or its line of the packed references: git writes those before it removes the file. */
async function textOfReference(commonDir: string, name: string): Promise<string | undefined> {
  const own = await textOf(commonDir, name);
  if (own !== undefined) return own;
  const packed = await textOf(commonDir, 'packed-refs', MAX_PACKED_BYTES);
  return packed
    ?.split('\n')
    .find((line) => line.endsWith(` ${name}`))
    ?.slice(0, -name.length);
}

/** The data shared by linked work trees: `gitDir` itself outside one. */
export async function commonDirOf({ gitDir }: Repository): Promise<string> {
  const path = await textOf(gitDir, 'commondir');
  return path === undefined ? gitDir : realpath(resolve(gitDir, path.trim()));
}

/** Asks the system at once: it comes before every turn and git command, and a trip to another thread takes longer. */
async function gitDirOf(root: string): Promise<string | undefined> {
  try {
    const path = join(root, '.git');
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (!entry) return undefined;
    if (entry.isDirectory()) {
      accessSync(path, constants.R_OK);
      return path;
    }
    // A link may only point to a folder inside the root.
    const { stats } = entry.isSymbolicLink() ? await statInside(root, '.git') : { stats: entry };
    if (stats.isDirectory()) return await realpath(path);
    const target = /^gitdir: (.+?)\s*$/.exec((await textOf(root, '.git')) ?? '')?.[1];
    return target === undefined ? undefined : await realpath(resolve(root, target));
  } catch (error) {
    if (error instanceof PathError || NOT_THERE.has(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** True also if it is not accessible. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);

async function textOf(root: string, path: string, maxBytes = MAX_POINTER_BYTES): Promise<string | undefined> {
  try {
    if (!entryAt(join(root, path))) return undefined;
    const bytes = readSmallFileNow(root, path, maxBytes) ?? (await readFileInside(root, path, maxBytes)).bytes;
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}
