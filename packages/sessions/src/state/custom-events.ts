import type { SessionEvent } from '@fucina/shared';

/** Names of the events that travel as CUSTOM. The ones marked are ours, beyond the interface; clients may ignore them. */
export const CUSTOM_EVENTS = {
  plan: 'svc.plan',
  settings: 'svc.impostazioni-sessione',
  compaction: 'svc.compattazione',
  contextUse: 'svc.contesto-richiesta',
  providerRetry: 'svc.provider-retry',
  /** Ours: a reserve answers from now on in the place of the chosen model. */
  fallback: 'svc.provider-fallback',
  /** Ours: what one call of the model used and cost. */
  receipt: 'svc.ricevuta-consumo',
  /** Ours: the agent's to-do list. */
  todo: 'svc.todo',
  /** Ours: a command went on after its call was answered, and its end. */
  background: 'svc.processo-sfondo',
  /** Ours: where the user's own commands run. */
  commandPlace: 'svc.dove-girano-i-comandi',
  /** Ours: whether the model is told about them. */
  tellsCommands: 'svc.comandi-nella-conversazione',
  /** Ours: a message taken out of the conversation. */
  removedMessage: 'svc.messaggio-rimosso',
  /** Ours: a workflow that was proposed here has ended, or needs attention. */
  workflowOutcome: 'svc.workflow-outcome',
  /** Ours: a server of the project asks the user in the middle of a call, and what became of it. */
  elicitation: 'svc.mcp-elicitation',
  /** Ours: tools that the model is offered from now on, besides the everyday ones. */
  foundTools: 'svc.strumenti-trovati',
  /** Ours: a turn was taken back, or put back. */
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
  /** From 1; rises with every plan shown until one is approved. */
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

/** A command that runs on after its call was answered; `codice` comes with the end, null after a signal or a lost process. */
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

/** Value of `svc.annullamento`. `inizio` says what is about to happen, so that a crash in between leaves a trace; only `fine` counts. */
export interface UndoValue {
  schema: 'svc.annullamento.v1';
  fase: 'inizio' | 'fine';
  tipo: 'undo' | 'redo';
  /** Sequence of the RunStarted of the turn. */
  giro: number;
  /** Paths that are as they were before the turn (undo), or after it (redo). */
  file: string[];
  /** Paths that were left alone, and why. */
  saltati: { percorso: string; motivo: SkipReason }[];
  /** Whether the turn left, or came back to, what the model is shown. */
  chat: boolean;
}

/** Changed since by someone else; contents not kept or too large to keep; no file that can be read or written; stopped. */
export type SkipReason = 'cambiato' | 'non-conservato' | 'troppo-grande' | 'non-accessibile' | 'fermato';

/** The reserve that answers from now on, in the place of the chosen model. */
export interface FallbackValue {
  a: { provider: string; modello: string };
  scelto: string | null;
}
