import { cleanLine } from '../../clean-text.ts';
import { type Elicitation, hostOf } from '../../forms/elicitation.ts';
import { elicitationTitle } from '../../forms/elicitation-words.ts';
import { copyToTerminal } from '../input/clipboard.ts';
import type { Input, Key } from '../input/input.ts';
import type { Line } from '../line.ts';
import type { ScreenPart } from '../part.ts';
import { textLines, wrapLine } from '../render/wrap.ts';
import type { RequestAnswer } from '../workbench.ts';
import { createFocus, type Focus, isNumber, takeNumbered } from './focus.ts';
import { messageLines } from './form-lines.ts';
import { takeListKey } from './list-keys.ts';
import { cachedByWidth, drawPanel, type Option, type PanelNeeds } from './panel.ts';

const CHOICES = ['copy', 'opened', 'decline'] as const;
type Choice = (typeof CHOICES)[number];

interface State {
  focus: Focus;
  /** Copying comes first, so that a key pressed by habit cannot confirm that a page was opened. */
  chosen: number;
  field: undefined;
  /** Whether the address is on the clipboard; undefined: not requested. */
  isCopied: boolean | undefined;
  isAnswered: boolean;
}

interface Asking {
  page: Elicitation;
  state: State;
  needs: PanelNeeds;
}

/** A page that a server wants opened: its host and full address. The user opens it. */
export function createAddressPanel(page: Elicitation, needs: PanelNeeds): ScreenPart<Input> {
  const state: State = {
    focus: createFocus(needs),
    chosen: 0,
    field: undefined,
    isCopied: undefined,
    isAnswered: false,
  };
  const asking: Asking = { page, state, needs };
  const { say } = needs.terminal;
  const body = cachedByWidth((width) => addressLines(page, asking, width));
  return {
    draw: (size) => ({
      lines: drawPanel(
        {
          title: elicitationTitle(page, say),
          token: 'warning',
          body,
          options: CHOICES.map((choice, at): Option => ({ key: String(at + 1), label: labelOf(choice, asking) })),
          chosen: state.chosen,
          hasFocus: state.focus.has(),
          hint: say(state.focus.isSettled() && !state.focus.has() ? 'request.tab' : 'form.keys'),
          more: (count) => say('request.more', { count }),
        },
        size,
      ).lines,
    }),
    take: (input) => takeNumbered(input, state, { act: (key) => act(key, asking), changed: needs.changed }),
  };
}

const HOST_WIDTH = 253;

/** The host stands before the address, and stays visible where rows are few. */
function addressLines(page: Elicitation, { needs }: Asking, width: number): Line[] {
  const { say } = needs.terminal;
  const { url = '' } = page;
  const host = cleanLine(hostOf(url), HOST_WIDTH) || '?';
  return [
    ...wrapLine([{ text: say('form.page', { host }), isBold: true }], width),
    ...textLines(url, { token: 'accent' }).flatMap((line) => wrapLine(line, width, { isExact: true })),
    ...messageLines(page, say, width),
  ];
}

function labelOf(choice: Choice, { state, needs }: Asking): string {
  const { say } = needs.terminal;
  if (choice !== 'copy' || state.isCopied === undefined) return say(`form.${choice}`);
  return say(state.isCopied ? 'form.copied' : 'form.not-copied');
}

/** False: not a key of this card. */
function act(key: Key, asking: Asking): boolean {
  const { state, needs } = asking;
  const approval = needs.keymap.actionOf(key, 'approval');
  if (approval === 'approval-cancel') return settle(asking, 'cancel');
  if (approval === 'approval-view') return view(asking);
  const number = isNumber(key) ? CHOICES[Number(key.text) - 1] : undefined;
  if (number) return pick(number, asking);
  return takeListKey(key, needs.keymap, {
    at: state.chosen,
    last: CHOICES.length - 1,
    move: (at) => (state.chosen = at),
    choose: () => pick(CHOICES[state.chosen] ?? 'copy', asking),
  });
}

function pick(choice: Choice, asking: Asking): true {
  const { page, state, needs } = asking;
  if (choice !== 'copy') return settle(asking, choice === 'opened' ? 'accept' : 'decline');
  state.isCopied = copyToTerminal(page.url ?? '', needs.terminal.io.stdout);
  return true;
}

function settle(
  { state, needs }: Asking,
  action: Extract<RequestAnswer, { kind: 'elicitation' }>['answer']['action'],
): true {
  state.isAnswered = true;
  void needs.respond({ kind: 'elicitation', answer: { action } }).catch(() => {
    state.isAnswered = false;
  });
  return true;
}

function view(asking: Asking): true {
  const { page, needs } = asking;
  needs.page(elicitationTitle(page, needs.terminal.say), (width) => addressLines(page, asking, width));
  return true;
}
