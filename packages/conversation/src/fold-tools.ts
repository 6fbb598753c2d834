import { callGroups, PARALLEL_TOOLS } from './call-order.ts';
import { add, addChange, type Draft, edit, ofThisTurn } from './draft.ts';
import { type StatePatch, type StreamEvent, startsAgent, type UsageState } from './events.ts';
import type { FileChange, Printed, ToolItem, ToolOutcome } from './items.ts';

/** How much of the end of a command's output is stored, in characters. */
const OUTPUT_TAIL = 64_000;
const FILE_PREFIX = '/file/';

type ToolEvent = Extract<StreamEvent, { type: `ToolCall${string}` }>;

export function tool(draft: Draft, event: ToolEvent): void {
  switch (event.type) {
    case 'ToolCallStart':
      return startCall(draft, event);
    case 'ToolCallArgs': {
      const call = edit(draft, 'tool', event.toolCallId);
      if (call) call.args += event.delta;
      return;
    }
    case 'ToolCallOutput':
      return printOf(draft, event);
    case 'ToolCallResult':
      return endCall(draft, event);
  }
}

/** Output of the user's own commands carries the command's id instead of a call's. */
function printOf(
  draft: Draft,
  { toolCallId, delta, storedAt }: Extract<StreamEvent, { type: 'ToolCallOutput' }>,
): void {
  const call = edit(draft, 'tool', toolCallId);
  begin(call, storedAt);
  print(call ?? edit(draft, 'command', toolCallId), delta);
}

/** A call that waited for others begins. Where events have no times, `at` is an estimate. */
export function begin(call: ToolItem | undefined, at: number | undefined): void {
  if (!call?.isQueued) return;
  call.isQueued = false;
  if (at !== undefined) call.startedAt = Math.max(at, call.startedAt ?? at);
}

function endCall(draft: Draft, event: Extract<ToolEvent, { type: 'ToolCallResult' }>): void {
  const call = edit(draft, 'tool', event.toolCallId);
  if (!call) return;
  const { startedAt } = call;
  Object.assign(call, { outcome: outcomeOf(event), isOver: true, isQueued: false });
  const endedAt = event.storedAt ?? (startedAt === undefined ? undefined : startedAt + (event.durationMs ?? 0));
  const [current = []] = openGroups(draft, call.answer);
  for (const { key, isQueued } of current) if (isQueued) begin(edit(draft, 'tool', key), endedAt);
}

/** The groups of an answer that are not over, in the order in which they run. */
function openGroups(draft: Draft, answer: string | undefined): ToolItem[][] {
  if (answer === undefined) return [];
  const calls: ToolItem[] = [];
  for (const item of ofThisTurn(draft)) {
    if (item.kind !== 'tool') continue;
    if (item.answer !== answer) break;
    calls.unshift(item);
  }
  return callGroups(calls).filter((group) => group.some(({ isOver }) => !isOver));
}

function startCall(draft: Draft, event: Extract<ToolEvent, { type: 'ToolCallStart' }>): void {
  const { toolCallId: key, toolCallName: name, parentMessageId: answer, startedAtMs, storedAt } = event;
  draft.retry = undefined;
  if (startsAgent(event)) draft.hasAgents = true;
  // Sent once when the model requests the call, and again when it starts.
  const known = edit(draft, 'tool', key);
  if (known) {
    Object.assign(known, { startedAt: startedAtMs ?? storedAt ?? known.startedAt, isQueued: false });
    return;
  }
  const call = newTool({ key, name, turn: draft.turn, startedAt: startedAtMs ?? storedAt, answer });
  add(draft, call);
  const [current] = openGroups(draft, answer);
  call.isQueued = current !== undefined && !current.includes(call);
}

function newTool(facts: Pick<ToolItem, 'key' | 'name' | 'turn' | 'startedAt' | 'answer'>): ToolItem {
  return {
    kind: 'tool',
    ...facts,
    args: '',
    output: '',
    droppedLines: 0,
    isQueued: false,
    outcome: undefined,
    isOver: false,
    approval: undefined,
    changes: [],
    background: undefined,
    hasCard: false,
  };
}

function outcomeOf(event: Extract<ToolEvent, { type: 'ToolCallResult' }>): ToolOutcome {
  const { content, cwd, stdout, stderr, exitCode, enforcement, images = [] } = event;
  return {
    content,
    durationMs: event.durationMs,
    command: event.command,
    cwd,
    stdout,
    stderr,
    exitCode,
    isFailed: event.isFailed === true,
    isInterrupted: event.isInterrupted === true,
    enforcement,
    images: images.flatMap((shown) => ('name' in shown ? [] : [{ id: shown.id, name: undefined }])),
    media: images.flatMap((shown) =>
      'name' in shown ? [{ id: shown.id, name: shown.name, mimeType: shown.mimeType, sizeBytes: shown.bytes }] : [],
    ),
  };
}

function print(item: Printed | undefined, delta: string): void {
  if (!item) return;
  const output = item.output + delta;
  const cut = Math.max(0, output.length - OUTPUT_TAIL);
  for (let at = output.indexOf('\n'); at >= 0 && at < cut; at = output.indexOf('\n', at + 1)) item.droppedLines += 1;
  item.output = output.slice(cut);
}

type CommandEvent = Extract<StreamEvent, { commandId: string }>;

export function ownCommand(draft: Draft, event: CommandEvent): void {
  const { commandId: key, storedAt } = event;
  if (event.type === 'UserCommandStarted') {
    return add(draft, {
      kind: 'command',
      key,
      turn: draft.turn,
      command: event.command,
      startedAt: storedAt,
      endedAt: undefined,
      output: '',
      droppedLines: 0,
      isOver: false,
      exitCode: undefined,
      enforcement: undefined,
      error: undefined,
    });
  }
  const item = edit(draft, 'command', key);
  if (!item) return;
  const { code: exitCode, enforcement, error } = event;
  Object.assign(item, { isOver: true, endedAt: storedAt, exitCode, enforcement, error });
  draft.filesVersion += 1;
}

export function patch(draft: Draft, operation: StatePatch): void {
  if (operation.path === '/usage') usage(draft, operation.value as UsageState);
  else if (operation.path.startsWith(FILE_PREFIX)) fileChange(draft, operation);
}

function usage(draft: Draft, value: UsageState): void {
  const before = draft.usage?.prompt_tokens ?? 0;
  // Totals of the turn: the last request is the difference between two of them.
  if (value.prompt_tokens > before) draft.contextTokens = value.prompt_tokens - before;
  draft.usage = value;
}

function fileChange(draft: Draft, { op, path: pointer, value, before: known }: StatePatch): void {
  const path = pointer.slice(FILE_PREFIX.length).replaceAll('~1', '/').replaceAll('~0', '~');
  const before = known ?? (op === 'add' ? null : '');
  const after = op !== 'remove' && typeof value === 'string' ? value : null;
  const isTooLarge = op === 'remove' ? known === undefined : value === null || value === undefined;
  const change: FileChange = { path, before, after, turn: draft.turn, isTooLarge };
  addChange(draft, change);
  draft.filesVersion += 1;
  const call = callOf(draft, path);
  if (call) call.changes = [...call.changes, change];
}

/**
 * The call that wrote a file: the latest call of this turn that names it, else the latest. A call that only reads counts
 * if there is no other: what a command changed is stored a moment after the next call began.
 */
function callOf(draft: Draft, path: string): ToolItem | undefined {
  let latest: string | undefined;
  let latestRead: string | undefined;
  for (const item of ofThisTurn(draft)) {
    if (item.kind !== 'tool') continue;
    if (onlyReads(item)) {
      latestRead ??= item.key;
      continue;
    }
    latest ??= item.key;
    if (item.args.includes(path)) return edit(draft, 'tool', item.key);
  }
  const key = latest ?? latestRead;
  return key === undefined ? undefined : edit(draft, 'tool', key);
}

/** Also a call that asks the user. A sub-agent can write. */
const onlyReads = ({ name, hasCard }: ToolItem): boolean =>
  hasCard || (PARALLEL_TOOLS.has(name) && name !== 'delega_sottotask');
