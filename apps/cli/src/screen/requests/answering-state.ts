import type { Question } from '@fucina/conversation';
import type { DialogueAnswers } from '../../one-shot/dialogue.ts';

/** Answers to consecutive questions. Immutable: each step returns a new state. */
export interface Answering {
  questions: readonly Question[];
  at: number;
  given: Readonly<Record<string, DraftAnswer>>;
}

export interface DraftAnswer {
  /** Labels, in the order of the options. */
  labels: readonly string[];
  /** Free text of the user. */
  own: string;
}

export interface ChoosableOption {
  label: string;
  description?: string;
  recommended?: boolean;
}

const NOTHING: DraftAnswer = { labels: [], own: '' };

export function beginAnswering(questions: readonly Question[]): Answering {
  return { questions, at: 0, given: {} };
}

export function questionAt({ questions, at }: Answering): Question | undefined {
  return questions[at];
}

/** Recommended options come first. */
export function optionsOf({ options = [] }: Question): readonly ChoosableOption[] {
  return [...options.filter(({ recommended }) => recommended), ...options.filter(({ recommended }) => !recommended)];
}

export function draftAnswerOf(state: Answering): DraftAnswer {
  const question = questionAt(state);
  return (question && state.given[question.id]) ?? NOTHING;
}

/** In a single choice it replaces the earlier one; in a multiple choice it is toggled. */
export function chooseOption(state: Answering, label: string): Answering {
  const question = questionAt(state);
  if (!question) return state;
  const { labels, own } = draftAnswerOf(state);
  if (!question.multiSelect) return give(state, question, { labels: [label], own: '' });
  const isTicked = labels.includes(label);
  const ticked = optionsOf(question)
    .map((option) => option.label)
    .filter((known) => (known === label ? !isTicked : labels.includes(known)));
  return give(state, question, { labels: ticked, own });
}

export function write(state: Answering, own: string): Answering {
  const question = questionAt(state);
  if (!question) return state;
  return give(state, question, { labels: question.multiSelect ? draftAnswerOf(state).labels : [], own });
}

export function moveQuestion(state: Answering, by: 1 | -1): Answering {
  return { ...state, at: Math.max(0, state.at + by) };
}

export function isOver({ questions, at }: Answering): boolean {
  return at >= questions.length;
}

/** Undefined without any answer: then the agent decides. */
export function answersOf({ questions, given }: Answering): DialogueAnswers | undefined {
  const answers: DialogueAnswers = {};
  for (const { id, multiSelect } of questions) {
    const { labels, own } = given[id] ?? NOTHING;
    const all = own ? [...labels, own] : [...labels];
    if (all.length > 0) answers[id] = multiSelect ? all : (all[0] ?? '');
  }
  return Object.keys(answers).length > 0 ? answers : undefined;
}

function give(state: Answering, { id }: Question, given: DraftAnswer): Answering {
  return { ...state, given: { ...state.given, [id]: given } };
}
