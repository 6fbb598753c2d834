import type { PlanChoice } from '../../one-shot/dialogue.ts';
import type { Input, Key } from '../input/input.ts';
import type { DrawnLines, ScreenPart, Size } from '../part.ts';
import { markdownLines } from '../render/markdown/view.ts';
import type { OpenRequest } from '../workbench.ts';
import { createField, type Field } from './field.ts';
import { createFocus, type Focus, isNumber, takeNumbered } from './focus.ts';
import { takeListKey } from './list-keys.ts';
import { cachedByWidth, drawPanel, type Option, type PanelNeeds } from './panel.ts';

type Plan = Extract<OpenRequest, { kind: 'plan' }>;

interface State {
  focus: Focus;
  chosen: number;
  top: number;
  /** Visible rows of the plan in the last frame. */
  rows: number;
  field: Field | undefined;
  isAnswered: boolean;
}

interface Asking {
  plan: Plan;
  state: State;
  needs: PanelNeeds;
  body(width: number): ReturnType<typeof markdownLines>;
}

/** A plan to approve, revise, or dismiss. */
export function createPlanPanel(plan: Plan, needs: PanelNeeds): ScreenPart<Input> {
  const state: State = {
    focus: createFocus(needs),
    chosen: 0,
    top: 0,
    rows: 1,
    field: undefined,
    isAnswered: false,
  };
  const body = cachedByWidth((width) => markdownLines(plan.content, { width, highlight: needs.highlight }));
  const asking: Asking = { plan, state, needs, body: (width) => [...body(width)] };
  return {
    draw: (size) => draw(asking, size),
    take: (input) => takeNumbered(input, state, { act: (key) => act(key, asking), changed: needs.changed }),
  };
}

const CHOICES = ['confirm', 'accept', 'change'] as const;
type Choice = (typeof CHOICES)[number];

/** False: not a key of this card. */
function act(key: Key, asking: Asking): boolean {
  const { state, needs } = asking;
  if (state.field) return actInField(key, asking);
  const approval = needs.keymap.actionOf(key, 'approval');
  if (approval === 'approval-cancel') return settle(asking, undefined);
  if (approval === 'approval-view') {
    const { plan, body } = asking;
    needs.page(needs.terminal.say('request.plan'), (width) => (plan.content === '' ? [] : body(width)));
    return true;
  }
  const number = isNumber(key) ? CHOICES[Number(key.text) - 1] : undefined;
  if (number) return pick(number, asking);
  switch (needs.keymap.actionOf(key, 'list')) {
    case 'list-page-up':
      state.top = Math.max(0, state.top - state.rows);
      return true;
    case 'list-page-down':
      state.top += state.rows;
      return true;
    default:
      return takeListKey(key, needs.keymap, {
        at: state.chosen,
        last: CHOICES.length - 1,
        move: (at) => (state.chosen = at),
        choose: () => pick(CHOICES[state.chosen] ?? 'confirm', asking),
      });
  }
}

function pick(choice: Choice, asking: Asking): true {
  const { state, needs } = asking;
  if (choice === 'confirm') return settle(asking, { decision: 'procedi-con-conferma' });
  if (choice === 'accept') return settle(asking, { decision: 'procedi-accetta-modifiche' });
  state.chosen = CHOICES.indexOf('change');
  state.field = createField(needs.keymap, (lines) => `[${needs.terminal.say('composer.pasted', { lines })}]`);
  return true;
}

function actInField(key: Key, asking: Asking): boolean {
  const { state, needs } = asking;
  if (needs.keymap.actionOf(key, 'approval') === 'approval-cancel') {
    state.field = undefined;
    return true;
  }
  if (needs.keymap.actionOf(key, 'composer') !== 'submit') return state.field?.take(key) ?? false;
  const feedback = state.field?.text() ?? '';
  return settle(asking, { decision: 'continua-a-pianificare', ...(feedback && { feedback }) });
}

function settle({ state, needs }: Asking, choice: PlanChoice | undefined): true {
  state.isAnswered = true;
  void needs.respond({ kind: 'plan', choice }).catch(() => {
    state.isAnswered = false;
  });
  return true;
}

function draw({ state, needs, body }: Asking, size: Size): DrawnLines {
  const { say } = needs.terminal;
  const field = state.field?.draw(Math.max(1, size.width - 4));
  const length = body(Math.max(1, size.width - 4)).length;
  state.top = Math.max(0, Math.min(state.top, length - 1));
  const options = CHOICES.map(
    (choice, index): Option => ({ key: String(index + 1), label: say(`request.plan-${choice}`) }),
  );
  const {
    lines,
    field: place,
    bodyRows,
  } = drawPanel(
    {
      title: say('request.plan'),
      token: 'accent',
      body,
      top: state.top,
      options,
      chosen: state.chosen,
      hasFocus: state.focus.has(),
      hint: hintOf({ state, needs }),
      ...(field && { field: field.lines }),
      more: (count) => say('request.more', { count }),
    },
    size,
  );
  state.rows = Math.max(1, bodyRows - 1);
  if (!field || !state.focus.has()) return { lines };
  return { lines, cursor: { row: place.row + field.cursor.row, column: place.column + field.cursor.column } };
}

function hintOf({ state: { focus, field }, needs: { terminal } }: Pick<Asking, 'state' | 'needs'>): string {
  if (focus.isSettled() && !focus.has()) return terminal.say('request.tab');
  return terminal.say(field ? 'request.field-keys' : 'request.plan-keys');
}
