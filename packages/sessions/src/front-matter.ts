import { placeAt } from '@fucina/shared';

export type Place = ReturnType<typeof placeAt>;

/** A Markdown file with fields between two lines of `---`, as other tools write them: often not valid YAML. */
export interface FrontMatter {
  /** The value of a field on one line, without its quotes; of a block (`>`, `|`), its lines joined. */
  field(name: string): string | undefined;
  /** The values of a list: separated by commas, in brackets, or one per line. */
  list(name: string): string[];
  /** In the file, from 1: of the value of a field or, without the field, of the first line. */
  placeOf(name: string): Place;
  body: string;
  /** It begins with a line of `---` and a field, and has no second such line: all of it is the body. */
  isUnclosed: boolean;
}

const BEGINNING = /^\uFEFF?---[ \t]*\r?\n[\w-]+:/;
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)/;

/** Without such lines everything is the body. */
export function parseFrontMatter(text: string): FrontMatter {
  const found = FRONT_MATTER.exec(text);
  const lines = (found?.[1] ?? '').split(/\r?\n/);
  const valueOf = (name: string): { value: string; inner: string[] } | undefined => {
    const at = lines.findIndex((line) => line.startsWith(`${name}:`));
    if (at < 0) return undefined;
    const after = lines.slice(at + 1);
    const end = after.findIndex((line) => !/^(?:\s|- )/.test(line));
    const inner = (end < 0 ? after : after.slice(0, end)).map((line) => line.trim()).filter(Boolean);
    return { value: (lines[at] ?? '').slice(name.length + 1).trim(), inner };
  };
  return {
    field(name) {
      const found = valueOf(name);
      if (!found) return undefined;
      return /^[>|][+-]?$/.test(found.value) ? found.inner.join(' ') : unquoted(found.value);
    },
    list(name) {
      const found = valueOf(name);
      if (!found) return [];
      if (found.value) return splitList(found.value).map(unquoted).filter(Boolean);
      return found.inner.flatMap((line) => (line.startsWith('- ') ? unquoted(line.slice(2).trim()) : []));
    },
    placeOf(name) {
      const at = lines.findIndex((line) => line.startsWith(`${name}:`));
      if (at < 0) return placeAt(text, 0);
      const after = (lines[at] ?? '').slice(name.length + 1);
      // The first line is `---`.
      return { line: at + 2, column: name.length + 2 + (after.length - after.trimStart().length) };
    },
    isUnclosed: !found && BEGINNING.test(text),
    body: found ? text.slice(found[0].length) : text,
  };
}

/** At the commas outside of braces, as in `*.{ts,tsx}, *.css`. */
function splitList(value: string): string[] {
  const bare = /^\[(.*)\]$/.exec(value)?.[1] ?? unquoted(value);
  const parts = [''];
  let depth = 0;
  for (const character of bare) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (character === ',' && depth <= 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
}
