import { insideFence, isCode } from './code-fence.ts';

/** The two texts of an edit in one way of understanding them. */
export interface Reading {
  old: string;
  fresh: string;
  /** What differs from what was sent, for the result. */
  notes: readonly string[];
  /** Fits only where the file ends. */
  isAtEnd?: boolean;
  /** Fits only from the start of a line to the end of one. */
  hasWholeLines?: boolean;
}

/** In the order in which they are tried; the first is what was sent, but for what can never be meant. */
export function readingsOf(old: string, fresh: string, path: string): Reading[] {
  const sent = cleaned({ old, fresh, notes: [] }, path);
  const others = [withoutFences, withoutLineNumbers, withoutEscapes, withoutEntities].flatMap((read) => {
    const reading = read(sent);
    return reading && reading.old.trim() !== '' ? [reading] : [];
  });
  const all = [sent, ...others];
  return [...all, ...all.flatMap(withoutFinalBreak)];
}

/** Nothing is written that only a slip of the model explains: a fence, or escapes for all of its line breaks. */
function cleaned(sent: Reading, path: string): Reading {
  const { old, fresh } = sent;
  if (!isCode(path)) return sent;
  const inside = insideFence(old) === undefined ? insideFence(fresh) : undefined;
  if (inside !== undefined) {
    const body = old.endsWith('\n') ? inside : inside.replace(/\r?\n$/, '');
    return { ...sent, fresh: body, notes: ['code fence around the new text removed'] };
  }
  if (old.includes('\\n') || !hasEscapedBreaks(fresh)) return sent;
  return { ...sent, fresh: unescaped(fresh), notes: ['\\n in the new text read as line breaks'] };
}

/**
 * Whether a text of code has its line breaks as two characters: none is real, and outside of quotes one stands where
 * only a line can end.
 */
export function hasEscapedBreaks(text: string): boolean {
  if (/[\r\n]/.test(text)) return false;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const one = text[at] ?? '';
    if (one === '\\') {
      const isBreak =
        quote === '' && text[at + 1] === 'n' && /[;{}),:\]]\s*$/.test(text.slice(Math.max(0, at - 20), at));
      if (isBreak && /^(?:$|\s|[\w}\]<#@/"'])/.test(text.slice(at + 2, at + 3))) return true;
      at++;
    } else if (quote !== '') {
      if (one === quote) quote = '';
    } else if (one === '"' || one === "'" || one === '`') {
      quote = one;
    }
  }
  return false;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

export function unescaped(text: string): string {
  return text.replaceAll(/\\([nrt"'\\/])/g, (_whole, one: string) => ESCAPES[one] ?? one);
}

function withoutEscapes({ old, fresh, notes }: Reading): Reading | undefined {
  if (!/\\[nrt"'\\/]/.test(old)) return undefined;
  return { old: unescaped(old), fresh: unescaped(fresh), notes: [...notes, 'escaped characters (\\n) read as such'] };
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  '#34': '"',
  '#39': "'",
  '#x27': "'",
  '#x2F': '/',
};
const ENTITY = /&(lt|gt|amp|quot|apos|#34|#39|#x27|#x2F);/g;

function withoutEntities({ old, fresh, notes }: Reading): Reading | undefined {
  const decoded = (text: string): string => text.replaceAll(ENTITY, (_whole, name: string) => ENTITIES[name] ?? '');
  if (decoded(old) === old) return undefined;
  return { old: decoded(old), fresh: decoded(fresh), notes: [...notes, 'HTML entities decoded'] };
}

function withoutFences({ old, fresh, notes }: Reading): Reading | undefined {
  const inner = insideFence(old);
  if (inner === undefined) return undefined;
  return { old: inner, fresh: insideFence(fresh) ?? fresh, notes: [...notes, 'code fence removed'] };
}

/** The number and what separates it from the line, as `leggi` and other readers show it. */
const NUMBERED = /^ *\d+(\t|→| ?\| ?|: )/;

function withoutLineNumbers({ old, fresh, notes }: Reading): Reading | undefined {
  const numbers = old
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => (NUMBERED.test(line) ? Number.parseInt(line, 10) : Number.NaN));
  const isRising = numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
  if (numbers.length === 0 || numbers.some(Number.isNaN) || !isRising) return undefined;
  const plain = (text: string): string =>
    text
      .split('\n')
      .map((line) => line.replace(NUMBERED, ''))
      .join('\n');
  return { old: plain(old), fresh: plain(fresh), notes: [...notes, 'line numbers removed'], hasWholeLines: true };
}

function withoutFinalBreak({ old, fresh, notes, ...rest }: Reading): Reading[] {
  const end = /\r?\n$/;
  if (!end.test(old) || old.trim() === '') return [];
  const reading = { ...rest, old: old.replace(end, ''), fresh: fresh.replace(end, '') };
  return [{ ...reading, notes: [...notes, 'the file ends without a line break'], isAtEnd: true }];
}
