/** Where a symbol is in a text: lines and columns from 0, as the protocol counts. */
export interface Position {
  line: number;
  character: number;
}

const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_$]/u.test(character);

/** The first place of a whole word, on a line (from 1) if one is given; undefined if it does not occur. */
export function findSymbol(text: string, symbol: string, line?: number): Position | undefined {
  const lines = text.split('\n');
  const from = line === undefined ? 0 : line - 1;
  const to = line === undefined ? lines.length : line;
  for (let at = from; at < to; at++) {
    const character = wordIn(lines[at] ?? '', symbol);
    if (character !== undefined) return { line: at, character };
  }
  return undefined;
}

function wordIn(line: string, symbol: string): number | undefined {
  for (let at = line.indexOf(symbol); at >= 0; at = line.indexOf(symbol, at + 1)) {
    if (!isWordPart(line[at - 1]) && !isWordPart(line[at + symbol.length])) return at;
  }
  return undefined;
}

export interface TextEdit {
  range: { start: Position; end: Position };
  newText: string;
}

/** Offsets of places in a text; a column after the end of a line means its end. */
function offsetsIn(text: string): (place: Position) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const endOf = (line: number): number => {
    const next = starts[line + 1];
    if (next === undefined) return text.length;
    return text[next - 2] === '\r' ? next - 2 : next - 1;
  };
  return ({ line, character }) => Math.min((starts[line] ?? text.length) + character, endOf(line));
}

/** The parts of a text that edits replace, in their order. */
export function replacedBy(text: string, edits: readonly TextEdit[]): string[] {
  const offset = offsetsIn(text);
  return edits.map(({ range }) => text.slice(offset(range.start), offset(range.end)));
}

/** The text with edits, which do not overlap and all refer to the text before. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const offset = offsetsIn(text);
  const ordered = edits
    .map(({ range, newText }, index) => ({ from: offset(range.start), to: offset(range.end), newText, index }))
    .sort((a, b) => a.from - b.from || a.index - b.index);
  const parts: string[] = [];
  let from = 0;
  for (const edit of ordered) {
    parts.push(text.slice(from, Math.max(from, edit.from)), edit.newText);
    from = Math.max(from, edit.to);
  }
  return parts.join('') + text.slice(from);
}
