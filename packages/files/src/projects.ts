import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { PathError, parseAbsolutePath, realFolder, textStart } from '@fucina/shared';
import { asWorkspaceError, filesError } from './errors.ts';
import type { FolderStore } from './store.ts';
import { listLevel, type TreeEntry } from './tree.ts';

export interface Project {
  /** Stable: derived from the folder's real path without revealing it. */
  id: string;
  name: string;
}

export interface KnownFolder extends Project {
  /** Absolute real path, or the configured one while it does not exist. Never sent to a client as a project's. */
  path: string;
  isConfigured: boolean;
}

export interface Projects {
  /** Configured folders first, then those used before, most recent first. */
  list(): Promise<Project[]>;
  /** As `list`, with paths: for this domain and host only. */
  known(): Promise<KnownFolder[]>;
  /**
   * Absolute real path. Throws NOT_FOUND (no such project), WORKSPACE_NOT_AVAILABLE (its folder is missing or not
   * accessible).
   */
  folderOf(projectId: string): Promise<string>;
  /** One level of a project's folder. Throws as `folderOf`, and QUERY_INVALID, FILE_NOT_FOUND. */
  tree(projectId: string, path: string): Promise<TreeEntry[]>;
  /** Records one use of a folder (absolute real path), which makes it a project. */
  remember(folder: string): Promise<void>;
}

const MAX_USED = 200;

export interface ProjectsNeeds {
  store: FolderStore;
  /** Absolute paths, as configured. */
  projectFolders: readonly string[];
}

export function createProjects({ store, projectFolders }: ProjectsNeeds): Projects {
  const configured = async (): Promise<KnownFolder[]> =>
    Promise.all(
      projectFolders.map(async (folder) => {
        const path = await realFolder(folder).catch((error: unknown) => {
          if (error instanceof PathError) return folder;
          throw error;
        });
        return { id: projectIdOf(path), name: basename(path) || path, path, isConfigured: true };
      }),
    );
  const known = async (): Promise<KnownFolder[]> => {
    const used = store
      .recent(MAX_USED)
      .map(({ id, path }): KnownFolder => ({ id, name: basename(path) || path, path, isConfigured: false }));
    return [...new Map([...used, ...(await configured())].map((one) => [one.id, one])).values()].sort(
      (a, b) => Number(b.isConfigured) - Number(a.isConfigured),
    );
  };
  const folderOf = async (projectId: string): Promise<string> => {
    const path = store.byId(projectId)?.path ?? (await configured()).find(({ id }) => id === projectId)?.path;
    if (path === undefined) throw filesError('NOT_FOUND', { reason: 'project-unknown' });
    try {
      return await realFolder(path);
    } catch (error) {
      // An invalid configured path is not the request's fault.
      if (error instanceof PathError)
        throw filesError('WORKSPACE_NOT_AVAILABLE', { reason: `path-${error.problem}`, cause: error });
      throw error;
    }
  };

  return {
    known,
    list: async () => withDistinctNames(await known()).map(({ id, name }) => ({ id, name })),
    folderOf,
    tree: async (projectId, path) => listLevel(await folderOf(projectId), path),
    remember: async (folder) => {
      await store.remember({ id: projectIdOf(folder), path: folder });
    },
  };
}

export function projectIdOf(realPath: string): string {
  return createHash('sha256').update(realPath).digest('hex').slice(0, 32);
}

/** Folders of the same name also show the name of their parent, never more of the path. */
export function withDistinctNames<T extends { name: string; path: string }>(folders: readonly T[]): T[] {
  const counts = new Map<string, number>();
  for (const { name } of folders) counts.set(name, (counts.get(name) ?? 0) + 1);
  return folders.map((one) =>
    (counts.get(one.name) ?? 0) > 1 ? { ...one, name: `${one.name} (${basename(dirname(one.path)) || '/'})` } : one,
  );
}

/** Throws QUERY_INVALID for a malformed path, WORKSPACE_NOT_AVAILABLE for an unusable folder. */
export async function usableFolder(path: string, maxLength: number): Promise<{ asked: string; real: string }> {
  try {
    if (path.length > maxLength) throw new PathError('invalid', textStart(path, 100));
    return { asked: parseAbsolutePath(path), real: await realFolder(path) };
  } catch (error) {
    throw asWorkspaceError(error);
  }
}
