import type { ContextPart, Retry, TodoEntry } from './conversation.ts';
import { add, type Draft, edit, nextKey } from './draft.ts';
import type { PlanValue } from './events.ts';
import { elicitation, plan } from './fold-cards.ts';
import type { Background, Cost } from './items.ts';
import { numberIn as count, type Fields, isRecord, textIn as text } from './read-fields.ts';

const lengthOf = (field: unknown) => (Array.isArray(field) ? field.length : 0);
const list = (field: unknown): Fields[] => (Array.isArray(field) ? field.filter(isRecord) : []);

/** Handlers of CUSTOM events by name; other names are ignored. */
const CUSTOM: Record<string, (draft: Draft, value: Fields) => void> = {
  'svc.replay-end': (draft) => {
    draft.isReplayed = true;
  },
  'svc.queue': (draft, { entries, isPaused }) => {
    const messages = list(entries).map(({ id, text: written, images }) => ({
      id: text(id) ?? '',
      text: text(written) ?? '',
      images: count(images) ?? 0,
    }));
    draft.queue = { messages, isPaused: isPaused === true };
  },
  'svc.provider-retry': retry,
  'svc.provider-fallback': fallback,
  'svc.request-context': (draft, { model, breakdown }) => {
    const parts = list(isRecord(breakdown) ? breakdown.categories : []);
    setContext(
      draft,
      parts.map(({ id, tokens }) => ({ id: text(id) ?? '', tokens: count(tokens) ?? 0 })),
      text(model),
    );
  },
  'svc.usage-receipt': (draft, { declaredCost }) => {
    const price = count(declaredCost);
    draft.cost = withCall(draft.cost, price);
    draft.totalCost = withCall(draft.totalCost, price);
  },
  'svc.plan': (draft, value) => plan(draft, value as unknown as PlanValue),
  'svc.todo': (draft, { items }) => {
    draft.todo = list(items).map(todoEntry);
  },
  'svc.workflow-outcome': (draft, { runId, title, status }) => {
    const run = { runId: text(runId) ?? '', title: text(title) ?? '', status: text(status) ?? '' };
    add(draft, { kind: 'workflow', key: nextKey(draft), turn: draft.turn, ...run });
  },
  'svc.mcp-elicitation': elicitation,
  'svc.background-process': background,
  'svc.compaction': compaction,
  'svc.message-removed': removed,
  'svc.undo': undo,
  'svc.session-settings': (draft, { mode, reason }) => {
    // The plan event itself reports its approval.
    if (reason === 'plan-approved' || mode === undefined) return;
    const isPlanning = mode === 'plan';
    add(draft, { kind: 'mode', key: nextKey(draft), turn: draft.turn, isPlanning });
  },
};

/** Shown only while it is current. */
function retry(draft: Draft, { phase, attempt, maxAttempts, waitMs, retryAt, httpStatus }: Fields): void {
  const isWaiting = phase === 'waiting';
  if (!draft.isReplayed || phase === 'end') draft.retry = undefined;
  else
    draft.retry = {
      phase: isWaiting ? 'waiting' : 'sending',
      cause: retryCause(httpStatus),
      attempt: count(attempt) ?? 2,
      maxAttempts: count(maxAttempts) ?? 2,
      waitMs: count(waitMs) ?? 0,
      at: isWaiting ? (count(retryAt) ?? null) : null,
    };
}

/** `httpStatus`: of `svc.provider-retry`. */
export function retryCause(httpStatus: unknown): Retry['cause'] {
  if (httpStatus === 429 || httpStatus === 529) return 'busy';
  return httpStatus === 408 ? 'late' : 'failed';
}

function todoEntry({ content, status }: Fields): TodoEntry {
  return {
    content: text(content) ?? '',
    status: status === 'completed' || status === 'in_progress' ? status : 'pending',
  };
}

function setContext(draft: Draft, parts: readonly ContextPart[], model: string | undefined): void {
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  if (total === 0) return;
  draft.context = { model: model ?? '', parts };
  draft.contextTokens = total;
}

/** Compaction changes only the size of the conversation. */
function setConversation(draft: Draft, tokens: number | undefined): void {
  if (tokens === undefined) return;
  const { parts = [], model } = draft.context ?? {};
  setContext(draft, [...parts.filter(({ id }) => id !== 'conversation'), { id: 'conversation', tokens }], model);
}

function withCall({ usd, declared, calls }: Cost, price: number | undefined): Cost {
  return { usd: usd + (price ?? 0), declared: declared + (price === undefined ? 0 : 1), calls: calls + 1 };
}

export function custom(draft: Draft, name: string, value: unknown): void {
  if (Object.hasOwn(CUSTOM, name)) CUSTOM[name]?.(draft, isRecord(value) ? value : {});
}

function fallback(draft: Draft, { from, to, cause }: Fields): void {
  const name = (end: unknown) => {
    const { provider, model } = isRecord(end) ? end : {};
    return [text(provider), text(model)].filter(Boolean).join(':');
  };
  draft.retry = undefined;
  const key = nextKey(draft);
  add(draft, { kind: 'fallback', key, turn: draft.turn, from: name(from), to: name(to), cause: text(cause) });
}

function background(draft: Draft, { toolCallId, phase, from, code }: Fields): void {
  const call = edit(draft, 'tool', text(toolCallId) ?? '');
  if (!call) return;
  const by = (text(from) as Background['by']) ?? call.background?.by;
  call.background = { isRunning: phase === 'start', by, exitCode: count(code) ?? null };
}

function compaction(draft: Draft, { phase, at, isCompacted, tokensBefore, tokensAfter, canUndo }: Fields): void {
  const key = text(at) ?? nextKey(draft);
  let item = edit(draft, 'compaction', key);
  if (!item) {
    item = {
      kind: 'compaction',
      key,
      turn: draft.turn,
      state: 'running',
      before: undefined,
      after: undefined,
      isUndoable: false,
    };
    add(draft, item);
  }
  item.before = count(tokensBefore) ?? item.before;
  item.after = count(tokensAfter) ?? item.after;
  if (phase === 'cancelled') item.state = 'undone';
  else if (phase === 'end') item.state = isCompacted === true ? 'done' : 'failed';
  item.isUndoable = item.state === 'done' && canUndo === true;
  if (item.state === 'done') setConversation(draft, item.after);
  else if (item.state === 'undone') setConversation(draft, item.before);
}

/** Files and conversation are undone and redone independently. */
function undo(draft: Draft, { phase, kind, turn: start, files, skipped, chat }: Fields): void {
  if (phase !== 'end') return;
  const isUndo = kind === 'undo';
  const done = lengthOf(files);
  add(draft, {
    kind: 'undo',
    key: nextKey(draft),
    turn: draft.turn,
    isUndo,
    files: done,
    skipped: lengthOf(skipped),
  });
  const end = draft.items.findLast((item) => item.kind === 'end' && item.start === start);
  const item = end && edit(draft, 'end', end.key);
  if (!item) return;
  item.undone = {
    files: done > 0 ? isUndo : item.undone.files,
    chat: chat === true ? isUndo : item.undone.chat,
  };
  const others = draft.hiddenTurns.filter((turn) => turn !== item.turn);
  draft.hiddenTurns = item.undone.chat ? [...others, item.turn] : others;
}

function removed(draft: Draft, fields: Fields): void {
  const reference = text(fields.reference) ?? '';
  const place = draft.items.findIndex((item) => item.kind === 'user' && item.reference === reference);
  const userItem = draft.items[place];
  const item = userItem?.kind === 'user' ? edit(draft, 'user', userItem.key) : edit(draft, 'text', reference);
  if (item) item.isRemoved = true;
}
