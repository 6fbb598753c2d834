import type { Ambient, SessionEvent } from '@fucina/shared';
import type { Registry } from './registry.ts';
import { answeringModel } from './state/answering-model.ts';
import { CUSTOM_EVENTS, customEvent } from './state/custom-events.ts';
import type { TurnOutcome } from './state/fold.ts';
import type { SessionHeader, SessionSettings } from './state/session.ts';
import { eventsOf } from './store/events.ts';
import type { SessionRecord, SessionStore } from './store/store.ts';
import type { Turns } from './turn/turns.ts';

/** Sessions that run the steps of a workflow: read-only children of the session where it was proposed. */
export interface WorkflowSteps {
  /**
   * Creates the session and runs its single turn to the end, successful or not. `begun` is called once it is on disk,
   * before its turn starts. Aborting stops the turn; with the reason `shutdown` it stays to be found interrupted.
   * NOT_FOUND for a deleted parent, SERVER_SHUTTING_DOWN once the shutdown has begun.
   */
  run(
    order: WorkflowStepOrder,
    begun: (model: string | null) => void,
    signal: AbortSignal,
  ): Promise<WorkflowStepReport>;
  /** Undefined for an unknown session, or one whose turn never started: its remains are deleted. */
  report(sessionId: string): WorkflowStepReport | undefined;
  /** The model of a session; undefined for an unknown one. */
  modelOf(sessionId: string): string | undefined;
  /**
   * Stores the result of a workflow for the next turn of the session where it was proposed; each `id` once. Starts
   * nothing. NOT_FOUND.
   */
  reportOutcome(sessionId: string, outcome: { id: string; value: Readonly<Record<string, unknown>> }): void;
}

export interface WorkflowStepOrder {
  sessionId: string;
  parentId: string;
  runId: string;
  nodeId: string;
  name: string;
  message: string;
  /** Null: the parent's. */
  model: string | null;
  /** Null: the default limit. */
  maxModelCalls: number | null;
  /** The trace context of the step. */
  traceparent?: string | undefined;
}

export interface WorkflowStepReport {
  isRunning: boolean;
  outcome: TurnOutcome | null;
  /** Of a failure: the code, the provider's class and requested wait, as in RunError. */
  code: string | null;
  failureClass: string | null;
  retryAfterMs: number | null;
  text: string;
  model: string;
  promptTokens: number;
  completionTokens: number;
  modelRequests: number;
  toolCalls: number;
  /** Null when a call's cost is not known. */
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
    const { traceparent } = order;
    try {
      turns.begin(record, { input: { message: order.message }, branch, maxModelCalls, traceparent });
    } catch (error) {
      store.remove(record);
      throw error;
    }
  };

  return {
    async run(order, begun, signal) {
      const { sessionId } = order;
      await begin(order, begun);
      const stop = (): void => registry.live.get(sessionId)?.stop(signal.reason === 'shutdown' ? 'shutdown' : 'user');
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
    reportOutcome(sessionId, { id, value }) {
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

/** The step's last message and its usage, read from its own journal. */
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
