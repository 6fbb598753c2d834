import { isAbsolute, join } from 'node:path';
import type { SessionUpdate, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import type { SessionEvent, StatePatch } from '@fucina/shared';
import { callSubject } from '../call-subject.ts';
import { toolVerb } from '../screen/cards/tool-words.ts';
import type { Say } from '../words/index.ts';
import type { ShownCalls } from './editor-terminals.ts';

/** What an editor shows of a turn, told as it happens. */
export interface Updates {
  /** What this event says to the editor, in order; often nothing. */
  of(event: SessionEvent): SessionUpdate[];
  /** The open call of that tool, for a card about it. */
  callOf(tool: string): string | undefined;
  /** Settles once `of` has told the call; false when the turn ends before. */
  known: ShownCalls['known'];
  /** From now on the editor shows the output of the call itself. */
  inTerminal(toolCallId: string, terminalId: string): SessionUpdate;
  /** After the last event. */
  end(): void;
}

interface OpenCall {
  tool: string;
  arguments: string;
  output: string;
  changes: ToolCallContent[];
  isInTerminal: boolean;
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  leggi: 'read',
  elenca: 'read',
  cerca: 'search',
  library_search: 'search',
  memory_search: 'search',
  web_search: 'search',
  scrivi: 'edit',
  file_edit: 'edit',
  document_create: 'edit',
  generate_image: 'edit',
  shell: 'execute',
  prova: 'execute',
  naviga: 'fetch',
  present_plan: 'think',
  todo_write: 'think',
};
const MAX_OUTPUT = 64 * 1024;
const TITLE_WIDTH = 200;
const FILE_PREFIX = '/file/';

export function createUpdates(folder: string, say: Say): Updates {
  const open = new Map<string, OpenCall>();
  const awaited = new Map<string, (isKnown: boolean) => void>();

  const started = (id: string, tool: string): SessionUpdate => {
    open.set(id, { tool, arguments: '', output: '', changes: [], isInTerminal: false });
    // After the editor was sent it.
    queueMicrotask(() => awaited.get(id)?.(true));
    const kind = kindOf(tool);
    return {
      sessionUpdate: 'tool_call',
      toolCallId: id,
      title: toolVerb(tool, false, say),
      name: tool,
      kind,
      status: 'pending',
    };
  };

  const argued = (id: string, delta: string): SessionUpdate[] => {
    const call = open.get(id);
    if (!call) return [];
    call.arguments += delta;
    const rawInput = call.arguments.trimEnd().endsWith('}') ? parse(call.arguments) : undefined;
    if (!rawInput) return [];
    const title = titleOf(call.tool, rawInput, say);
    const locations = locationsOf(rawInput, folder);
    return [{ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'in_progress', title, rawInput, locations }];
  };

  const printed = (id: string, delta: string): SessionUpdate[] => {
    const call = open.get(id);
    // It would take the place of the terminal.
    if (!call || call.isInTerminal) return [];
    call.output = (call.output + delta).slice(-MAX_OUTPUT);
    return [{ sessionUpdate: 'tool_call_update', toolCallId: id, content: [textContent(call.output)] }];
  };

  /** Told right before the result of the call that made them. */
  const changed = (patches: readonly StatePatch[]): void => {
    const call = [...open.values()].at(-1);
    for (const { path, value, prima } of patches) {
      if (!path.startsWith(FILE_PREFIX) || typeof value !== 'string') continue;
      const file = join(folder, path.slice(FILE_PREFIX.length));
      call?.changes.push({ type: 'diff', path: file, oldText: prima ?? null, newText: value });
    }
  };

  const ended = (event: Extract<SessionEvent, { type: 'ToolCallResult' }>): SessionUpdate => {
    const { toolCallId, content, fallito, exitCode } = event;
    const { changes = [], isInTerminal = false } = open.get(toolCallId) ?? {};
    open.delete(toolCallId);
    const isFailed = fallito === true || (exitCode !== undefined && exitCode !== 0);
    return {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: isFailed ? 'failed' : 'completed',
      // A terminal that was shown stays; it is released, and cannot be named again.
      ...(!isInTerminal && { content: changes.length > 0 ? changes : [textContent(content)] }),
    };
  };

  return {
    callOf: (tool) => [...open].findLast(([, call]) => call.tool === tool)?.[0],
    known: (id) => (open.has(id) ? Promise.resolve(true) : new Promise((resolve) => awaited.set(id, resolve))),
    inTerminal(id, terminalId) {
      const call = open.get(id);
      if (call) call.isInTerminal = true;
      return { sessionUpdate: 'tool_call_update', toolCallId: id, content: [{ type: 'terminal', terminalId }] };
    },
    end() {
      for (const settle of awaited.values()) settle(false);
    },
    of(event) {
      switch (event.type) {
        case 'TextMessageContent':
          return [chunk('agent_message_chunk', event.delta, event.messageId)];
        case 'ReasoningMessageContent':
          return [chunk('agent_thought_chunk', event.delta, event.messageId)];
        case 'ToolCallStart':
          return [started(event.toolCallId, event.toolCallName)];
        case 'ToolCallArgs':
          return argued(event.toolCallId, event.delta);
        case 'ToolCallOutput':
          return printed(event.toolCallId, event.delta);
        case 'StateDelta':
          changed(event.delta);
          return [];
        case 'ToolCallResult':
          return [ended(event)];
        case 'CUSTOM':
          return event.name === 'svc.todo' ? [todoPlan(event.value)] : [];
        default:
          return [];
      }
    },
  };
}

/** A conversation as it was, for an editor that opens it again: the person's words too. */
export function replayOf(events: readonly SessionEvent[], folder: string, say: Say): SessionUpdate[] {
  const updates = createUpdates(folder, say);
  return events.flatMap((event) => {
    const words = event.type === 'RunStarted' ? event.input?.consegna : undefined;
    const said = words === undefined ? [] : [chunk('user_message_chunk', words)];
    return [...said, ...updates.of(event)];
  });
}

/** What a call is about, for a card that asks for leave. */
export function contentOf(
  action: Readonly<Record<string, unknown>>,
  { folder, before }: { folder: string; before: string | null | undefined },
): ToolCallContent[] {
  const { percorso, contenuto, vecchio, nuovo, comando } = action;
  if (typeof comando === 'string') return [textContent(comando)];
  if (typeof percorso !== 'string') return [];
  const path = isAbsolute(percorso) ? percorso : join(folder, percorso);
  if (typeof contenuto === 'string') return [{ type: 'diff', path, oldText: before ?? null, newText: contenuto }];
  if (typeof vecchio !== 'string' || typeof nuovo !== 'string') return [];
  return [{ type: 'diff', path, oldText: vecchio, newText: nuovo }];
}

export function kindOf(tool: string): ToolKind {
  return KINDS[tool] ?? 'other';
}

export function titleOf(tool: string, input: Readonly<Record<string, unknown>>, say: Say): string {
  const subject = callSubject(input).replaceAll(/\s+/g, ' ').slice(0, TITLE_WIDTH);
  const verb = toolVerb(tool, false, say);
  return subject ? `${verb} ${subject}` : verb;
}

function locationsOf({ percorso }: Readonly<Record<string, unknown>>, folder: string): ToolCallLocation[] {
  if (typeof percorso !== 'string') return [];
  return [{ path: isAbsolute(percorso) ? percorso : join(folder, percorso) }];
}

function chunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  text: string,
  messageId?: string,
): SessionUpdate {
  return { sessionUpdate, content: { type: 'text', text }, ...(messageId !== undefined && { messageId }) };
}

function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

const TODO_STATES = { pending: 'pending', in_progress: 'in_progress', completed: 'completed' } as const;

function todoPlan(value: unknown): SessionUpdate {
  const { items = [] } = value as { items?: { content: string; status: keyof typeof TODO_STATES }[] };
  const entries = items.map(({ content, status }) => ({
    content,
    priority: 'medium' as const,
    status: TODO_STATES[status] ?? 'pending',
  }));
  return { sessionUpdate: 'plan', entries };
}

function parse(json: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return undefined; // more is to come
  }
}
