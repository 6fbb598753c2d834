import type { Ambient, SelectablePermissionLevel } from '@fucina/shared';

/** What a run did, read from its session. */
export interface RunReport {
  isRunning: boolean;
  outcome: 'done' | 'steps-used-up' | 'stopped' | 'failed' | 'interrupted';
  /** What was said last. */
  text: string;
  /** Of what failed. */
  code: string | null;
  /** A provider asked to wait so long. */
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

/** Sessions, as far as automations know them. */
export interface RunSessions {
  /** Begins one; throws with a code where it cannot. */
  start(order: RunOrder): Promise<{ sessionId: string }>;
  startTemplate(order: { taskId: string; model: string | null }): Promise<{ sessionId: string }>;
  /** Resolves when no turn of it runs in this process. */
  settled(sessionId: string): Promise<void>;
  /** Undefined for one that is gone. */
  report(sessionId: string): Promise<RunReport | undefined>;
  stop(sessionId: string): Promise<void>;
}

export interface AutomationsNeeds {
  ambient: Ambient;
  dataDir: string;
  /** True when the data folder says that automations.db existed before. */
  isInitialised?: boolean;
  onOpened?(): void;
  sessions: RunSessions;
  /** The real path of a folder that is there and can be read. */
  folderOf(path: string): Promise<string | undefined>;
  /** TASK_NOT_ALLOWED, TASK_CATALOG_UNAVAILABLE. */
  templateName(taskId: string): Promise<string>;
  isModelId(model: string): boolean;
  /** An IANA name. */
  systemZone: string;
}
