import type { Ambient, Environment } from '@fucina/shared';
import type { NetworkSession, SessionNetworkNeeds } from './sandbox/network/session-network.ts';
import type { NetworkMode } from './sandbox/rules/rule-store.ts';
import type { SandboxRules } from './sandbox/rules/sandbox-rules.ts';

export interface ToolsNeeds {
  ambient: Ambient;
  /** The server's own environment; commands get its harmless part. */
  environment: Environment;
}

export interface WorkspaceToolsNeeds extends ToolsNeeds {
  /** Absolute real path of the data folder: outputs and temporary files of commands are kept in it, and no command sees it. */
  dataDir: string;
  /** The server answers whoever reaches its port: commands are then run only where a sandbox keeps them from it. */
  isWithoutToken?: boolean;
  /** What the user and their rules say of the network of commands. */
  network?: Pick<SessionNetworkNeeds, 'ownPorts' | 'rule' | 'localPorts' | 'ask'>;
  /** What the user's stored rules let the commands of a project read and write besides; default: nothing. */
  rules?: Pick<SandboxRules, 'inForce' | 'forget'> & { mode(session: NetworkSession): NetworkMode };
  /** Absolute real paths that the user lets the commands of a session read besides; default: none. */
  sessionReads?(sessionId: string): readonly string[];
}
