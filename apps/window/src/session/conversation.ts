import type { ProviderRetry, ToolOutcome } from '../wire/events.ts';
import type { ToolAction, Usage } from '../wire/records.ts';

/** What one tool call did to one file; null: absent. */
export interface FileChange {
  path: string;
  before: string | null;
  after: string | null;
  turn: number;
  /** Too large to be told: neither text is known. */
  isUntold: boolean;
}

interface Row {
  /** Unique in the conversation and stable. */
  key: string;
  turn: number;
}

export interface PersonItem extends Row {
  kind: 'person';
  text: string;
}

export interface ProseItem extends Row {
  kind: 'text' | 'reasoning';
  text: string;
  isOpen: boolean;
}

export interface ToolItem extends Row {
  kind: 'tool';
  name: string;
  /** JSON text, whole once `isAsked`. */
  args: string;
  startedAt: number | undefined;
  /** The end of what the command has printed so far. */
  output: string;
  /** Absent while it runs; `isOver` without an outcome: the turn ended first. */
  outcome: ToolOutcome | undefined;
  isOver: boolean;
  /** What the person was asked about it and answered; `waiting`: it has not begun. */
  leave: ApprovalItem['state'] | undefined;
  changes: readonly FileChange[];
}

export interface ApprovalItem extends Row {
  kind: 'approval';
  action: ToolAction;
  state: 'waiting' | 'allowed' | 'denied' | 'gone';
  /** The call that was asked about, which then shows the answer itself. */
  call: string | undefined;
}

export type TurnOutcome = 'done' | 'stopped' | 'exhausted' | 'interrupted' | 'failed';
export interface EndItem extends Row {
  kind: 'end';
  outcome: TurnOutcome;
  message: string | undefined;
  /** What kind of failure of the model's call, in the interface's words. */
  failureClass: string | undefined;
  code: string | undefined;
  usage: Usage | undefined;
  tools: number;
  /** What the person had asked in this turn. */
  request: string | undefined;
}

export interface CompactionItem extends Row {
  kind: 'compaction';
  before: number | undefined;
  after: number | undefined;
}

export type Item = PersonItem | ProseItem | ToolItem | ApprovalItem | EndItem | CompactionItem;

/** A conversation as its events tell it. A value: folding more events gives another one that shares what did not change. */
export interface Conversation {
  items: readonly Item[];
  /** Place of an item by `<kind>:<key>`. Shared between versions and only ever added to. */
  places: ReadonlyMap<string, number>;
  lastSequence: number;
  /** Turns begun. */
  turn: number;
  isRunning: boolean;
  /** The stored part of the stream has been read to its end. */
  isReplayed: boolean;
  /** Totals of the last turn. */
  usage: Usage | undefined;
  /** Tokens that the last request carried; undefined until one was measured. */
  contextTokens: number | undefined;
  retry: ProviderRetry | undefined;
  /** Request ids that wait for an answer, oldest first. */
  waiting: readonly string[];
  folder: string | undefined;
  branch: string | undefined;
  changes: readonly FileChange[];
  /** Grows whenever files may have changed on disk. */
  filesVersion: number;
}

export const EMPTY: Conversation = {
  items: [],
  places: new Map(),
  lastSequence: -1,
  turn: 0,
  isRunning: false,
  isReplayed: false,
  usage: undefined,
  contextTokens: undefined,
  retry: undefined,
  waiting: [],
  folder: undefined,
  branch: undefined,
  changes: [],
  filesVersion: 0,
};

export function approvalOf(conversation: Conversation, requestId: string | undefined): ApprovalItem | undefined {
  const item = conversation.items[conversation.places.get(`approval:${requestId}`) ?? -1];
  return item?.kind === 'approval' ? item : undefined;
}

/** From the first state to the last of each file, in the order they were first touched; files that came back as they were are left out. */
export function netChanges(changes: readonly FileChange[]): FileChange[] {
  const files = new Map<string, FileChange>();
  for (const change of changes) {
    const first = files.get(change.path);
    files.set(
      change.path,
      first
        ? { ...first, after: change.after, turn: change.turn, isUntold: first.isUntold || change.isUntold }
        : change,
    );
  }
  return [...files.values()].filter((change) => change.isUntold || change.before !== change.after);
}

/** The string fields of a tool's arguments, also of JSON that is still being written. */
export function readArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Not whole yet: take the fields whose strings are already closed, from the beginning only.
  }
  const fields: Record<string, unknown> = {};
  for (const [, name = '', value = ''] of text.slice(0, 2_000).matchAll(/"(\w+)"\s*:\s*("(?:[^"\\]|\\.)*")/g)) {
    try {
      fields[name] = JSON.parse(value);
    } catch {
      // An escape cut in the middle: the next frame has the rest.
    }
  }
  return fields;
}
