/** Events that are the same in English and on the wire. */
export type PlainEvent =
  | { type: 'RunFinished'; threadId: string; runId: string; outcome?: unknown; result?: unknown }
  | { type: 'RunRedirectCancelled'; redirectId: string }
  | { type: 'RunRedirectFailed'; redirectId: string; message: string; code?: string }
  | { type: 'TextMessageStart'; messageId: string; role: 'assistant' }
  | { type: 'TextMessageContent'; messageId: string; delta: string }
  | { type: 'TextMessageEnd'; messageId: string }
  | { type: 'ReasoningMessageStart'; messageId: string; role: 'reasoning' }
  | { type: 'ReasoningMessageContent'; messageId: string; delta: string }
  | { type: 'ReasoningMessageEnd'; messageId: string }
  | { type: 'ToolCallArgs'; toolCallId: string; delta: string }
  | { type: 'ToolCallOutput'; toolCallId: string; delta: string }
  | { type: 'CUSTOM'; name: string; value: unknown; timestamp?: number };

/** Session events in English (spec: behaviour, section 1), as `readStored` and `parseEvent` return them. */
export type SessionEvent =
  | PlainEvent
  | RunStarted
  | {
      type: 'RunError';
      message: string;
      code?: string;
      errorClass?: string;
      /** Beyond the interface: how long the provider asked to wait, in ms. */
      retryAfterMs?: number;
      /** Beyond the interface: the provider's own message, in one line, redacted, at most 2,000 characters. */
      providerMessage?: string;
    }
  | { type: 'RunRedirectRequested'; redirectId: string; text: string }
  | {
      type: 'RunRedirectApplied';
      redirectId: string;
      text: string;
      images?: ChatImageReference[];
      /** Beyond the interface: as in RunStarted. */
      modelText?: string;
    }
  | {
      type: 'ToolCallStart';
      toolCallId: string;
      toolCallName: string;
      parentMessageId?: string;
      /** Epoch milliseconds. */
      startedAtMs?: number;
    }
  | ToolCallResult
  | {
      type: 'StateDelta';
      delta: StatePatch[];
      /** Beyond the interface: sequence of the RunStarted of the turn that changed these files, and how many more it changed. */
      turn?: number;
      more?: number;
      /** Beyond the interface: present, and true, when not all files of the folder are watched: changes may be missing. */
      isPartial?: true;
      /** Beyond the interface: files that changed meanwhile, perhaps by someone else. */
      contested?: string[];
    }
  | { type: 'ArtifactCreated'; messageId: string; id: string; title: string }
  | { type: 'WorkspaceChanged'; paths: string[] }
  | { type: 'ApprovalRequested'; requestId: string; action: Record<string, unknown> }
  | {
      type: 'ApprovalResolved';
      requestId: string;
      isApproved: boolean;
      /** Beyond the interface: present, and true, when the turn ended or was redirected before anyone answered. */
      isInterrupted?: true;
      /** Beyond the interface: what was allowed for the rest of the session. */
      scope?: 'folder' | 'path';
    }
  | UserQuestionRequested
  | UserQuestionResolved
  | {
      type: 'QueuedMessageDelivered';
      text: string;
      /** Beyond the interface: images of the message, its bubble, its id in the queue. */
      images?: ChatImageReference[];
      bubble?: Record<string, unknown>;
      queueId?: string;
      modelText?: string;
    }
  | { type: 'HookInvoked'; hookId: string; kind: string; action: Record<string, unknown> | null; outcome: unknown }
  | { type: 'UserCommandStarted'; commandId: string; command: string }
  | { type: 'UserCommandFinished'; commandId: string; code?: number; enforcement?: string; error?: string };

export interface RunStarted {
  type: 'RunStarted';
  threadId: string;
  runId: string;
  input?: {
    message: string;
    /** True on every turn but the first. */
    isFollowUp?: boolean;
    images?: ChatImageReference[];
    bubble?: Record<string, unknown>;
    queueId?: string;
    /** Beyond the interface: the slash command that the server answered itself; the model never sees such a turn. */
    command?: string;
    /**
     * Beyond the interface: the text that the model gets where it differs from the user's text (a custom command,
     * expanded).
     */
    modelText?: string;
  };
  context?: { project: string; folder: string; branch: string | null };
}

export interface ToolCallResult {
  type: 'ToolCallResult';
  messageId: string;
  toolCallId: string;
  content: string;
  role: 'tool';
  durationMs?: number;
  command?: string;
  cwd?: string;
  /** Only when not empty. */
  stdout?: string;
  stderr?: string;
  /** Only when a number. */
  exitCode?: number;
  /** Beyond the interface: present, and true, when the tool refused or failed. */
  isFailed?: true;
  /** Beyond the interface: present, and true, when the turn was stopped or redirected before the call ended. */
  isInterrupted?: true;
  /** Beyond the interface: how a command was sandboxed (`CommandOutcome.enforcement`). */
  enforcement?: string;
  /** Beyond the interface: addresses that the tool found and that may be read without asking (`ToolResult.addresses`). */
  addresses?: string[];
  /** Beyond the interface: files that the call read or wrote, so that a later change detects one from outside. */
  versions?: { path: string; sha256: string }[];
  /** Beyond the interface: images, audio and PDF shown to the model, as references to what is stored. */
  images?: (ImageReference | MediaReference)[];
}

/** An image stored by its SHA-256 (64 hex digits), as the image upload returns it. */
export interface ImageReference {
  id: string;
  mimeType: string;
}

/** Audio or a PDF of a tool, stored as an image is. */
export interface MediaReference extends ImageReference {
  name: string;
  bytes: number;
}

/** An image of the user's message, as the image upload returned it. */
export interface ChatImageReference extends ImageReference {
  kind: 'image';
  name: string;
  bytes: number;
  url: string;
}

/**
 * RFC 6902 operation with extra fields for a file write: `before` is the text before, `attachment` describes a generated
 * document.
 */
export interface StatePatch {
  op: 'add' | 'replace' | 'remove';
  path: string;
  value?: unknown;
  before?: string;
  attachment?: { name: string; format: string; bytes: number };
  /**
   * Beyond the interface: SHA-256 of content that the texts cannot represent (bytes, long files), and changed
   * permissions.
   */
  beforeBlob?: string;
  afterBlob?: string;
  beforeMode?: number;
  afterMode?: number;
}

export interface UserQuestionRequested {
  type: 'UserQuestionRequested';
  requestId: string;
  questions: unknown[];
  at?: string;
  toolCallId?: string;
  origin?: 'mode' | 'agent';
  canBeRestored?: boolean;
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
  from?: 'user' | 'system';
  reason?: string;
}

/** Cumulative tokens of a turn, the value of the StateDelta on `/usage`; do not add them up. */
export interface UsageState {
  prompt_tokens: number;
  completion_tokens: number;
  /** null when no call of the turn reported it. */
  cached_tokens: number | null;
  steps: number;
}

/** An event as a reader gets it: over the wire, or from the journal with the time when it was stored. */
export type StreamEvent = SessionEvent & {
  /** Its number in the session; absent on events of the stream itself. */
  sequence?: number;
  /** Epoch ms. Never on the wire: known only when the journal is read in process. */
  storedAt?: number;
};

/** A tool call as the approval card shows it. */
export interface ToolAction {
  kind: string;
  path?: string;
  command?: string;
  content?: string;
  oldText?: string;
  newText?: string;
  reason?: string;
  /** Beyond the interface, of a command: what an answer for the session allows; empty for this very line only. */
  prefixes?: readonly string[];
  [fact: string]: unknown;
}

/** A question of the agent; the recommended option comes first. */
export interface Question {
  id: string;
  header?: string;
  question: string;
  why: string;
  options?: { label: string; description?: string; recommended?: boolean; preview?: string }[];
  multiSelect?: boolean;
}

/** Value of the event `svc.plan`: each one contains the whole plan. */
export interface PlanValue {
  requestId: string;
  revision: number;
  status: 'proposed' | 'approved' | 'changes-requested' | 'cancelled';
  /** Markdown. */
  content: string;
  hash: string;
  toolCallId?: string;
  decision?: string;
  feedback?: string;
  newSessionId?: string;
}

/** An event as stored: its number, its time (epoch ms) and its exact text. */
export interface StoredEvent {
  seq: number;
  at: number;
  json: string;
}

/** End of the stored events: what follows is live. Sent by the server, and produced by readers in process. */
export const REPLAY_END = { type: 'CUSTOM', name: 'svc.replay-end', value: null } as const satisfies StreamEvent;

/** The tool whose calls start a sub-agent. */
export const AGENT_TOOL = 'delega_sottotask';

/** From this event on, sub-agents of this session may send requests. */
export function startsAgent(event: SessionEvent): boolean {
  return event.type === 'ToolCallStart' && event.toolCallName === AGENT_TOOL;
}
