import type { SessionEvent, StatePatch, UsageState } from '@fucina/shared';
import { startsAgent } from '../../one-shot/follow-turn.ts';
import { add, change, type Draft, find, ofThisTurn } from './draft.ts';
import type { Placed } from './fold.ts';
import type { FileChange, ToolItem } from './items.ts';

/** Of what a command prints: the end that is kept, in characters. */
const OUTPUT_TAIL = 32_000;
const FILE_PREFIX = '/file/';

type ToolEvent = Extract<SessionEvent, { type: `ToolCall${string}` }>;

export function tool(draft: Draft, event: ToolEvent, { at }: Placed): void {
  switch (event.type) {
    case 'ToolCallStart':
      return startCall(draft, event, at);
    case 'ToolCallArgs': {
      const call = find(draft, 'tool', event.toolCallId);
      return change(draft, call, { args: (call?.args ?? '') + event.delta });
    }
    case 'ToolCallOutput':
      return printed(draft, event.toolCallId, event.delta);
    case 'ToolCallResult':
      return change(draft, find(draft, 'tool', event.toolCallId), { outcome: outcomeOf(event), isOver: true });
  }
}

function startCall(draft: Draft, event: Extract<SessionEvent, { type: 'ToolCallStart' }>, at: number): void {
  const { toolCallId, toolCallName, avviatoA } = event;
  draft.retry = undefined;
  if (startsAgent(event)) draft.hasAgents = true;
  const known = find(draft, 'tool', toolCallId);
  // Told once when the model asks for it, and again when it begins.
  if (known) return change(draft, known, { startedAt: avviatoA ?? at });
  add(draft, {
    kind: 'tool',
    key: toolCallId,
    tool: toolCallName,
    args: '',
    startedAt: avviatoA ?? at,
    output: '',
    droppedLines: 0,
    isOver: false,
    changes: [],
  });
}

function outcomeOf(event: Extract<SessionEvent, { type: 'ToolCallResult' }>): NonNullable<ToolItem['outcome']> {
  return {
    content: event.content,
    durationMs: event.durataMs,
    isCommand: event.comando !== undefined,
    exitCode: event.exitCode,
    isFailed: event.fallito === true,
    ...(event.interrotto && { isInterrupted: true }),
  };
}

/** What the person's own commands print has the command's id in the place of a call's. */
function printed(draft: Draft, id: string, delta: string): void {
  const call = find(draft, 'tool', id);
  const own = find(draft, 'own', id);
  const before = call ?? own;
  if (!before) return;
  const after = tail(before.output + delta, before.droppedLines);
  change(draft, call, after);
  change(draft, own, after);
}

function tail(output: string, droppedLines: number): { output: string; droppedLines: number } {
  // Cut rarely, and then well below: not with every piece.
  if (output.length <= 2 * OUTPUT_TAIL) return { output, droppedLines };
  const from = output.indexOf('\n', output.length - OUTPUT_TAIL) + 1 || output.length - OUTPUT_TAIL;
  const dropped = output.slice(0, from).split('\n').length - 1;
  return { output: output.slice(from), droppedLines: droppedLines + dropped };
}

type CommandEvent = Extract<SessionEvent, { comandoId: string }>;

export function ownCommand(draft: Draft, event: CommandEvent, { at }: Placed): void {
  if (event.type === 'ComandoUtenteIniziato') {
    const { comandoId: key, comando: command } = event;
    return add(draft, { kind: 'own', key, command, startedAt: at, output: '', droppedLines: 0, isOver: false });
  }
  change(draft, find(draft, 'own', event.comandoId), {
    isOver: true,
    endedAt: at,
    ...(event.codice !== undefined && { exitCode: event.codice }),
    ...(event.errore !== undefined && { problem: event.errore }),
  });
}

export function fileChanges(draft: Draft, { delta }: Extract<SessionEvent, { type: 'StateDelta' }>): void {
  for (const patch of delta) {
    if (patch.path === '/usage') usage(draft, patch.value as UsageState);
    else if (patch.path.startsWith(FILE_PREFIX)) fileChange(draft, patch);
  }
}

function usage(draft: Draft, { prompt_tokens: prompt, completion_tokens: completion }: UsageState): void {
  // Totals of the turn: what the last call carried is their difference.
  if (prompt > draft.promptTokens) draft.contextTokens = prompt - draft.promptTokens;
  draft.promptTokens = prompt;
  draft.turnTokens = prompt + completion;
}

function fileChange(draft: Draft, { op, path: pointer, value, prima }: StatePatch): void {
  const path = pointer.slice(FILE_PREFIX.length).replaceAll('~1', '/').replaceAll('~0', '~');
  const after = op !== 'remove' && typeof value === 'string' ? value : null;
  const before = prima ?? (op === 'add' ? null : '');
  const isUntold = op === 'remove' ? prima === undefined : after === null;
  draft.changedFiles.add(path);
  const call = callOf(draft, path);
  if (!call) return;
  const made: FileChange = { path, before, after, isUntold };
  change(draft, call, { changes: [...call.changes, made] });
}

/** The call that wrote a file: the latest of this turn that names it, else the latest of this turn. */
function callOf(draft: Draft, path: string): ToolItem | undefined {
  let latest: ToolItem | undefined;
  for (const item of ofThisTurn(draft)) {
    if (item.kind !== 'tool') continue;
    if (item.args.includes(path)) return item;
    latest ??= item;
  }
  return latest;
}
