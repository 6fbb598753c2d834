import { ambiguous, notFound, placeholderIn } from './edit-problems.ts';
import { type Found, findPlaces, type Span } from './find-places.ts';
import { replacementFor } from './replacement.ts';

export interface Edit {
  vecchio: string;
  nuovo: string;
  tutte?: boolean | undefined;
}

export interface EditedText {
  text: string;
  /** Where the new texts stand, in the order of the text. */
  spans: readonly Span[];
  /** What was done to make the edits fit, in words for the model. */
  adjustments: readonly string[];
}

/** What a form ignores; lines of the file keep it where the edit does not change them. */
const FORM_WORDS: Readonly<Record<Found['form'], string | undefined>> = {
  exact: undefined,
  ends: "line ends set to the file's",
  trailing: 'trailing spaces ignored',
  typography: 'typographic quotes, dashes and spaces ignored',
  indentation: "indentation set to the file's",
};

/** The text after all edits, in their order; or why one of them cannot be made: then none is. */
export function applyEdits(text: string, edits: readonly Edit[], place: { label: string }): EditedText | string {
  let edited: EditedText = { text, spans: [], adjustments: [] };
  for (const [index, edit] of edits.entries()) {
    const next = applied(edited, edit, place.label);
    if (typeof next === 'string') {
      return edits.length === 1
        ? `Nothing was changed: ${next}`
        : `Nothing was changed, as edit ${index + 1} of ${edits.length} cannot be made: ${next}`;
    }
    edited = next;
  }
  return edited;
}

function applied(before: EditedText, { vecchio, nuovo, tutte }: Edit, label: string): EditedText | string {
  if (vecchio === nuovo) return 'The old and the new text are the same text.';
  const { text } = before;
  const placeholder = placeholderIn(vecchio, nuovo);
  if (placeholder !== undefined) return placeholder;
  const found = findPlaces(text, { old: vecchio, fresh: nuovo, path: label });
  if (!found) return notFound(text, vecchio, label);
  const { spans, form, reading } = found;
  const words = [...reading.notes, ...(FORM_WORDS[form] === undefined ? [] : [FORM_WORDS[form]])];
  if (spans.length > 1 && (!tutte || form === 'indentation')) {
    const apartFrom = words.length > 0 ? ` (${words.join(', ')})` : '';
    return ambiguous(text, spans, { label, apartFrom });
  }
  const written = spans.map((span) => ({ span, text: replacementFor(text, span, found) }));
  if (written.some((one) => one.text === undefined)) {
    return `The old text occurs in ${label} with other indentation, of which it is not clear which is meant. Copy its lines as they are.`;
  }
  const next = spliced(before, written as Written[]);
  if (next.text === text) return `${label} has the new text in this place already.`;
  return { ...next, adjustments: [...new Set([...before.adjustments, ...words])] };
}

interface Written {
  span: Span;
  text: string;
}

/** The spans of earlier edits move with the text before them. */
function spliced({ text, spans }: EditedText, written: readonly Written[]): Pick<EditedText, 'text' | 'spans'> {
  const parts: string[] = [];
  const added: Span[] = [];
  let from = 0;
  let length = 0;
  for (const { span, text: fresh } of written) {
    parts.push(text.slice(from, span.start), fresh);
    length += span.start - from;
    added.push({ start: length, end: length + fresh.length });
    length += fresh.length;
    from = span.end;
  }
  const moved = (position: number): number =>
    written.reduce(
      (at, { span, text: fresh }) => at + (span.end <= position ? fresh.length - (span.end - span.start) : 0),
      position,
    );
  const before = spans.map(({ start, end }) => ({ start: moved(start), end: Math.max(moved(start), moved(end)) }));
  return {
    text: parts.join('') + text.slice(from),
    spans: [...before, ...added].sort((a, b) => a.start - b.start),
  };
}
