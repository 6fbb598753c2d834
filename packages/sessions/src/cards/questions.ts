import * as z from 'zod';
import { sessionsError } from '../errors.ts';

/** Questions of an agent to the user, and the validation of answers (behaviour: approvals, questions, plans). */
const option = z.strictObject({
  label: z.string().min(1).max(120),
  description: z.string().max(300).optional(),
  recommended: z.boolean().optional(),
  preview: z
    .string()
    .max(2_000)
    .refine((text) => text.split('\n').length <= 20, 'at most 20 lines')
    .optional(),
});

const question = z
  .strictObject({
    id: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
    header: z.string().max(12).optional(),
    question: z.string().min(1).max(600),
    why: z.string().min(1).max(300),
    options: z.array(option).min(2).max(4).optional(),
    multiSelect: z.boolean().optional(),
  })
  .refine(({ options = [] }) => new Set(options.map(({ label }) => label)).size === options.length, 'labels differ')
  .refine(({ options = [] }) => options.filter(({ recommended }) => recommended).length <= 1, 'one recommended at most')
  .refine(({ options, multiSelect }) => !multiSelect || options !== undefined, 'multiSelect needs options');

export const questionsInput = z.strictObject({
  questions: z
    .array(question)
    .min(1)
    .max(4)
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'ids differ'),
});

export type Question = z.infer<typeof question>;

export interface QuestionCard {
  requestId: string;
  questions: Question[];
}

export interface QuestionAnswer {
  requestId: string;
  status: 'answered' | 'skipped' | 'cancelled' | 'expired';
  answers?: Record<string, string | string[]>;
  skipped?: string[];
  notes?: Record<string, string>;
}

const ANSWER_LIMIT = 4_000;
const NOTE_LIMIT = 1_000;

/** The recommended option comes first. */
export function recommendedFirst(questions: readonly Question[]): Question[] {
  return questions.map((one) => {
    const { options } = one;
    if (!options) return one;
    const first = options.filter(({ recommended }) => recommended);
    return { ...one, options: [...first, ...options.filter(({ recommended }) => !recommended)] };
  });
}

/** Throws QUERY_INVALID for an answer that does not match the questions. */
export function checkAnswer(questions: readonly Question[], answer: QuestionAnswer): void {
  const { status, answers = {}, skipped = [], notes = {} } = answer;
  const refuse = (reason: string): never => {
    throw sessionsError('QUERY_INVALID', { reason });
  };
  const hasContent = answer.answers !== undefined || answer.skipped !== undefined || answer.notes !== undefined;
  if (status !== 'answered') {
    if (hasContent) refuse('answer-not-expected');
    return;
  }
  const ids = new Set(questions.map(({ id }) => id));
  const given = Object.keys(answers);
  if (!given.length) refuse('no-answer');
  if ([...given, ...skipped, ...Object.keys(notes)].some((id) => !ids.has(id))) refuse('question-unknown');
  if (new Set(skipped).size !== skipped.length) refuse('question-twice');
  for (const one of questions) {
    const isAnswered = Object.hasOwn(answers, one.id);
    if (isAnswered === skipped.includes(one.id)) refuse('question-answered-or-skipped');
    if (isAnswered) checkOne(one, answers[one.id] as string | string[], refuse);
  }
  if (Object.values(notes).some((note) => note.length > NOTE_LIMIT)) refuse('note-length');
}

function checkOne(one: Question, value: string | string[], refuse: (reason: string) => never): void {
  const texts = Array.isArray(value) ? value : [value];
  if (texts.some((text) => !text.trim() || text.length > ANSWER_LIMIT)) refuse('answer-length');
  if (!Array.isArray(value)) return;
  if (!one.multiSelect) refuse('one-answer-only');
  const labels = new Set(one.options?.map(({ label }) => label));
  const free = texts.filter((text) => !labels.has(text));
  if (!texts.length || texts.length > labels.size + 1 || free.length > 1) refuse('too-many-answers');
  if (new Set(texts).size !== texts.length) refuse('answer-twice');
}

/** The result for the model. */
export function questionResult(
  questions: readonly Question[],
  answer: Pick<QuestionAnswer, 'status' | 'answers' | 'notes'>,
): string {
  const { status, answers = {}, notes = {} } = answer;
  if (status === 'skipped')
    return 'The user skipped the questions. Continue with your best judgement and state your assumptions.';
  if (status !== 'answered') return 'The user did not answer. Do not ask the same again; continue only if it is safe.';
  const lines = questions.map(({ id, question: text }) => {
    const value = answers[id];
    const answerText = value === undefined ? '(skipped)' : Array.isArray(value) ? value.join('; ') : value;
    return `${text}\n→ ${answerText}${notes[id] ? `\n  note: ${notes[id]}` : ''}`;
  });
  return `The user answered:\n${lines.join('\n')}`;
}
