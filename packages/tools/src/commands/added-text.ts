export interface AddedText {
  /** What is new in the whole text since the last call. `isCut`: its beginning is missing. */
  of(text: string, isCut: boolean): string;
}

/** Characters by which a text is found again once its beginning is cut. */
const MARK_CHARS = 2000;
const NOT_RECEIVED = '\n[… some output was not received …]\n';

/** Finds what was added to a text that is told whole each time and may lose its beginning. */
export function createAddedText(): AddedText {
  let length = 0;
  let mark = '';
  return {
    of(text, isCut) {
      const added = !isCut && text.length >= length ? text.slice(length) : afterMark(text, mark);
      length = text.length;
      mark = text.slice(-MARK_CHARS);
      return added;
    },
  };
}

function afterMark(text: string, mark: string): string {
  if (mark === '') return text;
  const at = text.lastIndexOf(mark);
  return at === -1 ? `${NOT_RECEIVED}${text}` : text.slice(at + mark.length);
}
