import { isAbsolute, join } from 'node:path';
import type { SessionUpdate, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import {
  type Conversation,
  callSubject,
  EMPTY,
  type FileChange,
  findItem,
  fold,
  openCalls,
  readArguments,
  type StreamEvent,
  type TodoEntry,
  type ToolCallResult,
  type ToolItem,
  toolFacts,
  type ToolKind as WorkKind,
} from '@fucina/conversation';
import { cleanText } from '../clean-text.ts';
import { toolVerb } from '../screen/cards/tool-words.ts';
import type { Say } from '../words/index.ts';
import type { ShownCalls } from './editor-terminals.ts';

/** Live updates of a turn for an editor. */
export interface Updates {
  /** The updates of this event, in order; often none. */
  of(event: StreamEvent): SessionUpdate[];
  /** The turn so far, as folded by `of`. */
  conversation(): Conversation;
  /** The open call of that tool, for its card. */
  callOf(tool: string): string | undefined;
  /** Resolves once `of` has announced the call; false when the turn ends before. */
  known: ShownCalls['known'];
  /** From now on the editor shows the output of the call itself. */
  inTerminal(toolCallId: string, terminalId: string): SessionUpdate;
  /** After the last event. */
  end(): void;
}

/** What an editor calls the kinds of work; "other" for the rest. */
const KINDS: Partial<Record<WorkKind, ToolKind>> = {
  read: 'read',
  list: 'read',
  search: 'search',
  tools: 'search',
  'web-search': 'search',
  library: 'search',
  memory: 'search',
  write: 'edit',
  edit: 'edit',
  document: 'edit',
  image: 'edit',
  command: 'execute',
  test: 'execute',
  page: 'fetch',
  plan: 'think',
  todo: 'think',
};
const TITLE_WIDTH = 200;

export function createUpdates(folder: string, say: Say): Updates {
  let conversation = EMPTY;
  const inTerminal = new Set<string>();
  const awaited = new Map<string, (isKnown: boolean) => void>();
  const openCall = (id: string): ToolItem | undefined => {
    const call = findItem(conversation, 'tool', id);
    return call?.isOver ? undefined : call;
  };

  const started = (id: string, tool: string): SessionUpdate => {
    // After the update was sent to the editor.
    queueMicrotask(() => awaited.get(id)?.(true));
    const title = toolVerb(tool, false, say);
    return { sessionUpdate: 'tool_call', toolCallId: id, title, name: tool, kind: kindOf(tool), status: 'pending' };
  };

  const argued = (id: string): SessionUpdate[] => {
    const call = openCall(id);
    const rawInput = call?.args.trimEnd().endsWith('}') ? parse(call.args) : undefined;
    if (!call || !rawInput) return [];
    const named = readArguments(call);
    const title = titleOf(call.name, named, say);
    const locations = locationsOf(named, folder);
    return [{ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'in_progress', title, rawInput, locations }];
  };

  const printed = (id: string): SessionUpdate[] => {
    const call = openCall(id);
    // It would replace the terminal.
    if (!call || inTerminal.has(id)) return [];
    return [{ sessionUpdate: 'tool_call_update', toolCallId: id, content: [textContent(call.output)] }];
  };

  const ended = ({ toolCallId, content, isFailed: hasFailed, exitCode }: ToolCallResult): SessionUpdate => {
    const isFailed = hasFailed === true || (exitCode !== undefined && exitCode !== 0);
    const changes = (findItem(conversation, 'tool', toolCallId)?.changes ?? []).flatMap((one) => diffOf(one, folder));
    return {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: isFailed ? 'failed' : 'completed',
      // A terminal that was shown stays; it is released, and cannot be referenced again.
      ...(!inTerminal.has(toolCallId) && { content: changes.length > 0 ? changes : [textContent(content)] }),
    };
  };

  return {
    conversation: () => conversation,
    callOf: (tool) => openCalls(conversation).findLast(({ name }) => name === tool)?.key,
    known: (id) => (openCall(id) ? Promise.resolve(true) : new Promise((resolve) => awaited.set(id, resolve))),
    inTerminal(id, terminalId) {
      inTerminal.add(id);
      return { sessionUpdate: 'tool_call_update', toolCallId: id, content: [{ type: 'terminal', terminalId }] };
    },
    end() {
      for (const settle of awaited.values()) settle(false);
    },
    of(event) {
      conversation = fold(conversation, [event]);
      switch (event.type) {
        case 'TextMessageContent':
          return [chunk('agent_message_chunk', event.delta, event.messageId)];
        case 'ReasoningMessageContent':
          return [chunk('agent_thought_chunk', event.delta, event.messageId)];
        case 'ToolCallStart':
          return [started(event.toolCallId, event.toolCallName)];
        case 'ToolCallArgs':
          return argued(event.toolCallId);
        case 'ToolCallOutput':
          return printed(event.toolCallId);
        case 'ToolCallResult':
          return [ended(event)];
        case 'CUSTOM':
          return event.name === 'svc.todo' ? [todoPlan(conversation.todo)] : [];
        default:
          return [];
      }
    },
  };
}

function diffOf({ path, before, after }: FileChange, folder: string): ToolCallContent[] {
  return after === null ? [] : [{ type: 'diff', path: join(folder, path), oldText: before, newText: after }];
}

/** The history of a conversation, for an editor that reopens it: includes the user's messages. */
export function replayOf(events: readonly StreamEvent[], folder: string, say: Say): SessionUpdate[] {
  const updates = createUpdates(folder, say);
  return events.flatMap((event) => {
    const words = event.type === 'RunStarted' ? event.input?.message : undefined;
    const said = words === undefined ? [] : [chunk('user_message_chunk', words)];
    return [...said, ...updates.of(event)];
  });
}

export function kindOf(tool: string): ToolKind {
  return KINDS[toolFacts(tool).kind] ?? 'other';
}

export function titleOf(tool: string, input: Readonly<Record<string, unknown>>, say: Say): string {
  const subject = cleanText(callSubject(tool, input)).replaceAll(/\s+/g, ' ').slice(0, TITLE_WIDTH);
  const verb = toolVerb(tool, false, say);
  return subject ? `${verb} ${subject}` : verb;
}

function locationsOf({ path }: Readonly<Record<string, unknown>>, folder: string): ToolCallLocation[] {
  if (typeof path !== 'string') return [];
  return [{ path: isAbsolute(path) ? path : join(folder, path) }];
}

function chunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  text: string,
  messageId?: string,
): SessionUpdate {
  return { sessionUpdate, content: { type: 'text', text }, ...(messageId !== undefined && { messageId }) };
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

function todoPlan(todo: readonly TodoEntry[]): SessionUpdate {
  const entries = todo.map(({ content, status }) => ({ content, priority: 'medium' as const, status }));
  return { sessionUpdate: 'plan', entries };
}

function parse(json: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return undefined; // incomplete
  }
}
