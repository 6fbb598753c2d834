import { type StoredEvent, type TraceStep, type TurnTrace, traceTurn } from '@fucina/conversation';
import { readStored } from '@fucina/conversation/reader';
import { userReference } from '../context/conversation.ts';
import { sessionsError } from '../errors.ts';
import type { Registry } from '../registry.ts';
import { eventsOf } from '../store/events.ts';
import type { Journal } from '../store/journal.ts';
import type { SessionRecord, SessionStore } from '../store/store.ts';

/** What turns spent their time on, read from the times of the stored events: nothing is measured for it. */
export interface TurnTraces {
  /** NOT_FOUND for an unknown turn. `reference`: the message that began the turn; default: the latest turn. */
  trace(sessionId: string, reference?: string): Promise<TracedTurn>;
}

export interface TracedTurn extends Omit<TurnTrace, 'steps'> {
  reference: string;
  /** The turn's own and, after the call that started it, those of each sub-agent. */
  steps: TracedStep[];
  /** How many more steps there are. */
  omitted: number;
}

export interface TracedStep extends TraceStep {
  /** 0 for the turn's own, 1 for those of its sub-agents. */
  depth: number;
}

interface TracesNeeds {
  registry: Registry;
  journal: Journal;
  store: SessionStore;
}

const MAX_STEPS = 2_000;
/** Streamed text matters only by its time. */
const TEXTS = ['{"type":"TextMessageContent"', '{"type":"ReasoningMessageContent"'] as const;
const IGNORED = ['{"type":"ToolCallOutput"', '{"type":"StateDelta"'] as const;

export function createTurnTraces(needs: TracesNeeds): TurnTraces {
  const { registry, journal, store } = needs;
  return {
    async trace(sessionId, reference) {
      const record = registry.get(sessionId);
      journal.flush(record.key);
      const turns = store.timeline.turnTimes(record);
      const turn = reference ? turns.find(({ seq }) => userReference(seq) === reference) : turns.at(-1);
      const trace = turn && traceTurn(turnEvents(store, record, turn.seq));
      if (!trace) throw sessionsError('NOT_FOUND', { reason: 'turn-unknown' });
      const steps = withAgents(needs, record, { steps: trace.steps, depth: 0 });
      const omitted = Math.max(0, steps.length - MAX_STEPS);
      return { ...trace, reference: userReference(trace.turn), steps: steps.slice(0, MAX_STEPS), omitted };
    },
  };
}

/** The steps, and those of sub-agents after the calls that started them. */
function withAgents(
  needs: TracesNeeds,
  record: SessionRecord,
  { steps, depth }: { steps: readonly TraceStep[]; depth: number },
): TracedStep[] {
  const found = new Set<string>();
  return steps.flatMap((step) => {
    const agent = agentOf(needs, record, { step, found });
    if (!agent) return [{ ...step, depth }];
    found.add(agent.header.sessionId);
    const traces = tracesWithin(needs, agent, step);
    const inner = traces.flatMap((trace) => trace.steps);
    // The end of a call is stored a little after it, and its start is computed from there.
    const start = Math.min(step.start, ...traces.map((trace) => trace.start));
    const own = { ...step, start, agentId: agent.header.sessionId, depth };
    return [own, ...withAgents(needs, agent, { steps: inner, depth: depth + 1 })];
  });
}

/** A call names its agent once it reported; before that, the agent is the running one with its task. */
function agentOf(
  { registry }: TracesNeeds,
  record: SessionRecord,
  { step, found }: { step: TraceStep; found: ReadonlySet<string> },
): SessionRecord | undefined {
  if (!step.agentId && !step.task) return undefined;
  const own = registry.descendants(record).filter(({ header }) => header.parentId === record.header.sessionId);
  if (step.agentId) return own.find(({ header }) => header.sessionId === step.agentId);
  return own.find(
    ({ header, state }) =>
      state === 'running' && header.assignment === step.task?.trim() && !found.has(header.sessionId),
  );
}

/** The turns that an agent made for this call; later ones were asked for by the user. */
function tracesWithin({ journal, store }: TracesNeeds, agent: SessionRecord, { end }: TraceStep): TurnTrace[] {
  journal.flush(agent.key);
  return store.timeline
    .turnTimes(agent)
    .filter(({ start }) => end === undefined || start <= end)
    .flatMap(({ seq }) => traceTurn(turnEvents(store, agent, seq)) ?? []);
}

function* turnEvents(store: SessionStore, record: SessionRecord, seq: number) {
  for (const stored of eventsOf(store, record, seq - 1)) {
    if (stored.seq > seq && stored.json.startsWith('{"type":"RunStarted"')) return;
    if (IGNORED.some((type) => stored.json.startsWith(type))) continue;
    const isText = TEXTS.some((type) => stored.json.startsWith(type));
    yield isText ? withoutText(stored) : readStored(stored);
  }
}

function withoutText({ seq, at }: StoredEvent) {
  return { type: 'TextMessageContent' as const, messageId: '', delta: '', _sequenza: seq, storedAt: at };
}
