import { type Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Ambient, isAppError, systemCode } from '@fucina/shared';
import { usableFolder } from './projects.ts';

export interface GitFacts {
  branch: string | null;
  isRepositoryRoot: boolean;
  unsavedCount: number;
  nestedRepositories: string[];
}

export type FolderPortrait =
  | { path: string; isReadable: false }
  | {
      path: string;
      isReadable: true;
      /** A disk's root, the home, or one of its usual folders: too much for one session. */
      isWide: boolean;
      fileCount: number;
      folderCount: number;
      /** True when counting stopped at `ceiling` entries or at the time limit. */
      isOverCeiling: boolean;
      ceiling: number;
      git: GitFacts | null;
      /** Names of instruction files for agents at the top level. */
      instructions: string[];
    };

export interface FolderDetailsNeeds {
  ambient: Ambient;
  homeDir: string;
  /** undefined outside a repository. */
  gitPortrait(folder: string): Promise<GitFacts | undefined>;
}

const MAX_PATH_CHARS = 4096;
const CEILING = 20_000;
const SCAN_MS = 4000;
const HEAVY: ReadonlySet<string> = new Set(
  `.git .hg .svn node_modules bower_components dist build out target vendor .venv venv .tox __pycache__ .mypy_cache .pytest_cache
   .cache .next .nuxt .turbo .parcel-cache .gradle .idea coverage Pods DerivedData .terraform`.split(/\s+/),
);
const INSTRUCTIONS: ReadonlySet<string> = new Set(
  'AGENTS.md CLAUDE.md CLAUDE.local.md GEMINI.md CONVENTIONS.md .cursorrules .windsurfrules .clinerules'.split(' '),
);
export const HOME_FOLDERS = 'Desktop Scrivania Documents Documenti Downloads Scaricati'.split(' ');

/** Throws QUERY_INVALID for a path that is not absolute or malformed; an unreadable folder is a normal answer. */
export async function describeFolder(needs: FolderDetailsNeeds, path: string): Promise<FolderPortrait> {
  try {
    const { asked, real } = await usableFolder(path, MAX_PATH_CHARS);
    const [counts, git] = await Promise.all([scan(needs.ambient, real), needs.gitPortrait(real)]);
    return { path: asked, isReadable: true, isWide: isWide(real, needs.homeDir), ...counts, git: git ?? null };
  } catch (error) {
    if (isAppError(error, 'WORKSPACE_NOT_AVAILABLE')) return { path, isReadable: false };
    throw error;
  }
}

function isWide(folder: string, home: string): boolean {
  if (dirname(folder) === folder || folder === home || folder === dirname(home)) return true;
  return dirname(folder) === home && HOME_FOLDERS.some((name) => join(home, name) === folder);
}

type Counts = Pick<
  Extract<FolderPortrait, { isReadable: true }>,
  'fileCount' | 'folderCount' | 'isOverCeiling' | 'ceiling' | 'instructions'
>;

/** Entry by entry and without recursion, so that other work is not blocked; links are counted, not followed. */
async function scan(ambient: Ambient, folder: string): Promise<Counts> {
  const counts: Counts = { fileCount: 0, folderCount: 0, isOverCeiling: false, ceiling: CEILING, instructions: [] };
  const deadline = ambient.monotonic() + SCAN_MS;
  const pending = [folder];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    for await (const entry of entriesOf(current)) {
      if (counts.fileCount + counts.folderCount >= CEILING || ambient.monotonic() > deadline) {
        return { ...counts, isOverCeiling: true, instructions: counts.instructions.sort() };
      }
      if (entry.isDirectory()) {
        if (HEAVY.has(entry.name)) continue;
        counts.folderCount++;
        pending.push(join(current, entry.name));
      } else {
        counts.fileCount++;
        if (current === folder && INSTRUCTIONS.has(entry.name)) counts.instructions.push(entry.name);
      }
    }
  }
  return { ...counts, instructions: counts.instructions.sort() };
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder, { bufferSize: 256 });
  } catch (error) {
    // Not accessible, or deleted in the meantime: counts as empty.
    if (!['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EIO', 'ENAMETOOLONG'].includes(systemCode(error) ?? '')) throw error;
  }
}
