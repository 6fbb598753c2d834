import {
  isAppError,
  type ModelFailure,
  type ModelUsage,
  type SideAnswer,
  type SideModel,
  type SideQuestion,
  textStart,
} from '@fucina/shared';
import { answeringModel } from '../state/answering-model.ts';
import { append, type Turn } from '../turn/turn-context.ts';
import { callUsage } from '../turn/usage-events.ts';

/** Longer answers are cut, whatever was allowed. */
const MAX_TEXT = 512 * 1024;

/** The model of the session, beside its conversation. Absent where no user could allow it, and with an external agent. */
export function sideModel(turn: Turn): SideModel | undefined {
  const { needs, record } = turn;
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
      return askBeside(turn, question, signal);
    },
  };
}

async function askBeside(turn: Turn, question: SideQuestion, signal: AbortSignal): Promise<SideAnswer> {
  const { needs, record } = turn;
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
    traceparent: turn.span?.traceparent,
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
  if (usage || text) append(turn, callUsage(turn, { model, usage, failure }));
  if (failure) throw new Error(failure.message);
  return { model, text: textStart(text, MAX_TEXT), isCut };
}
