import type { Ambient } from '@fucina/shared';
import { type Attachments, createAttachments } from './attachments.ts';
import type { GitFacts } from './portrait.ts';
import { createProjects, type Projects } from './projects.ts';
import { openFolderStore } from './store.ts';
import { createTemplates, type Templates } from './templates.ts';
import { createTree, type Tree } from './tree.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export interface Files extends AsyncDisposable {
  projects: Projects;
  workspace: Workspace;
  tree: Tree;
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
  /** Absolute path of the catalog of task templates; without one there is none. */
  templatesDir?: string;
  gitPortrait(folder: string): Promise<GitFacts | undefined>;
}

export function createFiles(needs: FilesNeeds): Files {
  const store = openFolderStore(needs);
  const projects = createProjects({ store, projectFolders: needs.projectFolders });
  return {
    projects,
    workspace: createWorkspace({ ...needs, projects, store }),
    tree: createTree(),
    attachments: createAttachments(),
    templates: createTemplates(needs),
    async [Symbol.asyncDispose]() {
      store.close();
    },
  };
}
