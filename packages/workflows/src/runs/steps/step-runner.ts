import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Ambient, SqliteDatabase } from '@fucina/shared';
import type { InFlightStep } from '../engine/in-flight-steps.ts';
import { endStepSpan, startStepSpan } from '../engine/run-spans.ts';
import type { ActiveRun, StepArrival } from '../engine/tick.ts';
import type { Graphs } from '../graph/graphs.ts';
import type { Rows } from '../journal/rows.ts';
import type { RunsNeeds } from '../needs.ts';
import type { StepOutcome, StepSession, StepSessions } from '../ports.ts';
import { type AttemptNeeds, complete, markStepNotStarted, markStepStarted } from './attempts.ts';
import { type NewResult, outputsOf, type ResultRef, summaryOf } from './outputs.ts';
import { stepPrompt } from './prompt.ts';

export interface StepRunnerNeeds {
  ambient: Ambient;
  db: SqliteDatabase;
  rows: Rows;
  graphs: Graphs;
  content: RunsNeeds['content'];
  steps: StepSessions;
  arrive(arrival: StepArrival): void;
  /** True during shutdown: steps that it interrupts are left to the next start. */
  isClosing(): boolean;
}

export interface StepRunner {
  /** Runs the session of a claimed step; its outcome is reported later. */
  run(run: ActiveRun, running: InFlightStep, bounds: { deadlineMs: number | null; maxModelCalls: number | null }): void;
  /** Looks up the outcome of a step whose process ended. */
  lookUp(run: ActiveRun, running: InFlightStep): void;
  /** Whether there is work other than waiting for sessions and timers. */
  isBusy(): boolean;
  /** Resolves when nothing is pending any more. */
  done(): Promise<void>;
}

const NO_USAGE = { promptTokens: 0, completionTokens: 0, toolCalls: 0, modelRequests: 0, costUsd: null };
const LOOK_AGAIN_MS = 2_000;
const MOST_WAIT_MS = 30_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

export function createStepRunner(needs: StepRunnerNeeds): StepRunner {
  const { ambient, steps, arrive, isClosing } = needs;
  const open = new Set<Promise<void>>();
  let busy = 0;
  const follow = (work: Promise<void>): void => {
    const followed = work.finally(() => open.delete(followed));
    open.add(followed);
  };
  const working = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    busy += 1;
    try {
      return await work();
    } finally {
      busy -= 1;
    }
  };
  const pause = (ms: number, signal: AbortSignal): Promise<void> => ambient.sleep(ms, signal).catch(() => undefined);

  /** The work is done and paid for: writing its result is retried until the disk accepts it. */
  const keepResults = async (
    run: ActiveRun,
    running: InFlightStep,
    outcome: StepOutcome,
  ): Promise<NewResult[] | undefined> => {
    for (let waitMs = 250; !isClosing(); waitMs = Math.min(waitMs * 2, MOST_WAIT_MS)) {
      try {
        return await working(() => resultsOf(needs, run, { running, outcome }));
      } catch (error) {
        ambient.log.error('workflow.result-not-kept', { runId: run.runId, nodeId: running.node.id, error });
        await ambient.sleep(waitMs, closing(running)).catch(() => undefined);
      }
    }
    return undefined;
  };

  const end = async (run: ActiveRun, running: InFlightStep, { outcome, wallMs }: Ended): Promise<void> => {
    const { ord, node, lease, provider } = running;
    const results = outcome.end === 'succeeded' ? await keepResults(run, running, outcome) : [];
    if (!results) return;
    const completion = { ord, node, lease, wallMs, provider };
    const broken = { ...completion, outcome: failed(running, 'internal'), results: [] };
    arrive({
      ...arrivalOf(running, (at) => complete(at, { ...completion, outcome, results })),
      instead: arrivalOf(running, (at) => complete(at, broken)),
    });
  };

  const runStep = async (
    run: ActiveRun,
    running: InFlightStep,
    bounds: Parameters<StepRunner['run']>[2],
  ): Promise<void> => {
    const startedAt = ambient.monotonic();
    const deadline = deadlineOf(ambient, running, bounds.deadlineMs);
    const span = startStepSpan(run, running, ambient);
    const traceparent = span?.traceparent;
    let outcome: StepOutcome;
    try {
      outcome = await runSession(needs, { run, running, ...bounds, working, onBegun: deadline.start, traceparent });
    } catch (error) {
      ambient.log.warn('workflow.step-not-begun', { runId: run.runId, nodeId: running.node.id, error });
      outcome = failed(running, running.controller.signal.aborted ? 'stopped' : 'internal');
    } finally {
      deadline.stop();
    }
    if (outcome.end !== 'succeeded' && deadline.isOver()) outcome = { ...outcome, errorClass: 'timeout' };
    endStepSpan(span, outcome);
    if (outcome.end !== 'succeeded' && isClosing()) return;
    await end(run, running, { outcome, wallMs: Math.max(0, Math.round(ambient.monotonic() - startedAt)) });
  };

  const lookUp = async (run: ActiveRun, running: InFlightStep): Promise<void> => {
    const { ord, node, lease, stepSessionId } = running;
    for (let waitMs = LOOK_AGAIN_MS; !isClosing(); waitMs = Math.min(waitMs * 2, MOST_WAIT_MS)) {
      try {
        const outcome = await steps.lookUp(stepSessionId);
        if (!outcome) {
          return arrive(
            arrivalOf(running, (at) => {
              markStepNotStarted(at, { ord, node, lease });
              return true;
            }),
          );
        }
        if (outcome.end !== 'running') return await end(run, running, { outcome, wallMs: 0 });
      } catch (error) {
        ambient.log.warn('workflow.step-not-found-out', { runId: run.runId, nodeId: node.id, error });
      }
      await pause(waitMs, running.controller.signal);
    }
  };

  return {
    run: (run, running, bounds) => follow(runStep(run, running, bounds)),
    lookUp: (run, running) => follow(lookUp(run, running)),
    isBusy: () => busy > 0,
    async done() {
      while (open.size) {
        await Promise.all(open);
        await yieldToOthers();
      }
    },
  };
}

interface Ended {
  outcome: StepOutcome;
  wallMs: number;
}

function arrivalOf(
  { run, lease: { executionId } }: InFlightStep,
  apply: (needs: AttemptNeeds) => boolean,
  isEnd = true,
): StepArrival {
  return { run, executionId, isEnd, apply };
}

/** Aborted only by the end of the process: a cancel does not discard a finished step. */
function closing({ controller: { signal } }: InFlightStep): AbortSignal | undefined {
  return signal.reason === 'shutdown' || !signal.aborted ? signal : undefined;
}

interface SessionRun {
  run: ActiveRun;
  running: InFlightStep;
  maxModelCalls: number | null;
  working<Result>(work: () => Promise<Result>): Promise<Result>;
  onBegun(): void;
  traceparent: string | undefined;
}

async function runSession(needs: StepRunnerNeeds, session: SessionRun): Promise<StepOutcome> {
  const { run, running, maxModelCalls, working, onBegun, traceparent } = session;
  const { ord, node, lease, stepSessionId, controller } = running;
  const { db, rows, graphs, content, steps, arrive } = needs;
  const graph = { db, rows, graphs, definition: run.definition, run };
  const prompt = await working(() => stepPrompt(graph, { ord, node }, content));
  if (controller.signal.aborted) return failed(running, 'stopped');
  const order = {
    runId: run.runId,
    nodeId: node.id,
    attempt: running.attempt,
    rootSessionId: run.sessionId,
    stepSessionId,
    label: node.label,
    prompt,
    model: node.modelPolicy.model,
    maxModelCalls,
    traceparent,
  };
  const onSession = ({ model }: StepSession): void => {
    onBegun();
    const note = (at: AttemptNeeds): boolean => {
      markStepStarted(at, { ord, lease, model });
      return false;
    };
    arrive(arrivalOf(running, note, false));
  };
  return steps.run(order, onSession, controller.signal);
}

function failed({ stepSessionId }: InFlightStep, errorClass: 'stopped' | 'internal'): StepOutcome {
  return { stepSessionId, model: null, usage: NO_USAGE, end: 'failed', text: '', errorClass };
}

function deadlineOf(ambient: Ambient, { controller }: InFlightStep, ms: number | null) {
  let isOver = false;
  let stop = (): void => undefined;
  return {
    start() {
      if (ms === null) return;
      stop = ambient.timer(Math.min(ms, MAX_TIMER_MS), () => {
        isOver = true;
        controller.abort('deadline');
      });
    },
    stop: () => stop(),
    isOver: () => isOver,
  };
}

async function resultsOf(
  { content, ambient }: StepRunnerNeeds,
  run: ActiveRun,
  { running, outcome }: { running: InFlightStep; outcome: StepOutcome },
): Promise<NewResult[]> {
  const { node, lease, attempt } = running;
  const results: NewResult[] = [];
  for (const output of outputsOf(node, outcome.text)) {
    const { sha256, inRow } = await content.put(output.bytes);
    const ref: ResultRef = {
      id: ambient.newId(),
      sha256,
      runId: run.runId,
      nodeId: node.id,
      activityExecutionId: lease.executionId,
      kind: output.kind,
      contentType: output.contentType,
      bytes: output.bytes.length,
      storageKey: `${sha256.slice(0, 2)}/${sha256}`,
      summary: summaryOf(output),
      trust: 'untrusted',
      provenance: {
        output: output.name,
        stepSessionId: outcome.stepSessionId,
        provider: outcome.model?.provider ?? null,
        model: outcome.model?.model ?? null,
        attempt,
      },
      sensitivity: 'workspace',
      eligibleForIntegration: false,
    };
    results.push({ ref, content: inRow });
  }
  return results;
}
