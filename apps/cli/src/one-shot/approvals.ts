import type { Question, ServerAnswer } from '@fucina/conversation';
import type { ElicitationAnswer } from '@fucina/host';
import { type AskedAction, askedOfServer, isNetwork, serverAnswers } from '../asked-action.ts';
import { cleanLine, cleanText } from '../clean-text.ts';
import type { Elicitation } from '../forms/elicitation.ts';
import { toolVerb } from '../screen/cards/tool-words.ts';
import type { AgentAsking } from '../screen/conversation/agents.ts';
import { networkTitle } from '../screen/requests/network-title.ts';
import type { Terminal } from '../terminal.ts';
import { answeredSubject, sessionCommandText, sessionTool, viewAction, type WholeTool } from './action-view.ts';
import { askPlan, askQuestions, type DialogueAnswers, type PlanChoice, type ReadLine } from './dialogue.ts';
import { readLine } from './read-line.ts';
import type { Screen } from './screen.ts';

/**
 * `host`: the one that a command wants to reach. `command`: what the card shows of one. `forProject`: a sandbox rule answers from
 * now on. `ofServer`: what applies to later calls of an MCP server.
 */
export type ApprovalReply =
  | { isGiven: false }
  | { isGiven: true; wholeSession?: WholeTool | 'host' | 'command'; forProject?: true; ofServer?: ServerAnswer };

export interface Request {
  requestId: string;
  action: AskedAction;
  folder: string;
  /** See ActionView. */
  before: string | null | undefined;
  /** Aborts when the request was closed in another way. */
  signal: AbortSignal;
}

/** Answers requests for the user; `signal` aborts when the card was closed in another way. */
export interface Approver {
  ask(request: Request): Promise<ApprovalReply>;
  /** Undefined: left to the agent. */
  answer(card: {
    requestId: string;
    questions: readonly Question[];
    signal: AbortSignal;
  }): Promise<DialogueAnswers | undefined>;
  /** Undefined: the plan is not executed. */
  decide(card: { requestId: string; content: string; signal: AbortSignal }): Promise<PlanChoice | undefined>;
  /** A question of an MCP server. An invalid answer declines it. */
  fill(asked: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** The same for requests of a session's sub-agent. */
  forAgent(asking: AgentAsking): Approver;
}

export interface AskerNeeds {
  terminal: Terminal;
  screen: Screen;
  /** The user chose that nothing is asked. */
  isUnattended: boolean;
}

/** Asks on the terminal if there is one, otherwise denies and says so. */
export function createAsker({ terminal, screen, isUnattended }: AskerNeeds): Approver {
  const { stdin, stderr } = terminal.io;
  const canAsk = !isUnattended && stdin.isTTY === true && stderr.isTTY === true;
  const { say, errorStyle } = terminal;
  const place = (signal: AbortSignal) => {
    const ask: ReadLine = (prompt) => readLine(terminal, prompt, signal);
    return { terminal, screen, readLine: ask };
  };
  let last: Promise<unknown> = Promise.resolve();
  /** One prompt at a time: an agent's question waits for the answer to another's. */
  const inTurn = <Answer>(asking: AgentAsking | undefined, ask: () => Promise<Answer>): Promise<Answer> => {
    const answered = last.then(() => {
      if (asking) screen.line(`\n${errorStyle.muted(say('ask.agent', { task: cleanLine(asking.task, WHAT_WIDTH) }))}`);
      return ask();
    });
    last = answered.catch(() => undefined); // the caller reports it
    return answered;
  };
  const asker = (agent?: AgentAsking): Approver => ({
    async ask(request) {
      if (canAsk) return inTurn(agent, () => askUser(request, terminal, screen));
      screen.line(`${errorStyle.danger('✗')} ${unattended(request.action, terminal)}`);
      return { isGiven: false };
    },
    async answer({ questions, signal }) {
      if (canAsk) return inTurn(agent, () => askQuestions(questions, place(signal)));
      for (const { question } of questions)
        screen.line(`${errorStyle.danger('✗')} ${say('question.unattended', { question: cleanText(question) })}`);
      return undefined;
    },
    async decide({ content, signal }) {
      return canAsk ? inTurn(agent, () => askPlan(content, place(signal))) : undefined;
    },
    async fill(asked, signal) {
      if (canAsk) {
        const { askElicitation } = await import('./ask-form.ts');
        return inTurn(agent, () => askElicitation(asked, place(signal)));
      }
      const facts = { server: cleanLine(asked.server, WHAT_WIDTH), message: cleanLine(asked.message, WHAT_WIDTH) };
      screen.line(`${errorStyle.danger('✗')} ${say('form.unattended', facts)}`);
      return { action: 'decline' };
    },
    forAgent: asker,
  });
  return asker();
}

const WHAT_WIDTH = 120;

function unattended(action: AskedAction, { say }: Terminal): string {
  const { kind, command, path, reason, host } = action;
  if (isNetwork(action))
    return say('ask.unattended-network', {
      what: networkTitle(action, say),
      rule: `Network(${cleanLine(String(host), WHAT_WIDTH)})`,
    });
  const subject = [command, path].find((value) => typeof value === 'string') ?? '';
  if (askedOfServer(action) === 'server') return say('ask.unattended-server', serverFacts(action));
  const what = cleanLine(`${toolVerb(String(kind), false, say)} ${subject}`, WHAT_WIDTH);
  return say(reason === 'control-file' ? 'ask.unattended-file' : 'ask.unattended-level', { what });
}

/** For the sentences about an MCP server. */
export const serverFacts = ({ server, tool }: AskedAction): { server: string; tool: string } => ({
  server: cleanLine(String(server), WHAT_WIDTH),
  tool: cleanLine(String(tool), WHAT_WIDTH),
});

async function askUser(request: Request, terminal: Terminal, screen: Screen): Promise<ApprovalReply> {
  const { action, folder, before, signal } = request;
  const { say, errorStyle: style } = terminal;
  const { title, lines, isLong, preview } = await viewAction(action, { terminal, folder, before });
  const gated = answeredSubject(action) ?? sessionTool(action);
  const commands = sessionCommandText(action, say);
  const show = (shown: readonly string[]): void => {
    for (const line of shown) screen.line(`    ${line}`);
  };
  screen.line('');
  screen.line(`${style.accent('?')} ${title}`);
  show(preview);

  const ofServer = serverAnswers(action);
  const server = serverFacts(action);
  const choices = [
    say(ofServer.includes('each') ? 'ask.server-each' : 'ask.once'),
    ...(ofServer.includes('tool') ? [say('ask.server-tool')] : []),
    ...(ofServer.includes('server') ? [say('ask.server-all', server)] : []),
    ...(gated ? [commands === undefined ? say('ask.session') : say('ask.session-command', { commands })] : []),
    say('ask.deny'),
    ...(isLong ? [say('ask.all')] : []),
  ];
  const prompt = `  ${choices.join(style.muted(' · '))} ${style.accent('›')} `;
  for (;;) {
    const answer = (await readLine(terminal, prompt, signal))?.trim().toLowerCase();
    if (answer === undefined || answer === 'n') return { isGiven: false };
    if (answer === 'y' || answer === 's')
      return { isGiven: true, ...(ofServer.includes('each') && { ofServer: 'each' as const }) };
    if (answer === 't' && ofServer.includes('tool')) return { isGiven: true, ofServer: 'tool' };
    if (answer === 'a' && ofServer.includes('server')) return { isGiven: true, ofServer: 'server' };
    if (answer === 'a' && gated) return { isGiven: true, wholeSession: gated };
    if (answer === 'v') show(lines);
  }
}
