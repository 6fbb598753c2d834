import type { Ambient, SessionEvent } from '@fucina/shared';
import type { Registry } from './registry.ts';
import { CUSTOM_EVENTS, customEvent } from './state/custom-events.ts';
import type { TurnOutcome } from './state/fold.ts';
import type { SessionHeader, SessionSettings } from './state/session.ts';
import { eventsOf } from './store/events.ts';
import type { SessionRecord, SessionStore } from './store/store.ts';
import { answeringModel } from './turn/provider-fallback.ts';
import type { Turns } from './turn/turns.ts';

/** Sessions that carry out the steps of a workflow: children of the session it was proposed in, which only read. */
export interface WorkflowSteps {
  /**
   * Makes the session and runs its one turn to the end, well or not. `begun` is called once it is on the disk, before its
   * turn begins. Aborting stops the turn; with the reason `shutdown` it is left to be found interrupted. NOT_FOUND for a
   * parent that is gone, SERVER_SHUTTING_DOWN once the end has begun.
   */
  run(
    order: WorkflowStepOrder,
    begun: (model: string | null) => void,
    signal: AbortSignal,
  ): Promise<WorkflowStepReport>;
  /** Undefined for a session that is not there, or whose turn never began: what there is of that one is removed. */
  report(sessionId: string): WorkflowStepReport | undefined;
  /** The model a session answers with; undefined for one that is not there. */
  modelOf(sessionId: string): string | undefined;
  /**
   * Keeps what became of a workflow for the next turn of the session it was proposed in; the same `id` once. Nothing
   * begins by it. NOT_FOUND.
   */
  tellOutcome(sessionId: string, outcome: { id: string; value: Readonly<Record<string, unknown>> }): void;
}

export interface WorkflowStepOrder {
  sessionId: string;
  parentId: string;
  runId: string;
  nodeId: string;
  name: string;
  message: string;
  /** The parent's where null. */
  model: string | null;
  /** The turn's own bound where null. */
  maxModelCalls: number | null;
}

export interface WorkflowStepReport {
  isRunning: boolean;
  outcome: TurnOutcome | null;
  /** Of an outcome that is none of the good ones: the code, the provider's class and wish, as in RunError. */
  code: string | null;
  failureClass: string | null;
  retryAfterMs: number | null;
  text: string;
  model: string;
  promptTokens: number;
  completionTokens: number;
  modelRequests: number;
  toolCalls: number;
  /** Null where a call's cost is not known. */
  costUsd: number | null;
}

interface WorkflowStepsNeeds {
  ambient: Ambient;
  registry: Registry;
  store: SessionStore;
  turns: Turns;
  lease: string;
  branchOf(folder: string): Promise<string | null>;
}

const NAME_LENGTH = 80;

export function createWorkflowSteps(needs: WorkflowStepsNeeds): WorkflowSteps {
  const { ambient, registry, store, turns, lease } = needs;

  const begin = async (order: WorkflowStepOrder, begun: (model: string | null) => void): Promise<void> => {
    turns.assertOpen();
    const parent = registry.get(order.parentId);
    const branch = await needs.branchOf(parent.header.folder);
    turns.assertOpen();
    const record = store.create(headerOf(ambient, parent, order), settingsOf(parent, order), { lease, parent });
    store.rename(record, shortened(order.name));
    begun(record.settings.model);
    const maxModelCalls = order.maxModelCalls ?? undefined;
    try {
      turns.begin(record, { input: { message: order.message }, branch, maxModelCalls });
    } catch (error) {
      store.remove(record);
      throw error;
    }
  };

  return {
    async run(order, begun, signal) {
      const { sessionId } = order;
      await begin(order, begun);
      const stop = (): void => registry.live.get(sessionId)?.stop(signal.reason === 'shutdown' ? 'shutdown' : 'person');
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      await turns.settled(sessionId);
      signal.removeEventListener('abort', stop);
      return reportOf(registry.get(sessionId), store);
    },
    report(sessionId) {
      const record = store.read(sessionId);
      if (!record) return undefined;
      if (record.fold.runs > 0) return reportOf(registry.get(sessionId), store);
      store.remove(record);
      return undefined;
    },
    modelOf(sessionId) {
      const record = store.read(sessionId);
      return record && answeringModel(record);
    },
    tellOutcome(sessionId, { id, value }) {
      const record = registry.get(sessionId);
      const event = customEvent(CUSTOM_EVENTS.workflowOutcome, { id, ...value });
      const beginning = JSON.stringify(customEvent(CUSTOM_EVENTS.workflowOutcome, { id })).slice(0, -2);
      if (!store.hasEvent(record.key, beginning)) registry.append(record, [event]);
    },
  };
}

function headerOf(ambient: Ambient, parent: SessionRecord, order: WorkflowStepOrder): SessionHeader {
  const { runId, nodeId } = order;
  return {
    ...parent.header,
    sessionId: order.sessionId,
    taskId: `workflow:${runId}:${nodeId}`,
    assignment: order.message,
    startedAt: ambient.now(),
    forkOf: null,
    branchTurn: null,
    parentId: parent.header.sessionId,
    delegationDepth: parent.header.delegationDepth + 1,
    delegationStart: 'allowed',
    delegatedTask: shortened(order.name),
    workflowStep: { runId, nodeId },
  };
}

function settingsOf({ settings }: SessionRecord, { model }: WorkflowStepOrder): SessionSettings {
  return {
    ...settings,
    model: model ?? settings.model,
    permissions: 'Read only',
    toolPermissions: null,
    mode: 'normal',
    fallbackProviders: [],
  };
}

function shortened(name: string): string {
  return [...name.trim().replace(/\s+/g, ' ')].slice(0, NAME_LENGTH).join('');
}

/** What the step said last and what it used, read from its own journal. */
function reportOf(record: SessionRecord, store: SessionStore): WorkflowStepReport {
  let text = '';
  let toolCalls = 0;
  let costUsd: number | null = 0;
  let error: Extract<SessionEvent, { type: 'RunError' }> | undefined;
  for (const { json } of eventsOf(store, record)) {
    const event = JSON.parse(json) as SessionEvent;
    if (event.type === 'TextMessageStart') text = '';
    if (event.type === 'TextMessageContent') text += event.delta;
    if (event.type === 'ToolCallStart') toolCalls += 1;
    if (event.type === 'RunError') error = event;
    if (event.type === 'CUSTOM' && event.name === CUSTOM_EVENTS.receipt) {
      const { costoDichiarato } = event.value as { costoDichiarato: number | null };
      costUsd = costUsd === null || costoDichiarato === null ? null : costUsd + costoDichiarato;
    }
  }
  const { fold, state } = record;
  return {
    isRunning: state === 'running',
    outcome: state === 'running' ? null : fold.outcome,
    code: error?.code ?? null,
    failureClass: error?.classe ?? null,
    retryAfterMs: error?.riprovaTraMs ?? null,
    text,
    model: answeringModel(record),
    promptTokens: fold.usage?.prompt_tokens ?? 0,
    completionTokens: fold.usage?.completion_tokens ?? 0,
    modelRequests: fold.usage?.giri ?? 0,
    toolCalls,
    costUsd,
  };
}
