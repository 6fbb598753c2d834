import { type FormedText, formed, type LineForm, LOOSE_FORMS, plainCharacters } from './line-form.ts';
import { type Reading, readingsOf } from './readings.ts';

/** From its first character to before its last one. */
export interface Span {
  start: number;
  end: number;
}

/** Where the old text of an edit stands. */
export interface Found {
  spans: readonly Span[];
  reading: Reading;
  form: LineForm | 'indentation';
}

/**
 * The places of the old text in the first reading and form that has any: as it was sent, then in looser forms, then
 * understood in other ways, at last with any indentation. Undefined when no place fits.
 */
export function findPlaces(text: string, wanted: { old: string; fresh: string; path: string }): Found | undefined {
  const readings = readingsOf(wanted.old, wanted.fresh, wanted.path);
  const forms = new Map<LineForm, FormedText>();
  const formOf = (form: LineForm): FormedText => {
    const known = forms.get(form) ?? formed(text, form);
    forms.set(form, known);
    return known;
  };
  for (const reading of readings) {
    const exact = occurrences(text, reading.old)
      .map((start) => ({ start, end: start + reading.old.length }))
      .filter((span) => fits(text, span, reading));
    if (exact.length > 0) return { spans: exact, reading, form: 'exact' };
    for (const form of LOOSE_FORMS) {
      const spans = looseSpans(formOf(form), reading, form).filter((span) => fits(text, span, reading));
      if (spans.length > 0) return { spans, reading, form };
    }
  }
  for (const reading of readings) {
    const spans = blocks(text, reading.old).filter((span) => fits(text, span, reading));
    if (spans.length > 0) return { spans, reading, form: 'indentation' };
  }
  return undefined;
}

function occurrences(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

function fits(text: string, { start, end }: Span, { isAtEnd, hasWholeLines }: Reading): boolean {
  if (isAtEnd && end !== text.length) return false;
  if (!hasWholeLines) return true;
  const isStart = start === 0 || text[start - 1] === '\n';
  return isStart && (end === text.length || /[\r\n]/.test(text[end] ?? '') || text[end - 1] === '\n');
}

function looseSpans(text: FormedText, { old }: Reading, form: LineForm): Span[] {
  const lines = old.split('\n');
  const wanted = formed(old, form).form;
  if (wanted.trim() === '') return [];
  // What was left out at its end can stand only at the end of a line.
  const endsLine = !old.endsWith('\n') && formed(lines.at(-1) ?? '', form).form.length < (lines.at(-1) ?? '').length;
  return occurrences(text.form, wanted)
    .filter((at) => !endsLine || text.isLineEnd(at + wanted.length))
    .map((at) => ({ start: text.startOf(at), end: text.endOf(at + wanted.length) }));
}

const bare = (line: string): string => plainCharacters(line).trim();

/** Whole lines that are the same but for white space at both ends. */
function blocks(text: string, old: string): Span[] {
  const hasBreak = old.endsWith('\n');
  const wanted = (hasBreak ? old.slice(0, -1) : old).split('\n').map(bare);
  const [first = ''] = wanted;
  if (first === '' || wanted.at(-1) === '') return [];
  const lines = text.split('\n');
  const shown = lines.map(bare);
  const found: Span[] = [];
  let start = 0;
  for (let at = 0; at < lines.length; start += (lines[at] ?? '').length + 1, at++) {
    if (shown[at] !== first || !wanted.every((line, index) => shown[at + index] === line)) continue;
    const length = lines.slice(at, at + wanted.length).join('\n').length;
    const end = start + length;
    const isBreakLeft = hasBreak && end < text.length;
    const last = text[end - 1] === '\r' && !isBreakLeft ? end - 1 : end;
    found.push({ start, end: isBreakLeft ? end + 1 : last });
  }
  return found;
}
