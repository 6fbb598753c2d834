import type { ServerAnswer } from '@fucina/conversation';
import { type AskedAction, isHiddenRead, isNetwork, projectRule, serverAnswers } from '../../asked-action.ts';
import { sessionCommandText, sessionTool } from '../../one-shot/action-view.ts';
import { serverFacts } from '../../one-shot/approvals.ts';
import type { Say } from '../../words/index.ts';
import type { Input, Key } from '../input/input.ts';
import type { Action } from '../input/keymap.ts';
import type { Line } from '../line.ts';
import type { ScreenPart } from '../part.ts';
import type { ApprovalChoice, OpenRequest } from '../workbench.ts';
import { actionLines, actionTitle, commandEnd, fittingLines } from './action-lines.ts';
import { createFocus, type Focus, takeInput } from './focus.ts';
import { takeListKey } from './list-keys.ts';
import { cachedByWidth, drawPanel, type Option, type PanelNeeds } from './panel.ts';

type Approval = Extract<OpenRequest, { kind: 'approval' }>;

interface Choice extends Option {
  choice: ApprovalChoice;
}

interface State {
  focus: Focus;
  chosen: number;
  isAnswered: boolean;
  /** Whether the end of a command has no room on the screen: it is then shown in full before it is allowed. */
  isEndHidden: boolean;
  wasViewed: boolean;
  /** Undefined until they are known. */
  allow: readonly string[] | undefined;
  deny: readonly string[] | undefined;
}

/** Asks for approval: once, for the session, always; or deny. */
export function createApprovalPanel(request: Approval, needs: PanelNeeds): ScreenPart<Input> {
  const state: State = {
    focus: createFocus(needs),
    chosen: 0,
    isAnswered: false,
    isEndHidden: false,
    wasViewed: false,
    allow: undefined,
    deny: undefined,
  };
  for (const verdict of ['allow', 'deny'] as const) {
    // Without rules the permanent answers are not offered.
    void needs
      .rules({ action: request.action, folder: request.folder, verdict })
      .catch((): readonly string[] => [])
      .then((rules) => {
        state[verdict] = rules;
        needs.changed();
      });
  }
  const { say } = needs.terminal;
  const place = { say, folder: request.folder, before: request.before };
  const title = actionTitle(request.action, place);
  const body = cachedByWidth((width) => actionLines(request.action, { ...place, width }));
  const fit = (lines: readonly Line[], room: number, width: number): Line[] => {
    const end = commandEnd(request.action, { ...place, width });
    const fitting = fittingLines(lines, { room, end, more: (count) => say('request.more', { count }) });
    state.isEndHidden = !fitting.hasEnd;
    return fitting.lines;
  };
  return {
    draw: (size) => ({
      lines: drawPanel(
        {
          title,
          token: 'warning',
          body,
          fit,
          options: choicesOf(request, state, needs),
          chosen: state.chosen,
          hasFocus: state.focus.has(),
          hint: hintOf(state.focus, needs),
          more: (count) => say('request.more', { count }),
        },
        size,
      ).lines,
    }),
    take(input) {
      if (input.kind !== 'key') return false;
      // A repeated press of the same key must not be typed into the composer.
      if (state.isAnswered) return needs.keymap.actionOf(input, 'approval') !== undefined;
      return takeInput(input, {
        focus: state.focus,
        field: undefined,
        act: (key) => act(key, { request, state, needs }),
        isAnswer: ({ text, ...key }) => text !== undefined && needs.keymap.actionOf(key, 'approval') !== undefined,
        changed: needs.changed,
      });
    },
  };
}

interface Asking {
  request: Approval;
  state: State;
  needs: PanelNeeds;
}

/** The numbers of answers are fixed, even when one is not offered. */
function choicesOf({ action }: Approval, { allow, deny }: State, { terminal: { say }, keymap }: PanelNeeds): Choice[] {
  const option = (choice: ApprovalChoice, detail?: string): Choice => ({
    choice,
    key: keymap.keysOf(ACTION_OF[choice])[0] ?? ' ',
    label: say(`request.${choice}`),
    ...(detail !== undefined && { detail }),
  });
  const tool = sessionTool(action);
  const rule = projectRule(action);
  // The command has ended: it cannot be allowed once, and no rule can deny it.
  if (isHiddenRead(action))
    return [
      option('session'),
      ...(rule === undefined ? [] : [projectOption(option, { rule, say })]),
      option('deny-once'),
    ];
  const never = deny?.length === 0 ? [] : [option('deny-always', deny?.join(' ') ?? '')];
  if (serverAnswers(action).length > 0)
    return [...serverOptions(option, { action, say }), option('deny-once'), ...never];
  const commands = sessionCommandText(action, say);
  const hasLasting = tool !== undefined || commands !== undefined || isNetwork(action);
  return [
    option('once'),
    ...(tool ? [option('session', say(`request.every-${tool}`))] : []),
    ...(commands === undefined ? [] : [option('session', commands)]),
    ...(isNetwork(action) ? [option('session', `${String(action.host)}:${String(action.port)}`)] : []),
    ...(rule !== undefined ? [projectOption(option, { rule, say })] : []),
    ...(rule !== undefined && isNetwork(action) ? [option('everywhere', rule)] : []),
    ...(rule === undefined && hasLasting && allow?.length !== 0 ? [option('always', allow?.join(' ') ?? '')] : []),
    option('deny-once'),
    ...never,
  ];
}

/** What each key of the card answers about an MCP server. */
const SERVER_CHOICES = { each: 'once', tool: 'session', server: 'always' } as const;

/** Undefined for a card that asks nothing about a server, and for a choice about this call only. */
export function serverAnswerOf(action: AskedAction, choice: ApprovalChoice): ServerAnswer | undefined {
  return serverAnswers(action).find((answer) => SERVER_CHOICES[answer] === choice);
}

function serverOptions(
  option: (choice: ApprovalChoice) => Choice,
  { action, say }: { action: AskedAction; say: Say },
): Choice[] {
  const answers = serverAnswers(action);
  const offered = answers.map((answer) => ({
    ...option(SERVER_CHOICES[answer]),
    label: say(`request.server-${answer}`, serverFacts(action)),
  }));
  return answers.includes('each') ? offered : [option('once'), ...offered];
}

/** The same key as a tool's permanent answer. */
function projectOption(
  option: (choice: ApprovalChoice, detail: string) => Choice,
  { rule, say }: { rule: string; say: Say },
): Choice {
  return { ...option('always', rule), label: say('request.project') };
}

const ACTION_OF: Readonly<Record<ApprovalChoice, Action>> = {
  once: 'approve-once',
  session: 'approve-session',
  always: 'approve-always',
  everywhere: 'approve-everywhere',
  'deny-once': 'deny-once',
  'deny-always': 'deny-always',
};

/** False: not a key of this card. */
function act(key: Key, asking: Asking): boolean {
  const { request, state, needs } = asking;
  const choices = choicesOf(request, state, needs);
  const action = needs.keymap.actionOf(key, 'approval');
  if (action === 'approval-cancel') return answer('deny-once', asking);
  if (action === 'approval-view') return view(asking);
  if (action !== undefined) {
    const named = choices.find(({ choice }) => ACTION_OF[choice] === action);
    return named ? answer(named.choice, asking) : true;
  }
  const last = choices.length - 1;
  return takeListKey(key, needs.keymap, {
    at: state.chosen,
    last,
    move: (at) => (state.chosen = at),
    choose: () => answer(choices[Math.min(state.chosen, last)]?.choice ?? 'deny-once', asking),
  });
}

function answer(choice: ApprovalChoice, asking: Asking): true {
  const { state, needs } = asking;
  const isAllowing = choice !== 'deny-once' && choice !== 'deny-always';
  if (isAllowing && state.isEndHidden && !state.wasViewed) return view(asking);
  state.isAnswered = true;
  void needs.respond({ kind: 'approval', choice }).catch(() => {
    state.isAnswered = false;
  });
  return true;
}

function view({ request, state, needs }: Asking): true {
  state.wasViewed = true;
  const { say } = needs.terminal;
  const { action, folder, before } = request;
  needs.page(actionTitle(action, { say, folder, before }), (width) =>
    actionLines(action, { say, folder, before, width }),
  );
  return true;
}

function hintOf(focus: Focus, { terminal: { say } }: PanelNeeds): string {
  return focus.isSettled() && !focus.has() ? say('request.tab') : say('request.approval-keys');
}
