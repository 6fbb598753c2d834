/** How freely lines are compared; each form also ignores what the forms before it ignore. */
export type LineForm = 'exact' | 'ends' | 'trailing' | 'typography';

export const LOOSE_FORMS: readonly LineForm[] = ['ends', 'trailing', 'typography'];

/** Each is one UTF-16 unit and stays one, so that columns stay the same. */
const PLAIN: readonly [written: RegExp, plain: string][] = [
  [/[\u2018\u2019\u201a\u201b\u2032]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
];
const TYPOGRAPHIC = /[\u00a0\u2000-\u200a\u2010-\u201f\u202f\u2032\u2033\u205f\u2212\u3000]/;

/** Columns of what is left are those of the line. */
export function lineIn(form: LineForm, line: string): string {
  switch (form) {
    case 'exact':
      return line;
    case 'ends':
      return line.endsWith('\r') ? line.slice(0, -1) : line;
    case 'trailing':
      return line.trimEnd();
    case 'typography':
      return plainCharacters(line).trimEnd();
  }
}

export function plainCharacters(line: string): string {
  if (!TYPOGRAPHIC.test(line)) return line;
  return PLAIN.reduce((text, [written, plain]) => text.replaceAll(written, plain), line);
}

/** A text in one form, with the way back to positions of the text itself. */
export interface FormedText {
  form: string;
  /** The start of the first of these characters. */
  startOf(position: number): number;
  /** The end before this position; at the end of a line, with all that the form leaves out there but its line break. */
  endOf(position: number): number;
  isLineEnd(position: number): boolean;
}

export function formed(text: string, form: LineForm): FormedText {
  const lines = text.split('\n');
  const shown = lines.map((line) => lineIn(form, line));
  const starts = startsOf(shown);
  const originals = startsOf(lines);
  const lineAt = (position: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const startOf = (position: number): number => {
    const line = lineAt(position);
    return (originals[line] ?? 0) + position - (starts[line] ?? 0);
  };
  const isLineEnd = (position: number): boolean => {
    const line = lineAt(position);
    return position === (starts[line] ?? 0) + (shown[line] ?? '').length;
  };
  return {
    form: shown.join('\n'),
    startOf,
    isLineEnd,
    endOf(position) {
      const line = lineAt(position);
      const isAfterBreak = position === starts[line];
      if (isAfterBreak || !isLineEnd(position)) return startOf(position);
      return (originals[line] ?? 0) + lineIn('ends', lines[line] ?? '').length;
    },
  };
}

function startsOf(lines: readonly string[]): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return starts;
}
