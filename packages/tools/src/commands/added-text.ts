import { textEnd } from '@fucina/shared';
export interface AddedText {
  /** The part of the whole text that is new since the last call. `isCut`: its beginning is missing. */
  of(text: string, isCut: boolean): string;
}

/** Length of the anchor that finds the position in a text whose beginning was cut. */
const MARK_CHARS = 2000;
const NOT_RECEIVED = '\n[… some output was not received …]\n';

/** Finds what was added to a text that is always sent whole and may lose its beginning. */
export function createAddedText(): AddedText {
  let length = 0;
  let mark = '';
  return {
    of(text, isCut) {
      const added = !isCut && text.length >= length ? text.slice(length) : afterMark(text, mark);
      length = text.length;
      mark = textEnd(text, MARK_CHARS);
      return added;
    },
  };
}

function afterMark(text: string, mark: string): string {
  if (mark === '') return text;
  const at = text.lastIndexOf(mark);
  return at === -1 ? `${NOT_RECEIVED}${text}` : text.slice(at + mark.length);
}
