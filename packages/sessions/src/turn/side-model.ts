import {
  isAppError,
  type ModelFailure,
  type ModelUsage,
  type SideAnswer,
  type SideModel,
  type SideQuestion,
  textStart,
} from '@fucina/shared';
import { answeringModel } from './provider-fallback.ts';
import { append, type TurnState } from './turn-state.ts';
import { callUsage } from './usage-events.ts';

/** Longer answers are cut, whatever was allowed. */
const MAX_TEXT = 512 * 1024;

/** The model of the session, beside its conversation. Absent where no user could allow it, and with an external agent. */
export function sideModel(state: TurnState): SideModel | undefined {
  const { needs, record } = state;
  const model = answeringModel(record);
  if (needs.isUnattended(record) || model.startsWith('esterno:')) return undefined;
  return {
    name: () => answeringModel(record),
    async ask(question, signal) {
      try {
        needs.budget.assertWithin(record);
      } catch (error) {
        if (!isAppError(error, 'SESSION_NOT_READY')) throw error;
        throw new Error('the budget of the user is used up', { cause: error });
      }
      return askBeside(state, question, signal);
    },
  };
}

async function askBeside(state: TurnState, question: SideQuestion, signal: AbortSignal): Promise<SideAnswer> {
  const { needs, record } = state;
  const model = answeringModel(record);
  const { system, messages, maxOutputTokens } = question;
  const request = {
    model,
    system: system ? [system] : [],
    messages: messages.map((each) =>
      each.role === 'user' ? each : { role: each.role, parts: [{ type: 'text' as const, text: each.text }] },
    ),
    tools: [],
    maxOutputTokens,
    purpose: 'mcp-sampling' as const,
    traceparent: state.span?.traceparent,
  };
  let text = '';
  let usage: ModelUsage | null = null;
  let isCut = false;
  let failure: ModelFailure | undefined;
  for await (const batch of needs.model.stream(request, signal)) {
    for (const event of batch) {
      if (event.type === 'text') text += event.delta;
      else if (event.type === 'usage') usage = event.usage;
      else if (event.type === 'finish') isCut = event.reason === 'length';
      else if (event.type === 'failure') failure = event.failure;
    }
    if (text.length > MAX_TEXT) {
      isCut = true;
      break;
    }
  }
  if (usage || text) append(state, callUsage(state, { model, usage, failure }));
  if (failure) throw new Error(failure.message);
  return { model, text: textStart(text, MAX_TEXT), isCut };
}
