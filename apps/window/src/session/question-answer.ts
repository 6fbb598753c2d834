import type { Question } from '@fucina/conversation';

/** The user's answer to one question so far. */
export interface QuestionDraft {
  picked: readonly string[];
  /** A free answer, in addition to or instead of options. */
  isFree: boolean;
  free: string;
  note: string;
  isSkipped: boolean;
}

export const MAX_ANSWER = 4_000;
export const MAX_NOTE = 1_000;

/** The recommended option is preselected; a question without options has a free answer. */
export function draftFor({ options, multiSelect }: Question): QuestionDraft {
  const recommended = multiSelect ? undefined : options?.find((option) => option.recommended);
  return {
    picked: recommended ? [recommended.label] : [],
    isFree: options === undefined,
    free: '',
    note: '',
    isSkipped: false,
  };
}

/** In a single choice the latest choice replaces the others. */
export function pickOption(question: Question, draft: QuestionDraft, label: string): QuestionDraft {
  if (!question.multiSelect) return { ...draft, picked: [label], isFree: false, isSkipped: false };
  const picked = draft.picked.includes(label) ? draft.picked.filter((one) => one !== label) : [...draft.picked, label];
  return { ...draft, picked, isSkipped: false };
}

export function pickFreeText(question: Question, draft: QuestionDraft): QuestionDraft {
  const isFree = question.multiSelect ? !draft.isFree : true;
  return { ...draft, isFree, picked: question.multiSelect ? draft.picked : [], isSkipped: false };
}

/** Undefined while it is incomplete. */
export function answerOf(question: Question, draft: QuestionDraft): string | string[] | undefined {
  const free = draft.isFree ? draft.free.trim() : '';
  if (draft.isFree && free === '') return undefined;
  const all = [...draft.picked, ...(free && !draft.picked.includes(free) ? [free] : [])];
  if (question.multiSelect) return all.length > 0 ? all : undefined;
  return all.at(-1);
}

export interface AnswerBody {
  status: 'answered' | 'skipped';
  answers?: Record<string, string | string[]>;
  skipped?: string[];
  notes?: Record<string, string>;
}

/** The answers to send; undefined while a question is neither answered nor skipped. All skipped is a skipped card. */
export function bodyOf(
  questions: readonly Question[],
  drafts: Readonly<Record<string, QuestionDraft>>,
): AnswerBody | undefined {
  const answers: Record<string, string | string[]> = {};
  const notes: Record<string, string> = {};
  const skipped: string[] = [];
  for (const question of questions) {
    const draft = drafts[question.id] ?? draftFor(question);
    const answer = draft.isSkipped ? undefined : answerOf(question, draft);
    if (answer !== undefined) answers[question.id] = answer;
    else if (draft.isSkipped) skipped.push(question.id);
    else return undefined;
    if (draft.note.trim() !== '') notes[question.id] = draft.note.trim();
  }
  if (Object.keys(answers).length === 0) return { status: 'skipped' };
  return {
    status: 'answered',
    answers,
    ...(skipped.length > 0 ? { skipped } : {}),
    ...(Object.keys(notes).length > 0 ? { notes } : {}),
  };
}
