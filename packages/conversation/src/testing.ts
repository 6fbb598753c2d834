import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EMPTY, NO_COST } from './conversation.ts';
import type { StoredEvent } from './events.ts';
import { fold } from './fold.ts';
import type { Item, ToolOutcome } from './items.ts';
import { readStored } from './reader.ts';

type ItemOf<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>;

const PROSE = { isOpen: false, isRemoved: false, startedAt: 0, endedAt: undefined };
const PRINTED = { startedAt: 0, output: '', droppedLines: 0, isOver: true };
const DEFAULTS: { [Kind in Item['kind']]?: Partial<ItemOf<Kind>> } = {
  user: { images: [], reference: undefined, isRemoved: false, steer: undefined },
  text: PROSE,
  reasoning: PROSE,
  tool: {
    ...PRINTED,
    name: 'shell',
    args: '{}',
    answer: undefined,
    isQueued: false,
    outcome: undefined,
    approval: undefined,
    changes: [],
    background: undefined,
    hasCard: false,
  },
  command: { ...PRINTED, endedAt: undefined, exitCode: undefined, enforcement: undefined, error: undefined },
  question: { state: 'waiting', answers: {}, notes: {}, call: undefined },
  plan: { revision: 1, hash: '', state: 'waiting', decision: undefined, feedback: undefined, call: undefined },
  fallback: { cause: undefined },
  workflow: { runId: 'r' },
  end: { outcome: 'done', usage: undefined, cost: NO_COST, tools: 0, request: undefined, changedFiles: 0 },
};

/** An item as a fold would produce it, for rendering tests. */
export function itemOf<Kind extends Item['kind']>(kind: Kind, part: Partial<ItemOf<Kind>>): ItemOf<Kind> {
  return { kind, key: 'k', turn: 1, ...DEFAULTS[kind], ...part } as unknown as ItemOf<Kind>;
}

/** The outcome of a call, for the same tests. */
export function outcomeOf(part: Partial<ToolOutcome>): ToolOutcome {
  return {
    content: '',
    durationMs: undefined,
    command: undefined,
    cwd: undefined,
    stdout: undefined,
    stderr: undefined,
    exitCode: undefined,
    isFailed: false,
    isInterrupted: false,
    enforcement: undefined,
    images: [],
    media: [],
    ...part,
  };
}

/** A recorded session, and the items that every reader computes from it. */
export interface RecordedSession {
  name: string;
  events: readonly StoredEvent[];
  items: unknown;
}

const CORPUS = join(import.meta.dirname, '..', 'test', 'corpus');

export function recordedSessions(): RecordedSession[] {
  const names = readdirSync(CORPUS).filter((file) => file.endsWith('.jsonl'));
  return names.map((file) => {
    const name = file.slice(0, -'.jsonl'.length);
    const lines = readFileSync(join(CORPUS, file), 'utf8').trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as StoredEvent);
    return { name, events, items: JSON.parse(readFileSync(join(CORPUS, `${name}.items.json`), 'utf8')) };
  });
}

/** For re-recording. */
export function saveRecorded(name: string, events: readonly StoredEvent[]): void {
  mkdirSync(CORPUS, { recursive: true });
  writeFileSync(join(CORPUS, `${name}.jsonl`), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const items = comparable(fold(EMPTY, events.map(readStored)).items);
  writeFileSync(join(CORPUS, `${name}.items.json`), `${JSON.stringify(items, undefined, 2)}\n`);
}

/** Items as JSON, without the times that only readers of the journal know. */
export function comparable(items: readonly unknown[]): unknown {
  const isTime = (field: string): boolean => field === 'startedAt' || field === 'endedAt' || field === 'durationMs';
  return JSON.parse(JSON.stringify(items, (field, value: unknown) => (isTime(field) ? undefined : value)));
}
