import type {
  ChatImageReference,
  OperatingMode,
  PermissionLevel,
  ReasoningChoice,
  ToolPermissions,
} from '@fucina/shared';

/** The immutable properties of a session. */
export interface SessionHeader {
  sessionId: string;
  /** `libero:<folderId>`, `libero:full-access` (hand-picked folder), `libero:workspace-launch`, `workflow:<run>:<node>` or a template id. */
  taskId: string;
  /** Display name of the folder. */
  project: string | null;
  /** Absolute real path; never part of a response. */
  folder: string;
  /** True when the folder is a configured project: Full access then covers the whole disk. */
  isProjectFolder: boolean;
  /** Its first message; of a branch the first that is its own. Names the session until the user does. */
  assignment: string;
  testCommand: string | null;
  /** Epoch ms. */
  startedAt: number;
  client: 'desktop' | 'mobile';
  forkOf: string | null;
  /** Of a branch of `forkOf`: number of the first turn that is its own, from 1; the turns before it are copies. */
  branchTurn: number | null;
  parentId: string | null;
  delegationDepth: number;
  delegationStart: 'alone' | 'allowed' | null;
  delegatedTask: string | null;
  workflowStep: { runId: string; nodeId: string } | null;
  /** Of a sub-agent with a worktree of its own, and of the agents below it: its folder there. Absent: none. */
  isolatedIn?: string | undefined;
  /** The kind of sub-agent, as the project defined it when it started; absent: none. */
  agent?: SessionAgent | undefined;
  runtime: {
    provider: 'cloud' | 'local';
    runtimeId: string | null;
    modelId: string | null;
    hasFallbackConsent: boolean;
  };
}

export interface SessionAgent {
  name: string;
  prompt: string;
  tools: AgentTools;
}

/** Which tools a kind of sub-agent has: a name, or a prefix that ends with `*`. */
export interface AgentTools {
  /** Null: all of the session. */
  allowed: readonly string[] | null;
  denied: readonly string[];
}

/** What a user may change at any time; read again at every step of a turn. */
export interface SessionSettings {
  model: string | null;
  plannerModel: string | null;
  reasoning: ReasoningChoice | null;
  permissions: PermissionLevel;
  toolPermissions: ToolPermissions | null;
  mode: OperatingMode;
  fallbackProviders: readonly FallbackProvider[];
  language: 'it' | 'en' | null;
}

export interface FallbackProvider {
  provider: string;
  model: string;
}

/** `running` has the lease of a living process; `interrupted` lost it during a turn. */
export type SessionState = 'running' | 'concluded' | 'interrupted';

/** The input of a turn: the user's text, images, and the display data of their bubble (never sent to the model). */
export interface TurnInput {
  message: string;
  images?: readonly ChatImageReference[];
  bubble?: Record<string, unknown>;
  /** The text for the model if different: a custom command, expanded, or with facts of the calling program. */
  modelText?: string;
}

/** As a client sends it: only the id matters, the name is for display. */
export interface ImageChoice {
  id: string;
  name?: string;
}

/** The same as a client sends it, its pictures not yet looked up. */
export interface MessageRequest extends Omit<TurnInput, 'images'> {
  images?: readonly ImageChoice[];
}
