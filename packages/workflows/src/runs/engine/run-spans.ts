import type { Ambient, TraceSpan } from '@fucina/shared';
import type { StepOutcome } from '../ports.ts';
import type { RunState } from '../run-state.ts';
import type { InFlightStep } from './in-flight-steps.ts';
import type { ActiveRun } from './tick.ts';

/**
 * The spans of a workflow and its steps. All functions do nothing when traces are not collected. A run that pauses or
 * waits for the user and continues later has a span for each part, with the same id.
 */

export function startRunSpan({ tracing }: Ambient, { runId, sessionId }: Pick<ActiveRun, 'runId' | 'sessionId'>) {
  return tracing?.start('invoke_workflow', {
    attributes: {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.conversation.id': sessionId,
      'fucina.workflow.run.id': runId,
    },
  });
}

const ENDED_WELL: ReadonlySet<RunState> = new Set(['succeeded', 'paused']);

/** `status`: of the run now; undefined while the program ends. */
export function endRunSpan({ span }: Pick<ActiveRun, 'span'>, status: RunState | undefined): void {
  if (!span) return;
  if (status) span.set({ 'fucina.workflow.run.status': status });
  span.end(status && ENDED_WELL.has(status) ? undefined : (status ?? 'interrupted'));
}

export function startStepSpan({ span, runId }: ActiveRun, { ord, attempt, node }: InFlightStep, { tracing }: Ambient) {
  return span?.start('workflow_step', {
    attributes: {
      'fucina.workflow.run.id': runId,
      'fucina.workflow.step.number': ord + 1,
      'fucina.attempt': attempt,
      // The model wrote it.
      ...(tracing?.hasContent && { 'fucina.workflow.step.id': node.id }),
    },
  });
}

export function endStepSpan(span: TraceSpan | undefined, { end, errorClass }: StepOutcome): void {
  span?.end(end === 'succeeded' ? undefined : (errorClass ?? 'interrupted'));
}
