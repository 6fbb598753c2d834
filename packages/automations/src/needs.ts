import type { Ambient, SelectablePermissionLevel } from '@fucina/shared';

/** What a run did, read from its session. */
export interface RunReport {
  isRunning: boolean;
  outcome: 'done' | 'steps-used-up' | 'stopped' | 'failed' | 'interrupted';
  /** The agent's last message. */
  text: string;
  /** Error codes. */
  code: string | null;
  /** How long a provider asked to wait. */
  retryAfterMs: number | null;
}

export interface RunOrder {
  name: string;
  /** Real absolute path. */
  folder: string;
  message: string;
  model: string | null;
  permissions: SelectablePermissionLevel;
}

/** What automations need from sessions. */
export interface RunSessions {
  /** Starts a session; throws an error with a code if it cannot. */
  start(order: RunOrder): Promise<{ sessionId: string }>;
  startTemplate(order: { taskId: string; model: string | null }): Promise<{ sessionId: string }>;
  /** Resolves when no turn of it runs in this process. */
  settled(sessionId: string): Promise<void>;
  /** Undefined for a deleted session. */
  report(sessionId: string): Promise<RunReport | undefined>;
  stop(sessionId: string): Promise<void>;
}

/** A changed file or folder. */
export interface WatchedChange {
  /** Relative, `/`-separated. */
  path: string;
  kind: 'file' | 'folder' | 'gone';
  /** Epoch ms. */
  changedAt: number;
}

export interface AutomationsNeeds {
  ambient: Ambient;
  dataDir: string;
  /** True when the data folder says that automations.db existed before. */
  isInitialised?: boolean;
  onOpened?(): void;
  sessions: RunSessions;
  /** The real path of a folder that exists and is readable. */
  folderOf(path: string): Promise<string | undefined>;
  /**
   * Reports changes below a folder, batched; contents of version control, packages and builds are left out. The returned
   * function ends it. Undefined where nothing is watched.
   */
  watchFolder?: ((folder: string, onChange: (changes: readonly WatchedChange[]) => void) => () => void) | undefined;
  /** TASK_NOT_ALLOWED, TASK_CATALOG_UNAVAILABLE. */
  templateName(taskId: string): Promise<string>;
  isModelId(model: string): boolean;
  /** Error code of what is missing before this model can be called; null: the default one. Undefined: nothing. */
  modelProblem(model: string | null): Promise<string | undefined>;
  /** An IANA name. */
  systemZone: string;
}
