import type { Schedule } from '@fucina/conversation/schedule';
import type { SelectablePermissionLevel } from '@fucina/shared';
import type { Threat } from './threats.ts';

/** Who created it. */
export interface Origin {
  kind: 'window' | 'chat' | 'automation';
  sessionId?: string | undefined;
}

export interface RunInProgress {
  runId: string;
  /** Null while its session is being started. */
  sessionId: string | null;
  startedAt: number;
}

/** A scheduled task that the user wrote, with the rights that the user granted. Times in ms. */
export interface Automation {
  version: 2;
  id: string;
  name: string;
  instructions: string;
  /** Absolute. */
  folder: string;
  model: string | null;
  permissions: SelectablePermissionLevel;
  /** May start sub-agents without approval. */
  coordinates: boolean;
  /** Absent in records of older versions, whose runs read any address until they are edited. */
  asksAddresses?: true | undefined;
  schedule: Schedule;
  zone: string;
  /** Null: no limit. */
  repeats: number | null;
  executed: number;
  isOn: boolean;
  origin: Origin;
  createdAt: number;
  changedAt: number;
  lastRunAt: number | null;
  nextRunAt: number | null;
  /** Waits because a provider asked to. */
  waitsUntil: number | null;
  running: RunInProgress | null;
}

/** The legacy form: a task template at a fixed interval in minutes. */
export interface LegacyAutomation {
  version: 1;
  id: string;
  taskId: string;
  name: string;
  intervalMinutes: number;
  dailyLimit: number;
  model: string | null;
  coordinates: boolean;
  isOn: boolean;
  createdAt: number;
  lastRunAt: number | null;
  nextRunAt: number | null;
  executedToday: number;
  /** YYYY-MM-DD of `executedToday`. */
  countedDay: string;
  running: RunInProgress | null;
  waitsUntil: number | null;
}

export type AnyAutomation = Automation | LegacyAutomation;

export type Lateness = 'on-time' | 'late' | 'catch-up';
export type RunState = 'running' | 'done' | 'failed' | 'stopped' | 'skipped';

export interface Proposal {
  before: string;
  after: string;
  threats: readonly Threat[];
  state: 'waiting' | 'approved' | 'discarded';
  at: number;
}

/** Why a run ended, where its state alone does not say it. */
export type RunReason =
  | 'cartella-assente'
  | 'giro-in-corso'
  | 'non-partita'
  | 'interrotta'
  | 'giri-esauriti'
  | 'attesa-fornitore'
  | 'errore';

export interface Run {
  runId: string;
  automationId: string;
  /** Null for a run started by hand. */
  scheduledAt: number | null;
  startedAt: number | null;
  sessionId: string | null;
  lateness?: Lateness | undefined;
  isManual?: boolean | undefined;
  state: RunState;
  finishedAt: number | null;
  skippedAt: number | null;
  summary: string | null;
  reason?: RunReason | undefined;
  /** An error code, or a short text. */
  detail?: string | undefined;
  needsLook: boolean;
  isRead: boolean;
  changes: readonly ('istruzioni' | 'prossimaEsecuzione')[];
  proposal?: Proposal | undefined;
}
