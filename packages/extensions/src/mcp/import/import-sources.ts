import { join } from 'node:path';
import type { Environment } from '@fucina/shared';

export type ImportProgram = 'mcp-json' | 'claude-code' | 'claude-desktop' | 'cursor' | 'vscode' | 'codex';

/** A file in which another program keeps its servers. */
export interface ImportSource {
  id: string;
  program: ImportProgram;
  /** Absolute. */
  path: string;
  /** Of the project, and so not of the user alone. */
  isOfProject: boolean;
  /** The file keeps servers by project, and those of this one are meant. */
  section?: string;
}

export interface SourcesNeeds {
  environment: Environment;
  homeDir: string;
  platform: NodeJS.Platform;
}

/** Where the configurations are on this system; the files may not exist. */
export function importSources({ environment, homeDir, platform }: SourcesNeeds, folder?: string): ImportSource[] {
  const applications = applicationData({ environment, homeDir, platform });
  const claude = join(environment.CLAUDE_CONFIG_DIR || homeDir, '.claude.json');
  const codex = environment.CODEX_HOME || join(homeDir, '.codex');
  const own = (program: ImportProgram, path: string): ImportSource => ({
    id: `user-${program}`,
    program,
    path,
    isOfProject: false,
  });
  const mine = [
    own('claude-code', claude),
    own('claude-desktop', join(applications, 'Claude', 'claude_desktop_config.json')),
    own('cursor', join(homeDir, '.cursor', 'mcp.json')),
    own('vscode', join(applications, 'Code', 'User', 'mcp.json')),
    own('codex', join(codex, 'config.toml')),
  ];
  if (folder === undefined) return mine;
  const ofProject = (program: ImportProgram, path: string): ImportSource => ({
    id: `project-${program}`,
    program,
    path: join(folder, path),
    isOfProject: true,
  });
  return [
    ofProject('mcp-json', '.mcp.json'),
    ofProject('cursor', '.cursor/mcp.json'),
    ofProject('vscode', '.vscode/mcp.json'),
    ofProject('codex', '.codex/config.toml'),
    { ...own('claude-code', claude), id: 'local-claude-code', section: folder },
    ...mine,
  ];
}

function applicationData({ environment, homeDir, platform }: SourcesNeeds): string {
  if (platform === 'darwin') return join(homeDir, 'Library', 'Application Support');
  if (platform === 'win32') return environment.APPDATA ?? join(homeDir, 'AppData', 'Roaming');
  return environment.XDG_CONFIG_HOME || join(homeDir, '.config');
}
