import type { ImageReference, PlainEvent } from '@fucina/conversation';

export type { ImageReference } from '@fucina/conversation';

/**
 * Session events, byte for byte as the wire has them (spec: behaviour, section 1): stored, replayed and sent without
 * translation. Every stored event also carries `_sequenza`, its number in the session, from 1, rising by 1.
 */
export type SessionEvent =
  | PlainEvent
  | RunStarted
  | {
      type: 'RunError';
      message: string;
      code?: string;
      classe?: string;
      /** Beyond the interface: how long the provider asked to wait, in ms. */
      riprovaTraMs?: number;
      /** Beyond the interface: the provider's own message, in one line, redacted, at most 2,000 characters. */
      messaggioFornitore?: string;
    }
  | { type: 'RunRedirectRequested'; redirectId: string; testo: string }
  | {
      type: 'RunRedirectApplied';
      redirectId: string;
      testo: string;
      immagini?: ChatImageReference[];
      /** Beyond the interface: as in RunStarted. */
      testoModello?: string;
    }
  | {
      type: 'ToolCallStart';
      toolCallId: string;
      toolCallName: string;
      parentMessageId?: string;
      /** Epoch milliseconds. */
      avviatoA?: number;
    }
  | ToolCallResult
  | {
      type: 'StateDelta';
      delta: StatePatch[];
      /** Beyond the interface: sequence of the RunStarted of the turn that changed these files, and how many more it changed. */
      giro?: number;
      altri?: number;
      /** Beyond the interface: present, and true, when not all files of the folder are watched: changes may be missing. */
      parziale?: true;
      /** Beyond the interface: files that changed meanwhile, perhaps by someone else. */
      contesi?: string[];
    }
  | { type: 'ArtifactCreated'; messageId: string; id: string; titolo: string }
  | { type: 'WorkspaceChanged'; percorsi: string[] }
  | { type: 'ApprovalRequested'; requestId: string; azione: Record<string, unknown> }
  | {
      type: 'ApprovalResolved';
      requestId: string;
      approvato: boolean;
      /** Beyond the interface: present, and true, when the turn ended or was redirected before anyone answered. */
      interrotto?: true;
      /** Beyond the interface: what was allowed for the rest of the session. */
      ambito?: 'cartella' | 'percorso';
    }
  | UserQuestionRequested
  | UserQuestionResolved
  | {
      type: 'QueuedMessageDelivered';
      testo: string;
      /** Beyond the interface: images of the message, its bubble, its id in the queue. */
      immagini?: ChatImageReference[];
      bolla?: Record<string, unknown>;
      codaId?: string;
      testoModello?: string;
    }
  | { type: 'HookInvoked'; hookId: string; tipo: string; azione: Record<string, unknown> | null; esito: unknown }
  | { type: 'ComandoUtenteIniziato'; comandoId: string; comando: string }
  | { type: 'ComandoUtenteFinito'; comandoId: string; codice?: number; enforcement?: string; errore?: string };

/** An event with its number in the session, as an export has it. */
export type NumberedEvent = SessionEvent & { _sequenza?: number };

export interface RunStarted {
  type: 'RunStarted';
  threadId: string;
  runId: string;
  input?: {
    consegna: string;
    /** True on every turn but the first. */
    seguito?: boolean;
    immagini?: ChatImageReference[];
    bolla?: Record<string, unknown>;
    codaId?: string;
    /** Beyond the interface: the slash command that the server answered itself; the model never sees such a turn. */
    comando?: string;
    /**
     * Beyond the interface: the text that the model gets where it differs from the user's text (a custom command,
     * expanded).
     */
    testoModello?: string;
  };
  contesto?: { progetto: string; cartella: string; branch: string | null };
}

export interface ToolCallResult {
  type: 'ToolCallResult';
  messageId: string;
  toolCallId: string;
  content: string;
  role: 'tool';
  durataMs?: number;
  comando?: string;
  cwd?: string;
  /** Only when not empty. */
  stdout?: string;
  stderr?: string;
  /** Only when a number. */
  exitCode?: number;
  /** Beyond the interface: present, and true, when the tool refused or failed. */
  fallito?: true;
  /** Beyond the interface: present, and true, when the turn was stopped or redirected before the call ended. */
  interrotto?: true;
  /** Beyond the interface: how a command was sandboxed (`CommandOutcome.enforcement`). */
  enforcement?: string;
  /** Beyond the interface: addresses that the tool found and that may be read without asking (`ToolResult.addresses`). */
  indirizzi?: string[];
  /** Beyond the interface: files that the call read or wrote, so that a later change detects one from outside. */
  versioni?: { percorso: string; sha256: string }[];
  /** Beyond the interface: images, audio and PDF shown to the model, as references to what is stored. */
  immagini?: (ImageReference | MediaReference)[];
}

/** Audio or a PDF of a tool, stored as an image is. */
export interface MediaReference extends ImageReference {
  nome: string;
  byte: number;
}

/** An image of the user's message, as the image upload returned it. */
export interface ChatImageReference extends ImageReference {
  tipo: 'immagine';
  nome: string;
  byte: number;
  url: string;
}

/**
 * RFC 6902 operation with extra fields for a file write: `prima` is the text before, `allegato` describes a generated
 * document.
 */
export interface StatePatch {
  op: 'add' | 'replace' | 'remove';
  path: string;
  value?: unknown;
  prima?: string;
  allegato?: { nome: string; formato: string; byte: number };
  /**
   * Beyond the interface: SHA-256 of content that the texts cannot represent (bytes, long files), and changed
   * permissions.
   */
  primaBlob?: string;
  dopoBlob?: string;
  primaModo?: number;
  dopoModo?: number;
}

export interface UserQuestionRequested {
  type: 'UserQuestionRequested';
  requestId: string;
  questions: unknown[];
  at?: string;
  toolCallId?: string;
  origine?: 'mode' | 'agent';
  ripristinabile?: boolean;
}

export interface UserQuestionResolved {
  type: 'UserQuestionResolved';
  requestId: string;
  status: 'answered' | 'skipped' | 'cancelled' | 'expired';
  answers?: Record<string, string | string[]>;
  /** Beyond the interface: skipped questions, and notes by question id. */
  skipped?: string[];
  notes?: Record<string, string>;
  at?: string;
  da?: 'persona' | 'sistema';
  motivo?: string;
}

/** Cumulative tokens of a turn, the value of the StateDelta on `/usage`; do not add them up. */
export interface UsageState {
  prompt_tokens: number;
  completion_tokens: number;
  /** null when no call of the turn reported it. */
  cached_tokens: number | null;
  giri: number;
}

/** An event as stored: its number, its time (epoch ms) and its exact text. */
export interface StoredEvent {
  seq: number;
  at: number;
  json: string;
}
