import type { Line, Token } from '../line.ts';
import { textLines } from './wrap.ts';

/**
 * Highlighted code by line; undefined while the grammars load, or for an unknown language. Code that `isGrowing` is
 * parsed in portions, so that each line is parsed once.
 */
export type Highlight = (code: string, language: string, isGrowing?: boolean) => readonly Line[] | undefined;

export interface Highlighter {
  /** Plain until the languages are loaded: the first call loads them. */
  highlight: Highlight;
  /** Increases when `highlight` has learned more: earlier output must be redrawn. */
  version(): number;
}

/** Longer code is not highlighted, because it would delay a frame. */
const LONGEST_CODE = 40_000;
const CACHED = 64;

interface Engine {
  getLanguage(name: string): unknown;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

/** `onReady` is called once, when the languages are loaded. */
export function createHighlighter(onReady: () => void): Highlighter {
  let engine: Engine | undefined;
  let isLoading = false;
  const cache = new Map<string, readonly Line[]>();

  const load = async (): Promise<void> => {
    engine = (await import('highlight.js/lib/common')).default;
    onReady();
  };

  const kept = (code: string, language: string, known: Engine): readonly Line[] => {
    const key = `${language}\n${code}`;
    const lines = cache.get(key) ?? coloured(code, language, known);
    if (cache.size >= CACHED) cache.delete(cache.keys().next().value ?? '');
    cache.set(key, lines);
    return lines;
  };

  return {
    version: () => (engine ? 1 : 0),
    highlight(code, language, isGrowing = false) {
      if (code.length > LONGEST_CODE || language === '') return undefined;
      if (!engine) {
        // On an error the code is shown without colors.
        if (!isLoading) void load().catch(() => undefined);
        isLoading = true;
        return undefined;
      }
      if (!engine.getLanguage(language)) return undefined;
      if (!isGrowing) return kept(code, language, engine);
      const [portions, rest] = portionsOf(code);
      const known = engine;
      return [...portions.flatMap((portion) => kept(portion, language, known)), ...coloured(rest, language, known)];
    },
  };
}

function coloured(code: string, language: string, engine: Engine): Line[] {
  return linesOf(engine.highlight(code, { language, ignoreIllegals: true }).value);
}

const PORTION_LINES = 40;

/** The complete portions, and the growing rest. */
function portionsOf(code: string): [portions: string[], rest: string] {
  const lines = code.split('\n');
  const portions: string[] = [];
  while (lines.length > PORTION_LINES) portions.push(lines.splice(0, PORTION_LINES).join('\n'));
  return [portions, lines.join('\n')];
}

const MARKUP = /<span class="([^"]*)">|<\/span>|[^<]+/g;
const ENTITY = /&(amp|lt|gt|quot|#x27);/g;
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** The library's markup: nested spans with classes around escaped text. */
function linesOf(markup: string): Line[] {
  const open: (Token | undefined)[] = [];
  const lines: Line[] = [[]];
  for (const [piece, classes] of markup.matchAll(MARKUP)) {
    if (classes !== undefined) open.push(tokenOf(classes) ?? open.at(-1));
    else if (piece === '</span>') open.pop();
    else {
      const text = piece.replace(ENTITY, (_match, name: string) => CHARACTERS[name] ?? '');
      const [first = [], ...more] = textLines(text, { token: open.at(-1) ?? 'codeText' });
      lines.push([...(lines.pop() ?? []), ...first], ...more);
    }
  }
  return lines;
}

const TOKENS: Readonly<Record<string, Token>> = {
  comment: 'codeComment',
  quote: 'codeComment',
  meta: 'codeComment',
  keyword: 'codeKeyword',
  built_in: 'codeFunction',
  literal: 'codeNumber',
  number: 'codeNumber',
  symbol: 'codeNumber',
  string: 'codeString',
  regexp: 'codeString',
  addition: 'success',
  deletion: 'danger',
  title: 'codeFunction',
  section: 'codeFunction',
  function_: 'codeFunction',
  class_: 'codeType',
  type: 'codeType',
  attr: 'codeType',
  attribute: 'codeType',
  property: 'codeType',
  name: 'codeKeyword',
  tag: 'codeKeyword',
  'selector-tag': 'codeKeyword',
  'selector-class': 'codeType',
  'selector-id': 'codeType',
  'template-variable': 'codeType',
  variable: 'codeType',
  bullet: 'codeKeyword',
  code: 'codeString',
  link: 'codeString',
};

/** The most specific class is the last: `hljs-title class_`. */
function tokenOf(classes: string): Token | undefined {
  return classes
    .split(' ')
    .map((name) => TOKENS[name.replace(/^hljs-/, '')])
    .findLast((token) => token !== undefined);
}
