import type { PlanDecision, Question, ToolAction, Usage } from './records.ts';

interface Stored {
  _sequenza?: number;
}

export interface FileOperation {
  op: 'add' | 'replace' | 'remove';
  path: string;
  value?: unknown;
  prima?: string;
}

export interface ProviderRetry {
  fase: 'attesa' | 'invio' | 'fine';
  tentativo: number;
  tentativiMassimi: number;
  httpStatus: number;
  modello: string;
  attesaMs: number;
  retryAt: number | null;
}

/** The events that the window shows; a stream may carry others, which are passed over. */
export type SessionEvent = Stored &
  (
    | {
        type: 'RunStarted';
        threadId: string;
        runId: string;
        input?: { consegna?: string; seguito?: boolean; immagini?: ChatImage[]; comando?: string };
        contesto?: { progetto?: string | null; cartella?: string | null; branch?: string | null };
      }
    | { type: 'RunFinished'; runId: string; outcome?: unknown }
    | { type: 'RunError'; message: string; code?: string; classe?: string; messaggioFornitore?: string }
    | { type: 'RunRedirectRequested'; redirectId: string; testo: string }
    | { type: 'RunRedirectApplied'; redirectId: string; testo: string; immagini?: ChatImage[] }
    | { type: 'RunRedirectCancelled' | 'RunRedirectFailed'; redirectId: string }
    | { type: 'QueuedMessageDelivered'; testo: string; immagini?: ChatImage[] }
    | { type: 'TextMessageStart' | 'ReasoningMessageStart'; messageId: string }
    | { type: 'TextMessageContent' | 'ReasoningMessageContent'; messageId: string; delta: string }
    | { type: 'TextMessageEnd' | 'ReasoningMessageEnd'; messageId: string }
    | { type: 'ToolCallStart'; toolCallId: string; toolCallName: string; avviatoA?: number }
    | { type: 'ToolCallArgs' | 'ToolCallOutput'; toolCallId: string; delta: string }
    | ({ type: 'ToolCallResult'; toolCallId: string } & ToolOutcome)
    | { type: 'StateDelta'; delta: (FileOperation | { op: 'replace'; path: '/usage'; value: Usage })[] }
    | { type: 'WorkspaceChanged'; percorsi: string[] }
    | { type: 'ApprovalRequested'; requestId: string; azione: ToolAction }
    | { type: 'ApprovalResolved'; requestId: string; approvato: boolean; interrotto?: true }
    | { type: 'UserQuestionRequested'; requestId: string; questions: Question[]; toolCallId?: string }
    | {
        type: 'UserQuestionResolved';
        requestId: string;
        status: 'answered' | 'skipped' | 'cancelled' | 'expired';
        answers?: Record<string, string | string[]>;
        notes?: Record<string, string>;
      }
    | { type: 'ComandoUtenteIniziato'; comandoId: string; comando: string }
    | { type: 'ComandoUtenteFinito'; comandoId: string; codice?: number; enforcement?: string; errore?: string }
    | { type: 'ArtifactCreated'; id: string; titolo: string }
    | { type: 'CUSTOM'; name: string; value: unknown }
  );

export interface ToolOutcome {
  /** The tool refused or failed. */
  fallito?: true;
  /** The turn ended before the call was done. */
  interrotto?: true;
  content: string;
  durataMs?: number;
  comando?: string;
  cwd?: string;
  stdout?: string;
  stderr?: string;
  exitCode?: number;
  /** What held the command to its reach. */
  enforcement?: string;
  immagini?: { id: string; mimeType: string }[];
}

/** A picture of a message, kept by its SHA-256. */
export interface ChatImage {
  id: string;
  nome: string;
  mimeType: string;
}

/** Value of `svc.plan`. */
export interface PlanValue {
  revision: number;
  status: 'proposed' | 'approved' | 'changes-requested' | 'cancelled';
  content: string;
  requestId: string;
  hash: string;
  toolCallId: string;
  decisione?: PlanDecision;
  feedback?: string;
  nuovaSessionId?: string;
}

/** One `data:` line; undefined when it is not an event. */
export function parseEvent(line: string): SessionEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEvent =
      typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
    return isEvent ? (value as SessionEvent) : undefined;
  } catch {
    // A torn line is no event; the next one carries its own sequence.
    return undefined;
  }
}
