import type { SessionEvent } from '@fucina/shared';

/** Names of CUSTOM events. The ones marked as ours are beyond the interface; clients may ignore them. */
export const CUSTOM_EVENTS = {
  plan: 'svc.plan',
  settings: 'svc.impostazioni-sessione',
  compaction: 'svc.compattazione',
  contextUse: 'svc.contesto-richiesta',
  providerRetry: 'svc.provider-retry',
  /** Ours: the fallback provider answers from now on instead of the chosen model. */
  fallback: 'svc.provider-fallback',
  /** Ours: usage and cost of one model call. */
  receipt: 'svc.ricevuta-consumo',
  /** Ours: the agent's to-do list. */
  todo: 'svc.todo',
  /** Ours: a command continued after its call returned, and its end. */
  background: 'svc.processo-sfondo',
  /** Ours: the working directory of the user's own commands. */
  commandPlace: 'svc.dove-girano-i-comandi',
  /** Ours: whether the model is told about them. */
  reportsCommands: 'svc.comandi-nella-conversazione',
  /** Ours: a message was removed from the conversation. */
  removedMessage: 'svc.messaggio-rimosso',
  /** Ours: a workflow proposed here has ended, or needs attention. */
  workflowOutcome: 'svc.workflow-outcome',
  /** Ours: a server of the project asks the user during a call, and the outcome. */
  elicitation: 'svc.mcp-elicitation',
  /** Ours: a change of permissions or mode during the session, in the words for the model. */
  reportedRules: 'svc.regole-dette',
  /** Ours: a turn was undone or redone. */
  undo: 'svc.annullamento',
} as const;

export function customEvent(name: string, value: unknown): SessionEvent {
  return { type: 'CUSTOM', name, value };
}

export type PlanDecision =
  | 'procedi-con-conferma'
  | 'procedi-accetta-modifiche'
  | 'conversazione-pulita'
  | 'continua-a-pianificare';

/** Value of `svc.plan`, as on the wire. */
export interface PlanValue {
  schema: 'svc.plan.v1';
  planId: string;
  sessionId: string;
  /** From 1; increases with every revision until a plan is approved. */
  revision: number;
  status: 'proposed' | 'approved' | 'changes-requested' | 'cancelled';
  /** Markdown, at most 100,000 characters. */
  content: string;
  /** ISO 8601. */
  at: string;
  requestId: string;
  /** `sha256:` and 64 hex digits of the content. */
  hash: string;
  toolCallId: string;
  ripristinabile: boolean;
  model?: string;
  decisione?: PlanDecision;
  feedback?: string;
  nuovaSessionId?: string;
  da?: 'persona' | 'sistema';
  motivo?: string;
}

/**
 * A command that continues after its call returned; `codice` comes with the end, null after a signal or a lost process.
 */
export interface BackgroundValue {
  toolCallId: string;
  fase: 'inizio' | 'fine';
  da?: 'persona' | 'tempo-scaduto' | 'modello';
  codice?: number | null;
}

/** Value of `svc.mcp-elicitation`, as far as the list of sessions needs it. */
export interface ElicitationValue {
  requestId: string;
  stato: 'in-attesa' | 'risposta';
}

/**
 * Value of `svc.annullamento`. `inizio` announces the operation, so that a crash leaves a trace; only `fine` counts.
 */
export interface UndoValue {
  schema: 'svc.annullamento.v1';
  fase: 'inizio' | 'fine';
  tipo: 'undo' | 'redo';
  /** Sequence of the RunStarted of the turn. */
  giro: number;
  /** Paths restored to their state before the turn (undo), or after it (redo). */
  file: string[];
  /** Paths left unchanged, and why. */
  saltati: { percorso: string; motivo: SkipReason }[];
  /** Whether the turn was removed from, or restored to, the model's view. */
  chat: boolean;
}

/**
 * Changed since by someone else; contents not stored or too large; not a readable or writable file; stopped; not
 * clear who changed it.
 */
export type SkipReason = 'cambiato' | 'non-conservato' | 'troppo-grande' | 'non-accessibile' | 'fermato' | 'incerto';

/** The fallback model that answers from now on, instead of the chosen one. */
export interface FallbackValue {
  a: { provider: string; modello: string };
  scelto: string | null;
}
