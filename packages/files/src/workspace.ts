import { opendir, stat } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { accepted, createFolderInside, isWithin, parseAbsolutePath, parseFileName } from '@fucina/shared';
import { asWorkspaceError, filesError } from './errors.ts';
import { describeFolder, type FolderDetailsNeeds, type FolderPortrait, HOME_FOLDERS } from './folder-details.ts';
import type { Launches } from './launches.ts';
import { type KnownFolder, type Projects, usableFolder, withDistinctNames } from './projects.ts';
import type { FolderStore } from './store.ts';
import { inOrder } from './tree.ts';

export interface BrowsedFolder {
  root: string;
  path: string;
  /** null at the root. */
  parent: string | null;
  /** Folders only, hidden ones last. */
  items: { name: string; path: string; projectId: string | null }[];
  recommended: RecommendedFolder[];
}

export interface RecommendedFolder {
  label: string;
  path: string;
  kind: 'project' | 'recent' | 'known';
  projectId: string | null;
}

export interface ChosenFolder {
  /** Absolute real path. */
  folder: string;
  /** `libero:<project id>`, or `libero:full-access` for a folder chosen by hand. */
  taskId: string;
  /** Display name of the folder. */
  project: string;
  /**
   * True for a folder listed in the settings: only its sessions may be widened to the whole disk. A folder that became
   * a project by use was chosen by hand once, and stays so.
   */
  isProjectFolder: boolean;
}

/** Folders of this computer from which the user chooses a workspace. All paths are absolute. */
export interface Workspace {
  /** Without a path: the home. Throws QUERY_INVALID (not absolute, `..`, over 1024), WORKSPACE_NOT_AVAILABLE. */
  browse(path?: string): Promise<BrowsedFolder>;
  /** Throws QUERY_INVALID, WORKSPACE_NOT_AVAILABLE (the parent), WORKSPACE_ALREADY_EXISTS. */
  createFolder(parentPath: string, name: string): Promise<{ name: string; path: string }>;
  /** At most six, most used first. */
  frequent(): Promise<{ label: string; path: string }[]>;
  /** Throws QUERY_INVALID; an unreadable folder is a normal answer. */
  portrait(path: string): Promise<FolderPortrait>;
  /**
   * The folder of a new session; consumes a launch. Throws QUERY_INVALID (malformed path), WORKSPACE_NOT_AVAILABLE (all
   * else), WORKSPACE_LAUNCH_NOT_AVAILABLE.
   */
  chooseFolder(choice: { projectId: string } | { path: string } | { launchId: string }): Promise<ChosenFolder>;
}

export interface WorkspaceNeeds extends FolderDetailsNeeds {
  projects: Projects;
  store: FolderStore;
  launches: Pick<Launches, 'take'>;
  /** The application's own folder: never a workspace, but for the worktrees in it. */
  dataDir: string;
  worktreeSource?(folder: string): Promise<string | undefined>;
}

const MAX_BROWSE_CHARS = 1024;
const MAX_PATH_CHARS = 4096;
const MAX_ITEMS = 5000;
const MAX_FREQUENT = 6;
const MAX_RECENT = 6;

export function createWorkspace(needs: WorkspaceNeeds): Workspace {
  const { projects, store } = needs;
  return {
    async browse(path = needs.homeDir) {
      const { asked, real } = await usableFolder(path, MAX_BROWSE_CHARS);
      const known = await projects.known();
      const parent = dirname(asked);
      return {
        root: parse(asked).root,
        path: asked,
        parent: parent === asked ? null : parent,
        items: await itemsOf({ asked, real, known }),
        recommended: await recommended(known, needs.homeDir),
      };
    },

    async createFolder(parentPath, name) {
      try {
        const checked = parseFileName(name);
        const { asked, real } = await usableFolder(parentPath, MAX_PATH_CHARS);
        await createFolderInside(real, checked);
        return { name: checked, path: join(asked, checked) };
      } catch (error) {
        throw asWorkspaceError(error);
      }
    },

    async frequent() {
      const found: { name: string; path: string }[] = [];
      for (const { path } of store.frequent(MAX_FREQUENT * 4)) {
        if (found.length < MAX_FREQUENT && (await isFolder(path))) found.push({ name: basename(path) || path, path });
      }
      return withDistinctNames(found).map(({ name, path }) => ({ label: name, path }));
    },

    portrait: (path) => describeFolder(needs, path),

    async chooseFolder(choice) {
      if ('launchId' in choice) {
        const folder = needs.launches.take(choice.launchId);
        return chosen(needs, { folder, taskId: 'libero:workspace-launch', isProjectFolder: false });
      }
      if ('path' in choice) {
        const { real } = await usableFolder(choice.path, MAX_PATH_CHARS);
        return chosen(needs, { folder: real, taskId: 'libero:full-access', isProjectFolder: false });
      }
      const { projectId } = choice;
      const known = (await projects.known()).find(({ id }) => id === projectId);
      // For a new session, an unknown id means a folder that is not available.
      if (!known) throw filesError('WORKSPACE_NOT_AVAILABLE', { reason: 'project-unknown' });
      const folder = await projects.folderOf(projectId);
      return chosen(needs, { folder, taskId: `libero:${projectId}`, isProjectFolder: known.isConfigured });
    },
  };
}

async function chosen(
  { dataDir, worktreeSource }: WorkspaceNeeds,
  choice: Omit<ChosenFolder, 'project'>,
): Promise<ChosenFolder> {
  const source = isWithin(dataDir, choice.folder) ? await worktreeSource?.(choice.folder) : undefined;
  if (source === undefined && isWithin(dataDir, choice.folder))
    throw filesError('WORKSPACE_NOT_AVAILABLE', { reason: 'application-folder' });
  // A session in a worktree belongs to the project that it was made from.
  const named = source ?? choice.folder;
  return { ...choice, project: basename(named) || named };
}

interface Browsed {
  asked: string;
  real: string;
  known: readonly KnownFolder[];
}

async function itemsOf({ asked, real, known }: Browsed): Promise<BrowsedFolder['items']> {
  const names: string[] = [];
  for await (const entry of await opendir(real, { bufferSize: 256 })) {
    if (names.length === MAX_ITEMS) break;
    // A listed folder must be accepted when it is chosen.
    if (accepted(parseAbsolutePath, join(asked, entry.name)) === undefined) continue;
    if (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(join(real, entry.name)))))
      names.push(entry.name);
  }
  const idOf = new Map(known.map(({ id, path }) => [path, id]));
  return names
    .sort((a, b) => Number(a.startsWith('.')) - Number(b.startsWith('.')) || inOrder(entry(a), entry(b)))
    .map((name) => ({ name, path: join(asked, name), projectId: idOf.get(join(real, name)) ?? null }));
}

const entry = (name: string): { name: string; isFolder: boolean } => ({ name, isFolder: true });

async function recommended(known: readonly KnownFolder[], home: string): Promise<RecommendedFolder[]> {
  const isThere = await Promise.all(known.map(({ path }) => isFolder(path)));
  const present = withDistinctNames(known.filter((_, index) => isThere[index]));
  const places = [home, ...HOME_FOLDERS.map((name) => join(home, name))];
  const arePlaces = await Promise.all(places.map(isFolder));
  const recent = present.filter(({ isConfigured }) => !isConfigured).slice(0, MAX_RECENT);
  const from = (kind: RecommendedFolder['kind'], folders: readonly KnownFolder[]): RecommendedFolder[] =>
    folders.map(({ id, name, path }) => ({ label: name, path, kind, projectId: id }));
  const all: RecommendedFolder[] = [
    ...from(
      'project',
      present.filter(({ isConfigured }) => isConfigured),
    ),
    ...from('recent', recent),
    ...places
      .filter((_, index) => arePlaces[index])
      .map((path): RecommendedFolder => ({ label: basename(path) || path, path, kind: 'known', projectId: null })),
  ];
  return [...new Map(all.toReversed().map((one) => [one.path, one])).values()].toReversed();
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false, // deleted, not accessible, or on a disk that is not mounted
  );
}
