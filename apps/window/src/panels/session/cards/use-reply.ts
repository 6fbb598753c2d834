import {
  type ApprovalItem,
  isHiddenRead,
  isNetwork,
  type PlanDecision,
  type PlanItem,
  projectRule,
  type QuestionItem,
  serverAnswers,
  sessionCommands,
  storedServerAnswer,
} from '@fucina/conversation';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { AskAnswer } from '../../../parts/ask.tsx';
import type { AnswerBody } from '../../../session/question-answer.ts';
import { api } from '../../../wire/client.ts';
import { answerMcpCalls } from '../../../wire/mcp-servers.ts';
import { sessionsQuery } from '../../../wire/queries.ts';
import { isWholeTool } from '../../../wire/records.ts';
import { addRule } from '../../../wire/sandbox.ts';

/** The waiting session, and the session on screen if that is one of its ancestors. */
export interface AskedSession {
  sessionId: string;
  from: string | undefined;
}

type Scope = 'folder' | 'path';
const SCOPES: Partial<Record<AskAnswer, Scope>> = { folder: 'folder', path: 'path' };
/** Hosts, hidden paths and commands: the answer itself applies to the session. */
const OWN_SCOPES: Partial<Record<AskAnswer, Scope>> = { session: 'path' };

export async function approve({ sessionId, from }: AskedSession, item: ApprovalItem, answer: AskAnswer): Promise<void> {
  const { kind } = item.action;
  if (answer === 'session' && isWholeTool(kind)) {
    const settings = { mergeToolPermissions: { [kind]: 'always' }, keepsDenied: true };
    await api.post('/sessions/{sessionId}/settings', { path: { sessionId }, body: settings });
  }
  const rule = answer === 'project' || answer === 'everywhere' ? projectRule(item.action) : undefined;
  // The rule first: an answered request is not asked again.
  if (rule !== undefined) await addRule({ rule, ...(answer === 'project' && { sessionId }) });
  const ofServer = serverAnswers(item.action).find((each) => each === answer);
  if (ofServer) await answerMcpCalls({ sessionId }, storedServerAnswer(item.action, ofServer));
  const hasOwnScope = isNetwork(item.action) || isHiddenRead(item.action) || sessionCommands(item.action) !== undefined;
  const scope = (hasOwnScope ? OWN_SCOPES : SCOPES)[answer];
  await api.post('/sessions/{sessionId}/approve', {
    path: { sessionId },
    body: {
      requestId: item.key,
      isApproved: answer !== 'deny',
      ...(scope ? { scope } : {}),
      ...(from ? { answeredFrom: from } : {}),
    },
  });
}

export async function answerQuestions(
  { sessionId, from }: AskedSession,
  item: QuestionItem,
  body: AnswerBody,
): Promise<void> {
  await api.post('/sessions/{sessionId}/question', {
    path: { sessionId },
    body: {
      requestId: item.key,
      ...body,
      ...(from ? { answeredFrom: from } : {}),
    },
  });
}

export interface PlanReply {
  decision: PlanDecision;
  feedback?: string;
}

export async function decidePlan({ sessionId }: AskedSession, item: PlanItem, reply: PlanReply): Promise<void> {
  await api.post('/sessions/{sessionId}/plan-decision', {
    path: { sessionId },
    body: {
      requestId: item.key,
      hash: item.hash,
      decision: reply.decision,
      ...(reply.feedback ? { feedback: reply.feedback } : {}),
    },
  });
}

/** Sends an answer; refreshes the list of sessions in every case. */
export function useReply<Answer>(
  sendAnswer: (answer: Answer) => Promise<void>,
): UseMutationResult<void, Error, Answer> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: sendAnswer,
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      await client.invalidateQueries({ queryKey: ['pending'] });
    },
  });
}
