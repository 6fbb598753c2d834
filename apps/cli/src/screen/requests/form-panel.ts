import type { Draft, FormField } from '@fucina/shared/form-fields';
import type { Elicitation } from '../../forms/elicitation.ts';
import { elicitationTitle } from '../../forms/elicitation-words.ts';
import { createFormState, type FormState, finishForm, setField } from '../../forms/filling.ts';
import type { Input, Key } from '../input/input.ts';
import type { DrawnLines, ScreenPart, Size } from '../part.ts';
import { textLines, wrapLine } from '../render/wrap.ts';
import type { RequestAnswer } from '../workbench.ts';
import { createField, type Field } from './field.ts';
import { createFocus, type Focus, isNumber, takeNumbered } from './focus.ts';
import { type FormLines, fieldHint, formLines, formPageLines } from './form-lines.ts';
import { takeListKey } from './list-keys.ts';
import { drawPanel, type Option, type PanelContent, type PanelNeeds } from './panel.ts';

interface State {
  focus: Focus;
  filling: FormState;
  /** Index of a field, or beyond them of an answer. */
  at: number;
  /** While text is typed in the field. */
  field: Field | undefined;
  /** While the choices of the field are open. */
  choosing: { at: number; ticked: readonly number[] } | undefined;
  top: number;
  isAnswered: boolean;
}

interface Asking {
  form: Elicitation;
  state: State;
  needs: PanelNeeds;
}

/** A form requested by a server: fields are filled in one by one and validated, then sent together. */
export function createFormPanel(form: Elicitation, needs: PanelNeeds): ScreenPart<Input> {
  const state: State = {
    focus: createFocus(needs),
    filling: createFormState(form.form ?? {}),
    at: 0,
    field: undefined,
    choosing: undefined,
    top: 0,
    isAnswered: false,
  };
  const asking: Asking = { form, state, needs };
  return {
    draw: (size) => draw(asking, size),
    take: (input) => takeNumbered(input, state, { act: (key) => act(key, asking), changed: needs.changed }),
  };
}

const ANSWERS = ['send', 'decline'] as const;

const fieldAt = ({ filling, at }: State): FormField | undefined => filling.fields[at];

/** False: not a key of this card. */
function act(key: Key, asking: Asking): boolean {
  const { state, needs } = asking;
  if (state.field) return actInField(key, asking);
  if (state.choosing) return actAmongChoices(key, asking);
  const approval = needs.keymap.actionOf(key, 'approval');
  if (approval === 'approval-cancel') return settle(asking, { action: 'cancel' });
  if (approval === 'approval-view') return view(asking);
  const last = state.filling.fields.length + ANSWERS.length - 1;
  if (isNumber(key) && Number(key.text) - 1 <= last) {
    state.at = Number(key.text) - 1;
    return go(asking);
  }
  if (key.name === 'space' && fieldAt(state)?.kind === 'boolean') return go(asking);
  return takeListKey(key, needs.keymap, {
    at: state.at,
    last,
    move: (at) => (state.at = at),
    choose: () => go(asking),
  });
}

/** Into the field, or the answer. */
function go(asking: Asking): true {
  const { state, needs } = asking;
  const { filling, at } = state;
  const field = fieldAt(state);
  if (!field)
    return ANSWERS[at - filling.fields.length] === 'send' ? send(asking) : settle(asking, { action: 'decline' });
  const draft = filling.drafts[at];
  if (field.kind === 'boolean') state.filling = setField(filling, at, draft !== true);
  else if (field.choices.length > 0) {
    const ticked = typeof draft === 'object' ? draft : [];
    state.choosing = { at: ticked[0] ?? 0, ticked };
  } else {
    state.field = createField(needs.keymap, (lines) => `[${needs.terminal.say('composer.pasted', { lines })}]`);
    state.field.set(typeof draft === 'string' ? draft : '');
  }
  return true;
}

function actInField(key: Key, { state, needs }: Asking): boolean {
  if (needs.keymap.actionOf(key, 'approval') === 'approval-cancel') {
    state.field = undefined;
    return true;
  }
  if (needs.keymap.actionOf(key, 'composer') !== 'submit') return state.field?.take(key) ?? false;
  keep(state, state.field?.text());
  state.field = undefined;
  return true;
}

function actAmongChoices(key: Key, { state, needs }: Asking): boolean {
  const { choosing } = state;
  const field = fieldAt(state);
  if (!choosing || !field) return false;
  const isMany = field.kind === 'many';
  const last = field.choices.length - 1;
  const pick = (at: number): true => {
    const ticked = isMany ? toggled(choosing.ticked, at) : [at];
    if (isMany) state.choosing = { at, ticked };
    else leaveChoices(state, ticked);
    return true;
  };
  if (needs.keymap.actionOf(key, 'approval') === 'approval-cancel') {
    state.choosing = undefined;
    return true;
  }
  if (isNumber(key) && Number(key.text) - 1 <= last) return pick(Number(key.text) - 1);
  if (key.name === 'space') return pick(choosing.at);
  return takeListKey(key, needs.keymap, {
    at: choosing.at,
    last,
    move: (at) => (state.choosing = { ...choosing, at }),
    choose: () => leaveChoices(state, isMany ? choosing.ticked : [choosing.at]),
  });
}

/** In the order of the form. */
function toggled(ticked: readonly number[], at: number): readonly number[] {
  return ticked.includes(at) ? ticked.filter((one) => one !== at) : [...ticked, at].sort((one, other) => one - other);
}

function leaveChoices(state: State, draft: readonly number[]): void {
  keep(state, draft);
  state.choosing = undefined;
}

/** Goes to the next field, unless this one is invalid. */
function keep(state: State, draft: Draft): void {
  state.filling = setField(state.filling, state.at, draft);
  if (!state.filling.problems[state.at]) state.at += 1;
}

function send(asking: Asking): true {
  const { state } = asking;
  const finished = finishForm(state.filling);
  if ('content' in finished) return settle(asking, { action: 'accept', content: finished.content });
  state.filling = finished.refused;
  state.at = state.filling.problems.findIndex((problem) => problem !== undefined);
  return true;
}

function settle({ state, needs }: Asking, answer: Extract<RequestAnswer, { kind: 'elicitation' }>['answer']): true {
  state.isAnswered = true;
  void needs.respond({ kind: 'elicitation', answer }).catch(() => {
    state.isAnswered = false;
  });
  return true;
}

function view({ form, state, needs }: Asking): true {
  const { say } = needs.terminal;
  needs.page(elicitationTitle(form, say), (width) => formPageLines(form, state.filling, { say, width }));
  return true;
}

function draw(asking: Asking, size: Size): DrawnLines {
  const { state } = asking;
  const field = state.field?.draw(Math.max(1, size.width - 4));
  const content = { ...contentOf(asking, size), ...(field && { field: field.lines }) };
  const { lines, field: place } = drawPanel(content, size);
  if (!field || !state.focus.has()) return { lines };
  return { lines, cursor: { row: place.row + field.cursor.row, column: place.column + field.cursor.column } };
}

function contentOf(asking: Asking, size: Size): PanelContent {
  const { form, state, needs } = asking;
  const { say } = needs.terminal;
  const shared = {
    title: elicitationTitle(form, say),
    token: 'accent' as const,
    hasFocus: state.focus.has(),
    hint: hintOf(asking),
    more: (count: number) => say('request.more', { count }),
  };
  return { ...shared, ...(state.choosing ? choiceContent(asking, size) : fieldsContent(asking, size)) };
}

type Middle = Pick<PanelContent, 'body' | 'top' | 'options' | 'chosen'>;

function fieldsContent({ form, state, needs }: Asking, { width, height }: Size): Middle {
  const { say } = needs.terminal;
  const { filling, at } = state;
  const count = filling.fields.length;
  const chosen = at < count ? at : undefined;
  const view = { asked: form, filling, chosen, hasFocus: state.focus.has(), say };
  const laid = formLines(view, Math.max(1, width - 4));
  if (chosen !== undefined) state.top = scrolled(state, laid, height);
  const options = ANSWERS.map(
    (answer, index): Option => ({
      key: count + index < 9 ? String(count + index + 1) : ' ',
      label: say(answer === 'send' && form.sampling ? 'form.model-allow' : `form.${answer}`),
    }),
  );
  return {
    body: (inner) => (inner === width - 4 ? laid : formLines(view, inner)).lines,
    top: state.top,
    options: state.field ? [] : options,
    chosen: at - count,
  };
}

/** Rows of the frame, answers, key hints, and the text field. */
const OTHER_ROWS = 8;

/**
 * Scrolls so that the selected field is visible, its first row before its last; at the first field the message is
 * visible too.
 */
function scrolled({ at, top }: State, { from, to }: FormLines, height: number): number {
  const room = Math.max(1, height - OTHER_ROWS);
  return Math.max(0, Math.min(from, Math.max(at === 0 ? 0 : top, to - room + 1)));
}

function choiceContent({ state, needs }: Asking, { height }: Size): Middle {
  const { say } = needs.terminal;
  const field = fieldAt(state);
  const { at, ticked } = state.choosing ?? { at: 0, ticked: [] };
  const choices = field?.choices ?? [];
  const room = Math.max(1, height - OTHER_ROWS);
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), choices.length - room));
  const options = choices.slice(first, first + room).map(({ label }, index): Option => {
    const place = first + index;
    const isTicked = ticked.includes(place);
    const mark = field?.kind === 'many' ? `[${isTicked ? 'x' : ' '}] ` : isTicked ? '● ' : '';
    return { key: place < 9 ? String(place + 1) : ' ', label, mark };
  });
  return {
    body: (width) =>
      field
        ? [
            ...textLines(field.title, { isBold: true }).flatMap((line) => wrapLine(line, width)),
            ...fieldHint(field, false, { say, width }),
          ]
        : [],
    options,
    chosen: at - first,
  };
}

function hintOf({ state, needs }: Asking): string {
  const { say } = needs.terminal;
  if (state.focus.isSettled() && !state.focus.has()) return say('request.tab');
  if (state.field) return say('form.text-keys');
  if (!state.choosing) return say('form.keys');
  return say(fieldAt(state)?.kind === 'many' ? 'form.many-keys' : 'form.one-keys');
}
