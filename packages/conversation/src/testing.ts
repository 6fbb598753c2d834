import { NO_COST } from './conversation.ts';
import type { Item, ToolOutcome } from './items.ts';

type ItemOf<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>;

const PROSE = { isOpen: false, isRemoved: false, startedAt: 0, endedAt: undefined };
const PRINTED = { startedAt: 0, output: '', droppedLines: 0, isOver: true };
const DEFAULTS: { [Kind in Item['kind']]?: Partial<ItemOf<Kind>> } = {
  person: { images: [], reference: undefined, isRemoved: false, steer: undefined },
  text: PROSE,
  reasoning: PROSE,
  tool: {
    ...PRINTED,
    name: 'shell',
    args: '{}',
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

/** An item as a fold would make it, for tests of what is drawn. */
export function itemOf<Kind extends Item['kind']>(kind: Kind, part: Partial<ItemOf<Kind>>): ItemOf<Kind> {
  return { kind, key: 'k', turn: 1, ...DEFAULTS[kind], ...part } as unknown as ItemOf<Kind>;
}

/** How a call ended, for the same. */
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
    ...part,
  };
}
