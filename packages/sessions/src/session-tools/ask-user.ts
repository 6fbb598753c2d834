import type { Tool, ToolResult } from '@fucina/shared';
import type * as z from 'zod';
import { type Question, questionResult, questionsInput, recommendedFirst } from '../cards/questions.ts';
import type { LiveTurn } from '../live-turn.ts';
import { cancelledQuestion } from '../turn/closing.ts';
import type { SessionToolNeeds } from './needs.ts';

type AskInput = z.infer<typeof questionsInput>;

const NOBODY =
  'unanswerable (no-interface): this runs by itself and nobody is there to answer. Decide by yourself what is safe, and say ' +
  'in your last message what you would have asked.';

/** Asks the user and waits; the question survives a restart, and its answer then resumes the turn. */
export function createAskTool({ ambient, turnOf, isUnattended }: SessionToolNeeds): Tool<AskInput> {
  return {
    name: 'ask_user',
    description:
      'Ask the user one to four questions and wait for the answers. Only for what you cannot find out yourself and what ' +
      'changes the result. Give `why` and, where choices are clear, 2 to 4 options with the one you recommend marked; a free ' +
      'answer is always possible.',
    category: 'base',
    effect: 'dialogue',
    gate: null,
    input: questionsInput,
    action: () => ({ tipo: 'ask_user' }),
    async run({ questions }, { sessionId, toolCallId }) {
      const turn = turnOf(sessionId);
      if (isUnattended(turn.record)) return { content: NOBODY, isError: true };
      const asked = recommendedFirst(questions);
      const answered = await turn.cardSlot.exclusive(() => showQuestions(ambient, turn, { asked, toolCallId }));
      return answered ?? { content: questionResult(asked, { status: 'cancelled' }), isError: true };
    },
  };
}

async function showQuestions(
  ambient: SessionToolNeeds['ambient'],
  turn: LiveTurn,
  { asked, toolCallId }: { asked: Question[]; toolCallId: string },
): Promise<ToolResult> {
  const requestId = ambient.newId();
  const at = (): string => new Date(ambient.now()).toISOString();
  turn.append([
    {
      type: 'UserQuestionRequested',
      requestId,
      questions: asked,
      at: at(),
      toolCallId,
      origine: 'agent',
      ripristinabile: true,
    },
  ]);
  const answer = await turn.cardSlot.wait(requestId);
  if (answer?.kind === 'question') return { content: questionResult(asked, answer) };
  // A clean shutdown leaves the question open for the next start; anything else closes it.
  if (turn.signal.reason !== 'shutdown') turn.append([cancelledQuestion(requestId, at())]);
  return { content: questionResult(asked, { status: 'cancelled' }), isError: true };
}
