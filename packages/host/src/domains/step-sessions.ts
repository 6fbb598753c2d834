import { parseModelId } from '@fucina/providers';
import type { Sessions, WorkflowStepReport } from '@fucina/sessions';
import { isAppError } from '@fucina/shared';
import type { StepErrorClass, StepOutcome, StepSessions } from '@fucina/workflows';

/** Runs the steps of workflows as sessions. */
export function createStepSessions(sessions: () => Sessions): StepSessions {
  return {
    async run({ stepSessionId, rootSessionId, label, prompt, ...order }, begun, signal) {
      const { runId, nodeId, model, maxModelCalls, traceparent } = order;
      const step = { sessionId: stepSessionId, parentId: rootSessionId, runId, nodeId, name: label, message: prompt };
      const bounds = { model, maxModelCalls, traceparent };
      const onBegun = (chosen: string | null): void => begun({ stepSessionId, model: pairOf(chosen) });
      try {
        const { workflowSteps } = sessions();
        return outcomeOf(stepSessionId, await workflowSteps.run({ ...step, ...bounds }, onBegun, signal));
      } catch (error) {
        if (!isAppError(error, 'SERVER_SHUTTING_DOWN')) throw error;
        return notStarted(stepSessionId);
      }
    },
    async lookUp(stepSessionId) {
      const report = sessions().workflowSteps.report(stepSessionId);
      return report && outcomeOf(stepSessionId, report);
    },
    providerOf(model, rootSessionId) {
      return pairOf(model ?? sessions().workflowSteps.modelOf(rootSessionId) ?? null)?.provider ?? 'unknown';
    },
  };
}

function outcomeOf(stepSessionId: string, report: WorkflowStepReport): StepOutcome {
  const { isRunning, outcome, text, model, retryAfterMs } = report;
  const { promptTokens, completionTokens, modelRequests, toolCalls, costUsd } = report;
  const head = {
    stepSessionId,
    model: pairOf(model),
    usage: { promptTokens, completionTokens, modelRequests, toolCalls, costUsd },
  };
  if (isRunning) return { ...head, end: 'running', text: '' };
  if (outcome === 'finished') return { ...head, end: 'succeeded', text };
  const errorClass = errorClassOf(report);
  return { ...head, end: 'failed', text: '', errorClass, ...(retryAfterMs !== null && { retryAfterMs }) };
}

/** Values of `classe` in RunError. */
const CLASSES: Readonly<Record<string, StepErrorClass>> = {
  traffico: 'rate_limit',
  'guasto-fornitore': 'provider_5xx',
  rete: 'transient_network',
  'flusso-interrotto': 'transient_network',
  'timeout-fornitore': 'timeout',
};

function errorClassOf({ outcome, failureClass, code }: WorkflowStepReport): StepErrorClass {
  if (outcome === 'interrupted') return 'interrupted';
  if (outcome === 'stopped') return 'stopped';
  if (outcome === 'steps-used-up') return 'turns_exhausted';
  const known = CLASSES[failureClass ?? ''];
  if (known) return known;
  return code === 'internal-error' ? 'internal' : 'provider_refused';
}

function notStarted(stepSessionId: string): StepOutcome {
  const usage = { promptTokens: 0, completionTokens: 0, modelRequests: 0, toolCalls: 0, costUsd: null };
  return { stepSessionId, model: null, usage, end: 'failed', text: '', errorClass: 'interrupted' };
}

/** null for an unknown id. */
function pairOf(model: string | null): StepOutcome['model'] {
  if (!model) return null;
  try {
    return parseModelId(model);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}
