import type { FileOperation, SessionEvent } from '../wire/events.ts';
import type { Usage } from '../wire/records.ts';
import { add, type Draft, edit, ofThisTurn } from './draft.ts';
import type { FileChange, ToolItem } from './items.ts';

/** Live output that is kept: what a person can look at, not the whole of it. */
const OUTPUT_TAIL = 64_000;

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
    background: undefined,
  };
  add(draft, item);
  return item;
}

type ToolEvent = Extract<SessionEvent, { toolCallId: string; type: `ToolCall${string}` }>;

export function tool(draft: Draft, event: ToolEvent): void {
  const known = edit(draft, 'tool', event.toolCallId);
  if (event.type === 'ToolCallStart') {
    const item = known ?? newTool(draft, event.toolCallId, event.toolCallName);
    item.startedAt = event.avviatoA ?? item.startedAt;
    draft.retry = undefined;
  } else if (event.type === 'ToolCallOutput') {
    // What the person's own commands print has the command's id in the place of a call's.
    const printing = known ?? edit(draft, 'command', event.toolCallId);
    if (printing) printing.output = (printing.output + event.delta).slice(-OUTPUT_TAIL);
  } else if (event.type === 'ToolCallArgs') {
    if (known) known.args += event.delta;
  } else if (known && event.type === 'ToolCallResult') {
    const { type: _type, toolCallId: _id, _sequenza: _at, ...outcome } = event;
    known.outcome = outcome;
    known.isOver = true;
  }
}

type CommandEvent = Extract<SessionEvent, { comandoId: string }>;

export function ownCommand(draft: Draft, event: CommandEvent): void {
  if (event.type === 'ComandoUtenteIniziato') {
    add(draft, {
      kind: 'command',
      key: event.comandoId,
      turn: draft.turn,
      command: event.comando,
      output: '',
      isOver: false,
      exitCode: undefined,
      enforcement: undefined,
      error: undefined,
    });
    return;
  }
  const item = edit(draft, 'command', event.comandoId);
  if (!item) return;
  item.isOver = true;
  item.exitCode = event.codice;
  item.enforcement = event.enforcement;
  item.error = event.errore;
  draft.filesVersion += 1;
}

export function patch(draft: Draft, operation: FileOperation | { op: 'replace'; path: string; value?: unknown }): void {
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
  for (const item of ofThisTurn(draft)) {
    if (item.kind !== 'tool') continue;
    latest ??= item.key;
    if (item.args.includes(path)) return edit(draft, 'tool', item.key);
  }
  return latest === undefined ? undefined : edit(draft, 'tool', latest);
}
