import type { FileOperation, ProviderRetry, SessionEvent } from '../wire/events.ts';
import type { Usage } from '../wire/records.ts';
import type { ApprovalItem, Conversation, FileChange, Item, ProseItem, ToolItem, TurnOutcome } from './conversation.ts';

/** Live output that is kept: what a person can look at, not the whole of it. */
const OUTPUT_TAIL = 64_000;

type Draft = { -readonly [Field in keyof Conversation]: Conversation[Field] } & {
  items: Item[];
  places: Map<string, number>;
  changes: FileChange[];
  /** Places whose item already belongs to this version and may be written. */
  own: Set<number>;
};

/**
 * The conversation after some more events. Pure to its callers: `before` stays as it was, and only the items that
 * the batch touched are new values, so that a view redraws nothing else. Unknown events and repeated sequences pass.
 */
export function fold(before: Conversation, batch: readonly SessionEvent[]): Conversation {
  const draft: Draft = {
    ...before,
    items: before.items.slice(),
    places: before.places.size > 0 ? (before.places as Map<string, number>) : new Map(),
    changes: before.changes as FileChange[],
    own: new Set(),
  };
  for (const event of batch) {
    if (event._sequenza !== undefined) {
      if (event._sequenza <= draft.lastSequence) continue;
      draft.lastSequence = event._sequenza;
    }
    take(draft, event);
  }
  const { own: _, ...after } = draft;
  return after;
}

function add(draft: Draft, item: Item): void {
  draft.places.set(`${item.kind}:${item.key}`, draft.items.length);
  draft.own.add(draft.items.length);
  draft.items.push(item);
}

function edit<Kind extends Item['kind']>(
  draft: Draft,
  kind: Kind,
  key: string,
): Extract<Item, { kind: Kind }> | undefined {
  const place = draft.places.get(`${kind}:${key}`);
  const item = place === undefined ? undefined : draft.items[place];
  if (place === undefined || item === undefined || item.kind !== kind) return undefined;
  if (!draft.own.has(place)) {
    draft.items[place] = { ...item };
    draft.own.add(place);
  }
  return draft.items[place] as Extract<Item, { kind: Kind }>;
}

function take(draft: Draft, event: SessionEvent): void {
  switch (event.type) {
    case 'RunStarted':
      startTurn(draft, event);
      break;
    case 'RunFinished':
      endTurn(draft, 'done', undefined);
      break;
    case 'RunError':
      endTurn(draft, outcomeOf(event.code), event);
      break;
    case 'RunRedirectApplied':
    case 'QueuedMessageDelivered':
      person(draft, event.testo);
      break;
    case 'TextMessageStart':
    case 'TextMessageContent':
    case 'TextMessageEnd':
      prose(draft, 'text', event);
      break;
    case 'ReasoningMessageStart':
    case 'ReasoningMessageContent':
    case 'ReasoningMessageEnd':
      prose(draft, 'reasoning', event);
      break;
    case 'ToolCallStart':
    case 'ToolCallArgs':
    case 'ToolCallOutput':
    case 'ToolCallResult':
      tool(draft, event);
      break;
    case 'StateDelta':
      for (const operation of event.delta) patch(draft, operation);
      break;
    case 'WorkspaceChanged':
      draft.filesVersion += 1;
      break;
    case 'ApprovalRequested':
      askApproval(draft, event);
      break;
    case 'ApprovalResolved':
      closeApproval(draft, event.requestId, event.approvato ? 'allowed' : 'denied');
      break;
    case 'CUSTOM':
      custom(draft, event.name, event.value);
      break;
    default:
      // Kinds that this window does not show.
      break;
  }
}

function person(draft: Draft, text: string): void {
  add(draft, { kind: 'person', key: String(draft.items.length), turn: draft.turn, text });
}

function startTurn(draft: Draft, event: Extract<SessionEvent, { type: 'RunStarted' }>): void {
  draft.turn += 1;
  draft.isRunning = true;
  draft.usage = undefined;
  draft.folder = event.contesto?.cartella ?? draft.folder;
  draft.branch = event.contesto?.branch ?? draft.branch;
  if (event.input?.consegna) person(draft, event.input.consegna);
}

function outcomeOf(code: string | undefined): TurnOutcome {
  if (code === 'fermato') return 'stopped';
  if (code === 'giri-esauriti') return 'exhausted';
  return code === 'SESSION_INTERRUPTED' ? 'interrupted' : 'failed';
}

function endTurn(
  draft: Draft,
  outcome: TurnOutcome,
  error: { message: string; code?: string; classe?: string } | undefined,
): void {
  draft.isRunning = false;
  draft.retry = undefined;
  for (const requestId of draft.waiting) closeApproval(draft, requestId, 'gone');
  let tools = 0;
  let request: string | undefined;
  for (let place = draft.items.length - 1; place >= 0 && draft.items[place]?.turn === draft.turn; place -= 1) {
    const item = draft.items[place];
    if (item?.kind === 'person') request = item.text;
    else if (item?.kind === 'tool') {
      tools += 1;
      const call = item.isOver ? undefined : edit(draft, 'tool', item.key);
      if (call) call.isOver = true;
    } else if ((item?.kind === 'text' || item?.kind === 'reasoning') && item.isOpen) {
      const open = edit(draft, item.kind, item.key);
      if (open) open.isOpen = false;
    }
  }
  const last = draft.items.at(-1);
  // After a restart a turn may be closed twice; it ended once.
  if (last?.kind === 'end' && last.turn === draft.turn) return;
  add(draft, {
    kind: 'end',
    key: String(draft.items.length),
    turn: draft.turn,
    outcome,
    message: error?.message,
    failureClass: error?.classe,
    code: error?.code,
    usage: draft.usage,
    tools,
    request,
  });
}

function prose(
  draft: Draft,
  kind: ProseItem['kind'],
  event: { type: string; messageId: string; delta?: string },
): void {
  let item = edit(draft, kind, event.messageId) as ProseItem | undefined;
  if (!item) {
    if (event.type.endsWith('End')) return;
    item = { kind, key: event.messageId, turn: draft.turn, text: '', isOpen: true };
    add(draft, item);
  }
  draft.retry = undefined;
  if (event.delta) item.text += event.delta;
  if (event.type.endsWith('End')) item.isOpen = false;
}

function newTool(draft: Draft, key: string, name: string): ToolItem {
  const item: ToolItem = {
    kind: 'tool',
    key,
    turn: draft.turn,
    name,
    args: '',
    startedAt: undefined,
    output: '',
    outcome: undefined,
    isOver: false,
    leave: undefined,
    changes: [],
  };
  add(draft, item);
  return item;
}

type ToolEvent = Extract<SessionEvent, { toolCallId: string }>;

function tool(draft: Draft, event: ToolEvent): void {
  const known = edit(draft, 'tool', event.toolCallId);
  if (event.type === 'ToolCallStart') {
    const item = known ?? newTool(draft, event.toolCallId, event.toolCallName);
    item.startedAt = event.avviatoA ?? item.startedAt;
    draft.retry = undefined;
    return;
  }
  // Output of a command that the person typed has no call of its own here.
  if (!known) return;
  if (event.type === 'ToolCallArgs') known.args += event.delta;
  else if (event.type === 'ToolCallOutput') known.output = (known.output + event.delta).slice(-OUTPUT_TAIL);
  else if (event.type === 'ToolCallResult') {
    const { type: _type, toolCallId: _id, _sequenza: _at, ...outcome } = event;
    known.outcome = outcome;
    known.isOver = true;
  }
}

function patch(draft: Draft, operation: FileOperation | { op: 'replace'; path: string; value?: unknown }): void {
  if (operation.path === '/usage') {
    const usage = operation.value as Usage;
    const before = draft.usage?.prompt_tokens ?? 0;
    // Totals of the turn: what the last request carried is their difference.
    if (usage.prompt_tokens > before) draft.contextTokens = usage.prompt_tokens - before;
    draft.usage = usage;
    return;
  }
  if (!operation.path.startsWith('/file/')) return;
  const path = operation.path.slice('/file/'.length).replaceAll('~1', '/').replaceAll('~0', '~');
  const prima = (operation as FileOperation).prima;
  const before = prima ?? (operation.op === 'add' ? null : '');
  const after = operation.op === 'remove' || typeof operation.value !== 'string' ? null : operation.value;
  const isUntold =
    operation.op === 'remove' ? prima === undefined : operation.value === null || operation.value === undefined;
  const change: FileChange = { path, before, after, turn: draft.turn, isUntold };
  draft.changes = [...draft.changes, change];
  draft.filesVersion += 1;
  const call = callOf(draft, path);
  if (call) call.changes = [...call.changes, change];
}

/** The call that wrote a file: the latest of this turn that names it, else the latest of this turn. */
function callOf(draft: Draft, path: string): ToolItem | undefined {
  let latest: string | undefined;
  for (let place = draft.items.length - 1; place >= 0 && draft.items[place]?.turn === draft.turn; place -= 1) {
    const item = draft.items[place];
    if (item?.kind !== 'tool') continue;
    latest ??= item.key;
    if (item.args.includes(path)) return edit(draft, 'tool', item.key);
  }
  return latest === undefined ? undefined : edit(draft, 'tool', latest);
}

function askApproval(draft: Draft, { requestId, azione }: Extract<SessionEvent, { type: 'ApprovalRequested' }>): void {
  let call: string | undefined;
  for (let place = draft.items.length - 1; place >= 0 && draft.items[place]?.turn === draft.turn; place -= 1) {
    const item = draft.items[place];
    if (item?.kind !== 'tool' || item.isOver || item.leave) continue;
    // Asked one at a time, in the order of the calls: the first that was not asked about yet has the name.
    if (item.name === azione.tipo) call = item.key;
  }
  const held = call === undefined ? undefined : edit(draft, 'tool', call);
  if (held) held.leave = 'waiting';
  add(draft, { kind: 'approval', key: requestId, turn: draft.turn, action: azione, state: 'waiting', call });
  draft.waiting = [...draft.waiting, requestId];
}

function closeApproval(draft: Draft, requestId: string, state: ApprovalItem['state']): void {
  draft.waiting = draft.waiting.filter((id) => id !== requestId);
  const item = edit(draft, 'approval', requestId);
  if (!item) return;
  item.state = state;
  const call = item.call === undefined ? undefined : edit(draft, 'tool', item.call);
  if (call) call.leave = state;
}

function custom(draft: Draft, name: string, value: unknown): void {
  const record = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (name === 'svc.fine-rigiocata') draft.isReplayed = true;
  else if (name === 'svc.provider-retry') {
    // Told only while it is live: an old wait is no news.
    const retry = record as unknown as ProviderRetry;
    draft.retry = draft.isReplayed && retry.fase === 'attesa' ? retry : undefined;
  } else if (name === 'svc.contesto-richiesta') {
    const categories = (record.ripartizione as { categorie?: { tokens?: number }[] } | undefined)?.categorie ?? [];
    const tokens = categories.reduce((sum, category) => sum + (category.tokens ?? 0), 0);
    if (tokens > 0) draft.contextTokens = tokens;
  } else if (name === 'svc.compattazione' && record.fase === 'fine' && record.compattato === true) {
    const count = (field: unknown) => (typeof field === 'number' ? field : undefined);
    const [before, after] = [count(record.tokenPrima), count(record.tokenDopo)];
    add(draft, { kind: 'compaction', key: String(draft.items.length), turn: draft.turn, before, after });
    draft.contextTokens = after ?? draft.contextTokens;
  }
}
