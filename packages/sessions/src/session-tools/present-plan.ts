import type { Tool, ToolResult } from '@fucina/shared';
import * as z from 'zod';
import { planResult } from '../cards/plans.ts';
import type { LiveTurn } from '../live-turn.ts';
import { answeringModel } from '../state/answering-model.ts';
import { CUSTOM_EVENTS, customEvent, type PlanValue } from '../state/custom-events.ts';
import { sha256 } from '../state/digest.ts';
import type { SessionToolNeeds } from './needs.ts';

const input = z.strictObject({ plan: z.string().trim().min(1).max(100_000).describe('Markdown') });

/** Shows a plan and waits for the user's decision; the plan survives a restart. In plan mode only. */
export function createPlanTool({ ambient, turnOf }: SessionToolNeeds): Tool<z.infer<typeof input>> {
  return {
    name: 'present_plan',
    description:
      'Show the user your finished plan (Markdown: goal, steps, files, how each step is tested, risks) and wait for the ' +
      'decision. Only in plan mode, where nothing can be changed before a plan is approved.',
    category: 'base',
    effect: 'dialogue',
    gate: null,
    input,
    action: () => ({ tipo: 'present_plan' }),
    async run({ plan }, { sessionId, toolCallId }) {
      const turn = turnOf(sessionId);
      if (turn.record.settings.mode !== 'plan') return NOT_PLANNING;
      const decided = await turn.cardSlot.exclusive(() => showPlan(ambient, turn, { plan, sessionId, toolCallId }));
      return decided ?? UNDECIDED;
    },
  };
}

const NOT_PLANNING: ToolResult = {
  content: 'Plan mode is off: do the task, or say in your answer what you would do.',
  isError: true,
};
const UNDECIDED: ToolResult = { content: 'The user did not decide on this plan.', isError: true };

async function showPlan(
  ambient: SessionToolNeeds['ambient'],
  turn: LiveTurn,
  { plan, sessionId, toolCallId }: { plan: string; sessionId: string; toolCallId: string },
): Promise<ToolResult> {
  const { record } = turn;
  const before = record.fold.plan;
  const shown: PlanValue = {
    schema: 'svc.plan.v1',
    planId: before?.planId ?? ambient.newId(),
    sessionId,
    revision: (before?.revision ?? 0) + 1,
    status: 'proposed',
    content: plan,
    at: new Date(ambient.now()).toISOString(),
    requestId: ambient.newId(),
    hash: `sha256:${sha256(plan)}`,
    toolCallId,
    ripristinabile: true,
    model: answeringModel(record),
  };
  turn.append([customEvent(CUSTOM_EVENTS.plan, shown)]);
  const answer = await turn.cardSlot.wait(shown.requestId);
  if (answer?.kind === 'plan') {
    if (answer.decision === 'conversazione-pulita') turn.finishSoon();
    return { content: planResult(answer.decision, answer.feedback) };
  }
  if (turn.signal.reason !== 'shutdown') {
    const at = new Date(ambient.now()).toISOString();
    turn.append([customEvent(CUSTOM_EVENTS.plan, { ...shown, status: 'cancelled', da: 'sistema', at })]);
  }
  return UNDECIDED;
}
