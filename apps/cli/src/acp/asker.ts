import type {
  AgentContext,
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import type { ServerAnswer } from '@fucina/conversation';
import type { ElicitationAnswer } from '@fucina/host';
import { type AskedAction, isHiddenRead, isNetwork, projectRule, serverAnswers } from '../asked-action.ts';
import { cleanLine } from '../clean-text.ts';
import type { Elicitation } from '../forms/elicitation.ts';
import { elicitationTitle, elicitationWarning } from '../forms/elicitation-words.ts';
import { answeredSubject, sessionCommandText, sessionTool } from '../one-shot/action-view.ts';
import { type Approver, serverFacts } from '../one-shot/approvals.ts';
import type { PlanChoice } from '../one-shot/dialogue.ts';
import { networkTitle } from '../screen/requests/network-title.ts';
import type { Say } from '../words/index.ts';
import { askedContent } from './asked-content.ts';
import { kindOf, textContent, titleOf } from './updates.ts';

export interface EditorNeeds {
  client: AgentContext;
  sessionId: string;
  say: Say;
  /** The editor's capabilities. */
  capabilities: ClientCapabilities | undefined;
  /** The open call of that tool, if any. */
  callOf(tool: string): string | undefined;
  /** The task of the agent that asks, if it is a sub-agent. */
  task?: string;
}

const PATH_WIDTH = 300;

/** Shows cards to the user through the editor's permission requests. */
export function createEditorAsker(needs: EditorNeeds): Approver {
  const { client, sessionId, say, capabilities, callOf, task } = needs;
  const marked = (toolCall: ToolCallUpdate): ToolCallUpdate =>
    task === undefined
      ? toolCall
      : { ...toolCall, content: [textContent(say('ask.agent', { task })), ...(toolCall.content ?? [])] };
  /** The id of the chosen option; undefined when the editor or the turn cancelled the card. */
  const choose = async (
    toolCall: ToolCallUpdate,
    options: PermissionOption[],
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const asked: RequestPermissionRequest = { sessionId, toolCall: marked(toolCall), options };
    const answered = client.request<RequestPermissionResponse>(methods.client.session.requestPermission, asked, {
      cancellationSignal: signal,
      stopWaitingOnCancel: true,
    });
    const outcome = await answered.then(
      (answer) => answer.outcome,
      () => undefined, // cancelled, or the editor has disconnected: not allowed
    );
    return outcome?.outcome === 'selected' ? outcome.optionId : undefined;
  };

  return {
    async ask({ requestId, action, folder, before, signal }) {
      const tool = String(action.kind);
      const content = askedContent(action, { folder, before, say });
      const toolCallId = callOf(tool) ?? requestId;
      const title = isNetwork(action)
        ? networkTitle(action, say)
        : isHiddenRead(action)
          ? say('acp.read', { path: cleanLine(String(action.path), PATH_WIDTH) })
          : titleOf(tool, action, say);
      const toolCall = { toolCallId, title, kind: kindOf(tool), content };
      const gated = answeredSubject(action) ?? sessionTool(action);
      const commands = sessionCommandText(action, say);
      const session = commands === undefined ? say('acp.session') : say('acp.session-command', { commands });
      const hasProject = projectRule(action) !== undefined;
      const options: PermissionOption[] = [
        ...firstOptions(action, say),
        ...(gated ? [{ optionId: 'session', name: session, kind: 'allow_always' as const }] : []),
        ...(hasProject ? [{ optionId: 'project', name: say('acp.project'), kind: 'allow_always' as const }] : []),
        { optionId: 'deny', name: say('acp.deny'), kind: 'reject_once' },
      ];
      const chosen = await choose(toolCall, options, signal);
      if (chosen === 'session' && gated) return { isGiven: true, wholeSession: gated };
      if (chosen === 'project' && hasProject) return { isGiven: true, forProject: true };
      const ofServer = serverAnswers(action).find((answer) => serverOptionId(answer) === chosen);
      if (ofServer) return { isGiven: true, ofServer };
      return { isGiven: chosen === 'once' };
    },

    /** One question with one choice: editors support no more, and the agent decides. */
    async answer({ requestId, questions: [question, ...more], signal }) {
      const labels = question?.options?.map(({ label }) => label) ?? [];
      if (!question || more.length > 0 || labels.length === 0 || question.multiSelect) return undefined;
      const options: PermissionOption[] = [
        ...labels.map((name, index) => ({ optionId: String(index), name, kind: 'allow_once' as const })),
        { optionId: 'skip', name: say('acp.skip'), kind: 'reject_once' },
      ];
      const toolCallId = callOf('ask_user') ?? requestId;
      const chosen = await choose(
        { toolCallId, title: question.question, content: [textContent(question.why)] },
        options,
        signal,
      );
      const label = labels[Number(chosen)];
      return label === undefined ? undefined : { [question.id]: label };
    },

    async decide({ requestId, content, signal }): Promise<PlanChoice | undefined> {
      const options: PermissionOption[] = [
        { optionId: 'accept', name: say('acp.plan-accept'), kind: 'allow_once' },
        { optionId: 'confirm', name: say('acp.plan-confirm'), kind: 'allow_once' },
        { optionId: 'stop', name: say('acp.plan-stop'), kind: 'reject_once' },
      ];
      const toolCallId = callOf('present_plan') ?? requestId;
      const chosen = await choose(
        { toolCallId, title: say('plan.title'), content: [textContent(content)] },
        options,
        signal,
      );
      if (chosen === 'accept') return { decision: 'procedi-accetta-modifiche' };
      return chosen === 'confirm' ? { decision: 'procedi-con-conferma' } : undefined;
    },

    /** With the editor's own form, if it supports forms. */
    async fill(asked, signal): Promise<ElicitationAnswer> {
      const { form, url } = capabilities?.elicitation ?? {};
      if (!(asked.url === undefined ? form : url)) return { action: 'decline' };
      const answered = client.request<CreateElicitationResponse>(
        methods.client.elicitation.create,
        elicitationFor(asked, needs),
        { cancellationSignal: signal, stopWaitingOnCancel: true },
      );
      return answered.then(answerFrom, (): ElicitationAnswer => ({ action: 'cancel' }));
    },

    forAgent: (asking) => createEditorAsker({ ...needs, task: asking.task }),
  };
}

/** Editors that answer `once` by itself allow this call, and the next one asks. */
const serverOptionId = (answer: ServerAnswer): string => (answer === 'each' ? 'once' : answer);

/** A question about a whole MCP server is asked one time, so no answer to it is for this call alone. */
function firstOptions(action: AskedAction, say: Say): PermissionOption[] {
  const answers = serverAnswers(action);
  // A command that has ended cannot be allowed once: its answer applies to the session.
  const once = say(isHiddenRead(action) ? 'acp.session' : 'acp.once');
  return [
    ...(answers.includes('each') ? [] : [{ optionId: 'once', name: once, kind: 'allow_once' as const }]),
    ...answers.map((answer) => ({
      optionId: serverOptionId(answer),
      name: say(`acp.server-${answer}`, serverFacts(action)),
      kind: answer === 'each' ? ('allow_once' as const) : ('allow_always' as const),
    })),
  ];
}

function elicitationFor(asked: Elicitation, { sessionId, say, task }: EditorNeeds): CreateElicitationRequest {
  const { requestId, message, form, url, sampling } = asked;
  const whose = task === undefined ? [] : [say('ask.agent', { task })];
  // The editor's form says nothing by itself about the model that would be used.
  const what = sampling ? [elicitationWarning(asked, say)] : [];
  const request = { sessionId, message: [...whose, elicitationTitle(asked, say), ...what, message].join('\n\n') };
  if (url !== undefined) return { mode: 'url', elicitationId: requestId, url, ...request };
  return { mode: 'form', requestedSchema: { type: 'object', ...form }, ...request };
}

function answerFrom(response: CreateElicitationResponse): ElicitationAnswer {
  if (response.action !== 'accept') return { action: response.action === 'decline' ? 'decline' : 'cancel' };
  const content = response.content as Record<string, unknown> | null | undefined;
  return { action: 'accept', ...(content && { content }) };
}
