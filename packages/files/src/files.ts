import type { Ambient, Environment } from '@fucina/shared';
import { type Attachments, createAttachments } from './attachments.ts';
import { createFileChanges, type FileChanges } from './changes.ts';
import { createFileManager, type FileManager } from './file-manager.ts';
import type { GitFacts } from './folder-details.ts';
import { createLaunches, type Launches } from './launches.ts';
import { createPages, type Pages } from './pages.ts';
import { createProjects, type Projects } from './projects.ts';
import { openFolderStore } from './store.ts';
import { createTemplates, type Templates } from './templates.ts';
import { createTree, type Tree } from './tree.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export interface Files extends AsyncDisposable {
  projects: Projects;
  workspace: Workspace;
  launches: Launches;
  tree: Tree;
  changes: FileChanges;
  pages: Pages;
  fileManager: FileManager;
  attachments: Attachments;
  templates: Templates;
}

export interface FilesNeeds {
  ambient: Ambient;
  /** Absolute real path; files.db lives there. */
  dataDir: string;
  /** True when the data folder says that files.db existed before: a missing one is then an error. */
  isInitialised?: boolean;
  /** Called once files.db exists: only then is a missing one damage. */
  onOpened?(): void;
  /** Absolute paths. */
  projectFolders: readonly string[];
  /** Absolute real path. */
  homeDir: string;
  /** The server's environment: the file manager gets only its safe part. */
  environment: Environment;
  /** Absolute path of the catalog of task templates; optional. */
  templatesDir?: string;
  gitPortrait(folder: string): Promise<GitFacts | undefined>;
  /**
   * The folder that a worktree of the application was made from: below the data folder, but a folder to work in.
   * Undefined for every other folder.
   */
  worktreeSource?(folder: string): Promise<string | undefined>;
}

export function createFiles(needs: FilesNeeds): Files {
  const store = openFolderStore(needs);
  const tree = createTree(needs.ambient);
  const launches = createLaunches(needs);
  const projects = createProjects({ store, projectFolders: needs.projectFolders });
  return {
    projects,
    workspace: createWorkspace({ ...needs, projects, store, launches }),
    launches,
    tree,
    pages: createPages({ ambient: needs.ambient, tree }),

    changes: createFileChanges(needs),
    fileManager: createFileManager(needs),
    attachments: createAttachments(),
    templates: createTemplates(needs),
    async [Symbol.asyncDispose]() {
      store.close();
    },
  };
}
