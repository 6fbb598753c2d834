import type { Ambient, Environment } from '@fucina/shared';
import type { NetworkSession, SessionNetworkNeeds } from './sandbox/network/session-network.ts';
import type { NetworkMode } from './sandbox/rules/rule-store.ts';
import type { SandboxRules } from './sandbox/rules/sandbox-rules.ts';

export interface ToolsNeeds {
  ambient: Ambient;
  /** The server's environment; commands get its safe part. */
  environment: Environment;
}

export interface WorkspaceToolsNeeds extends ToolsNeeds {
  /**
   * Absolute real path of the data folder: outputs and temporary files of commands are stored there, invisible to
   * commands.
   */
  dataDir: string;
  /** The server serves anyone who reaches its port: commands then run only in a sandbox that blocks the port. */
  isWithoutToken?: boolean;
  /** The user's network decisions and rules for commands. */
  network?: Pick<SessionNetworkNeeds, 'ownPorts' | 'rule' | 'localPorts' | 'ask'>;
  /** Further paths that the user's stored rules let the commands of a project read and write; default: none. */
  rules?: Pick<SandboxRules, 'inForce' | 'forget'> & { mode(session: NetworkSession): NetworkMode };
  /** Further absolute real paths that the user lets the commands of a session read; default: none. */
  sessionReads?(sessionId: string): readonly string[];
  /** Variables that every command in this folder gets (absolute real path); default: none. */
  folderEnvironment?(folder: string): Promise<Environment>;
}
