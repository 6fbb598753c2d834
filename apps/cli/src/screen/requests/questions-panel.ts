import type { Question } from '@fucina/conversation';
import type { Input, Key } from '../input/input.ts';
import type { Line } from '../line.ts';
import type { DrawnLines, ScreenPart, Size } from '../part.ts';
import { textLines, wrapLine } from '../render/wrap.ts';
import type { OpenRequest } from '../workbench.ts';
import {
  type Answering,
  answersOf,
  beginAnswering,
  chooseOption,
  draftAnswerOf,
  isOver,
  moveQuestion,
  optionsOf,
  questionAt,
  write,
} from './answering-state.ts';
import { createField, type Field } from './field.ts';
import { createFocus, type Focus, isNumber, takeNumbered } from './focus.ts';
import { drawPanel, type Option, type PanelNeeds } from './panel.ts';

interface State {
  focus: Focus;
  answering: Answering;
  chosen: number;
  /** While free text is typed. */
  field: Field | undefined;
  isAnswered: boolean;
}

interface Asking {
  state: State;
  needs: PanelNeeds;
}

/** Questions of the agent, one after the other. */
export function createQuestionsPanel(
  { questions }: Extract<OpenRequest, { kind: 'questions' }>,
  needs: PanelNeeds,
): ScreenPart<Input> {
  const state: State = {
    focus: createFocus(needs),
    answering: beginAnswering(questions),
    chosen: 0,
    field: undefined,
    isAnswered: false,
  };
  const asking: Asking = { state, needs };
  arrive(asking);
  return {
    draw: (size) => draw(asking, size),
    take: (input) => takeNumbered(input, state, { act: (key) => act(key, asking), changed: needs.changed }),
  };
}

/** Goes to a question: selects its answer, or opens the text field if it has no options. */
function arrive({ state, needs }: Asking): void {
  const question = questionAt(state.answering);
  if (!question) return;
  const { labels, own } = draftAnswerOf(state.answering);
  const options = optionsOf(question);
  state.field = undefined;
  state.chosen = Math.max(
    0,
    options.findIndex(({ label }) => labels.includes(label)),
  );
  if (options.length === 0 || own) openField({ state, needs });
}

function openField({ state, needs }: Asking): void {
  const { say } = needs.terminal;
  state.field = createField(needs.keymap, (lines) => `[${say('composer.pasted', { lines })}]`);
  const { own } = draftAnswerOf(state.answering);
  if (own) state.field.set(own);
  state.chosen = optionsOf(questionAt(state.answering) ?? NOBODYS).length;
}

const NOBODYS: Question = { id: '', question: '', why: '' };

/** False: not a key of this card. */
function act(key: Key, asking: Asking): boolean {
  const { state, needs } = asking;
  const question = questionAt(state.answering) ?? NOBODYS;
  const options = optionsOf(question);
  const action = needs.keymap.actionOf(key, 'list');
  if (state.field) return actInField(key, asking);
  if (needs.keymap.actionOf(key, 'approval') === 'approval-cancel') return settle(asking, false);
  const number = isNumber(key) ? Number(key.text) - 1 : undefined;
  if (number !== undefined && number <= options.length) {
    state.chosen = number;
    return pick(asking);
  }
  if (action === 'list-up') state.chosen = Math.max(0, state.chosen - 1);
  else if (action === 'list-down') state.chosen = Math.min(options.length, state.chosen + 1);
  else if (key.name === 'space' && question.multiSelect) return pick(asking);
  else if (key.name === 'left' || key.name === 'backspace') go(asking, -1);
  else if (action === 'list-choose')
    return question.multiSelect && state.chosen < options.length ? go(asking, 1) : pick(asking);
  else return false;
  return true;
}

function actInField(key: Key, asking: Asking): boolean {
  const { state, needs } = asking;
  const hasOptions = optionsOf(questionAt(state.answering) ?? NOBODYS).length > 0;
  if (needs.keymap.actionOf(key, 'composer') === 'submit') {
    state.answering = write(state.answering, state.field?.text() ?? '');
    return go(asking, 1);
  }
  if (needs.keymap.actionOf(key, 'approval') === 'approval-cancel') {
    if (!hasOptions) return settle(asking, false);
    state.answering = write(state.answering, '');
    arrive(asking);
    return true;
  }
  if (key.name === 'up' && hasOptions && state.field?.text() === '') {
    arrive(asking);
    return true;
  }
  return state.field?.take(key) ?? false;
}

function pick(asking: Asking): true {
  const { state } = asking;
  const question = questionAt(state.answering) ?? NOBODYS;
  const option = optionsOf(question)[state.chosen];
  if (!option) openField(asking);
  else {
    state.answering = chooseOption(state.answering, option.label);
    if (!question.multiSelect) go(asking, 1);
  }
  return true;
}

function go(asking: Asking, by: 1 | -1): true {
  const { state } = asking;
  state.answering = moveQuestion(state.answering, by);
  if (isOver(state.answering)) return settle(asking, true);
  arrive(asking);
  return true;
}

function settle({ state, needs }: Asking, isGiven: boolean): true {
  state.isAnswered = true;
  const answers = isGiven ? answersOf(state.answering) : undefined;
  void needs.respond({ kind: 'questions', answers }).catch(() => {
    state.isAnswered = false;
    state.answering = { ...state.answering, at: 0 };
    arrive({ state, needs });
  });
  return true;
}

function draw({ state, needs }: Asking, size: Size): DrawnLines {
  const { say } = needs.terminal;
  const { answering, focus, chosen } = state;
  const question = questionAt(answering) ?? answering.questions.at(-1) ?? NOBODYS;
  const count = answering.questions.length;
  const title =
    count > 1 ? say('request.question-of', { at: Math.min(count, answering.at + 1), count }) : say('request.question');
  const field = state.field?.draw(Math.max(1, size.width - 4));
  const { lines, field: place } = drawPanel(
    {
      title,
      token: 'accent',
      body: (width) => bodyOf(question, width),
      options: optionsFor(question, { state, needs }),
      chosen,
      hasFocus: focus.has(),
      hint: hintOf(question, { state, needs }),
      ...(field && { field: field.lines }),
      more: (left) => say('look.more-lines', { count: left }),
    },
    size,
  );
  if (!field || !focus.has()) return { lines };
  return { lines, cursor: { row: place.row + field.cursor.row, column: place.column + field.cursor.column } };
}

function bodyOf({ question, why }: Question, width: number): Line[] {
  return [...textLines(question, { isBold: true }), ...(why ? textLines(why, { token: 'muted' }) : [])].flatMap(
    (line) => wrapLine(line, width),
  );
}

function optionsFor(question: Question, { state, needs }: Asking): Option[] {
  const options = optionsOf(question);
  if (options.length === 0) return [];
  const { say } = needs.terminal;
  const { labels } = draftAnswerOf(state.answering);
  const rows = options.map(({ label, description, recommended }, index): Option => {
    const isGiven = labels.includes(label);
    const mark = question.multiSelect ? `[${isGiven ? 'x' : ' '}] ` : isGiven ? '● ' : '';
    const detail = [recommended ? say('request.recommended') : '', description ?? ''].filter(Boolean).join(' · ');
    return { key: String(index + 1), label, mark, ...(detail && { detail }) };
  });
  return [...rows, { key: String(options.length + 1), label: say('request.own-answer') }];
}

function hintOf(question: Question, { state, needs }: Asking): string {
  const { say } = needs.terminal;
  if (state.focus.isSettled() && !state.focus.has()) return say('request.tab');
  const back = state.answering.at > 0 && !state.field ? `${say('request.back')} · ` : '';
  if (state.field) return say('request.field-keys');
  return back + say(question.multiSelect ? 'request.many-keys' : 'request.one-keys');
}
