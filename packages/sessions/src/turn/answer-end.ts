import type { ModelStep } from './model-step.ts';

/** In a row, before the turn ends. */
const MAX_CUT = 3;
const MAX_EMPTY = 1;
const MAX_MALFORMED = 3;

const WORDS = {
  cut: 'Your answer was cut at the output limit. Continue exactly where it stopped, in smaller parts.',
  empty: 'Your last answer was empty. If the task is finished, say so in a sentence; otherwise continue.',
  pause: 'Continue.',
  malformed:
    'Your last call could not be read, so it was not run. Send it again as one call with valid JSON arguments.',
} as const;

const CUT_CALL =
  'This call was cut at the output limit, so it was not run. Send it in smaller parts: several edits, or a file in several steps.';

/** What follows an answer that the model did not end by itself: a word to the model, or the end of the turn. */
export type Next = { tell: string } | { error: { type: 'RunError'; code: string; message: string } };

/** Follows the answers of a turn. An answer with calls is judged by the results of its calls. */
export function createAnswerEnds(): { next(answer: ModelStep): Next | undefined } {
  let cut = 0;
  let empty = 0;
  let malformed = 0;
  return {
    next({ finish, text, toolCalls }) {
      const isEmpty = text.trim() === '' && toolCalls.length === 0;
      cut = finish === 'length' ? cut + 1 : 0;
      malformed = finish === 'malformed-call' ? malformed + 1 : 0;
      empty = isEmpty && finish !== 'length' && malformed === 0 ? empty + 1 : 0;
      if (finish === 'content-filter') return ended('risposta-rifiutata', 'The model refused to answer.');
      if (toolCalls.length > 0) return undefined;
      if (finish === 'pause') return { tell: WORDS.pause };
      if (malformed > MAX_MALFORMED) return ended('risposta-vuota', 'The model sent calls that could not be read.');
      if (malformed > 0) return { tell: WORDS.malformed };
      if (cut > MAX_CUT) return ended('risposta-tagliata', 'The answer was cut at the output limit of the model.');
      if (cut > 0) return { tell: WORDS.cut };
      if (empty > MAX_EMPTY) return ended('risposta-vuota', 'The model gave an empty answer, twice.');
      return empty > 0 ? { tell: WORDS.empty } : undefined;
    },
  };
}

function ended(code: string, message: string): Next {
  return { error: { type: 'RunError', code, message } };
}

/** The call that the output limit cut, if any: only the last one can be incomplete. */
export function cutCall({ finish, toolCalls }: ModelStep): { id: string; content: string } | undefined {
  const last = finish === 'length' ? toolCalls.at(-1) : undefined;
  return last && (last.isCut || !isWhole(last.arguments)) ? { id: last.id, content: CUT_CALL } : undefined;
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
