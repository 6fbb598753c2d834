/** What a key of an object stands for. */
export interface KeyRename {
  to: string;
  /** Strings that are the key's value. */
  values?: Readonly<Record<string, string>> | undefined;
  /** Keys of the objects below it. */
  items?: KeyRenames | undefined;
  /** From another dialect or program: the model is told. */
  isForeign?: boolean;
}
/** Undefined: the key stays. */
export type KeyRenames = (key: string) => KeyRename | undefined;

/** Reads JSON piece by piece and gives it back with other keys; all other characters stay as they are. */
export interface JsonRenamer {
  /** What is certain of the text so far: it ends where the text stops being the JSON of an object. */
  push(delta: string): string;
  /**
   * `whole`: a JSON object and nothing else. `open`: all but its last brackets. `unfinished`: it ends inside a string or
   * number, or where another member was to come, so an unknown rest is missing. `broken`: no JSON.
   */
  state(): 'whole' | 'open' | 'unfinished' | 'broken';
  /** What was read after the last certain character. */
  tail(): string;
  /** Foreign keys that were renamed, as `from → to`. */
  readonly foreign: ReadonlyMap<string, string>;
}

type Expected = 'first' | 'key' | 'colon' | 'value' | 'comma';
interface Frame {
  isObject: boolean;
  renames: KeyRenames | undefined;
  expected: Expected;
  /** The key whose value comes next. */
  key: KeyRename | undefined;
}

interface Reading {
  out: string;
  tail: string;
  stack: Frame[];
  isDone: boolean;
  /** False from the first character on that is no JSON: nothing more is given back. */
  isStrict: boolean;
  /** Where strings begin and end is no longer known. */
  isLost: boolean;
  /** The open string: given back as it comes, or held until its end. */
  text: { held: string; isHeld: boolean; isEscaped: boolean } | undefined;
  /** An open number or word. */
  word: string;
  /** A comma and spaces, which are given back with what follows them. */
  pending: string;
  fixed: string;
  foreign: Map<string, string>;
  root: KeyRenames;
}

/** @param fixed members of the object itself, as JSON without braces, before all others */
export function createJsonRenamer(root: KeyRenames, fixed = ''): JsonRenamer {
  const reading: Reading = {
    out: '',
    tail: '',
    stack: [],
    isDone: false,
    isStrict: true,
    isLost: false,
    text: undefined,
    word: '',
    pending: '',
    fixed,
    foreign: new Map(),
    root,
  };
  return {
    foreign: reading.foreign,
    push(delta) {
      reading.out = '';
      let at = 0;
      while (at < delta.length && !reading.isLost) {
        at = reading.text ? inText(reading, delta, at) : between(reading, delta, at);
      }
      reading.tail += delta.slice(at);
      return reading.out;
    },
    tail: () => reading.tail,
    state() {
      if (reading.isLost) return 'broken';
      if (isUnfinished(reading)) return 'unfinished';
      if (!reading.isStrict) return 'broken';
      return reading.isDone ? 'whole' : 'open';
    },
  };
}

/** A whole text under other names; undefined when it is not the JSON of an object. */
export function renamedJson(text: string, root: KeyRenames): string | undefined {
  const renamer = createJsonRenamer(root);
  const renamed = renamer.push(text);
  return renamer.state() === 'whole' ? renamed : undefined;
}

function isUnfinished({ text, word, stack }: Reading): boolean {
  if (text) return true;
  const frame = stack.at(-1);
  if (!frame) return false;
  if (word) return !/^(?:true|false|null)$/.test(word);
  return frame.expected !== 'comma' && frame.expected !== 'first';
}

function give(reading: Reading, text: string): void {
  if (!reading.isStrict) return;
  reading.out += text;
  reading.tail = '';
}

/** The pending comma and spaces, then the text. */
function giveNext(reading: Reading, text: string): void {
  give(reading, reading.pending + text);
  reading.pending = '';
}

const STOP_IN_TEXT = /["\\\p{Cc}]/gu;

/** Returns the place after what it read. */
function inText(reading: Reading, delta: string, from: number): number {
  const text = reading.text as NonNullable<Reading['text']>;
  const take = (piece: string): void => {
    reading.tail += piece;
    if (text.isHeld) text.held += piece;
    else give(reading, piece);
  };
  if (text.isEscaped) {
    text.isEscaped = false;
    if (!/["\\/bfnrtu]/.test(delta[from] as string)) reading.isStrict = false;
    take(delta[from] as string);
    return from + 1;
  }
  STOP_IN_TEXT.lastIndex = from;
  const at = STOP_IN_TEXT.exec(delta)?.index ?? delta.length;
  take(delta.slice(from, at));
  const stop = delta[at];
  if (stop === undefined) return at;
  if (stop === '\\') text.isEscaped = true;
  // Strings are followed on: whether the text ends inside one decides if it may be repaired.
  else if (stop < ' ') reading.isStrict = false;
  take(stop);
  if (stop === '"') endText(reading, text);
  return at + 1;
}

function endText(reading: Reading, { held, isHeld }: NonNullable<Reading['text']>): void {
  reading.text = undefined;
  const frame = reading.stack.at(-1) as Frame;
  if (frame.expected !== 'colon') {
    if (isHeld) giveNext(reading, mappedValue(frame, held));
    return ended(frame);
  }
  const key = decoded(held);
  const rename = key === undefined ? undefined : frame.renames?.(key);
  frame.key = rename;
  if (rename?.isForeign && key !== undefined) reading.foreign.set(key, rename.to);
  const isSame = rename === undefined || rename.to === key;
  giveNext(reading, isSame ? held : JSON.stringify(rename.to));
}

function mappedValue({ key }: Frame, held: string): string {
  const value = decoded(held);
  const mapped = value !== undefined && key?.values && Object.hasOwn(key.values, value) ? key.values[value] : undefined;
  return mapped === undefined ? held : JSON.stringify(mapped);
}

function decoded(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    // An escape that JSON does not have: the string stays as it is.
    return undefined;
  }
}

/** A value of the frame is complete. */
function ended(frame: Frame | undefined): void {
  if (frame) frame.expected = 'comma';
}

const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

function between(reading: Reading, delta: string, at: number): number {
  const char = delta[at] as string;
  if (/[\w.+-]/.test(char)) {
    reading.word += char;
    reading.tail += char;
    return at + 1;
  }
  if (reading.word && !endWord(reading)) return lose(reading, at);
  reading.tail += char;
  if (/[ \t\r\n]/.test(char)) reading.pending += char;
  else if (!structure(reading, char)) lose(reading, at);
  return at + 1;
}

function lose(reading: Reading, at: number): number {
  reading.isStrict = false;
  reading.isLost = true;
  return at;
}

function endWord(reading: Reading): boolean {
  const { word } = reading;
  const frame = reading.stack.at(-1);
  reading.word = '';
  if (!frame || !isValueExpected(frame) || !LITERAL.test(word)) return false;
  giveNext(reading, word);
  ended(frame);
  return true;
}

function isValueExpected({ isObject, expected }: Frame): boolean {
  return expected === 'value' || (!isObject && expected === 'first');
}

/** False where JSON has no such character. */
function structure(reading: Reading, char: string): boolean {
  const frame = reading.stack.at(-1);
  if (!frame) return char === '{' && !reading.isDone && open(reading, char);
  switch (char) {
    case '{':
    case '[':
      return isValueExpected(frame) && open(reading, char);
    case '}':
    case ']':
      return close(reading, frame, char);
    case ':':
      if (frame.expected !== 'colon') return false;
      frame.expected = 'value';
      giveNext(reading, char);
      return true;
    case ',':
      if (frame.expected !== 'comma') return false;
      frame.expected = frame.isObject ? 'key' : 'value';
      reading.pending += char;
      return true;
    case '"':
      return openText(reading, frame);
    default:
      return false;
  }
}

function open(reading: Reading, char: string): boolean {
  const parent = reading.stack.at(-1);
  const above = parent && (parent.isObject ? parent.key?.items : parent.renames);
  giveNext(reading, char);
  reading.stack.push({
    isObject: char === '{',
    renames: parent ? above : reading.root,
    expected: 'first',
    key: undefined,
  });
  return true;
}

function close(reading: Reading, frame: Frame, char: string): boolean {
  const isAllowed = frame.isObject === (char === '}') && (frame.expected === 'first' || frame.expected === 'comma');
  if (!isAllowed) return false;
  giveNext(reading, char);
  reading.stack.pop();
  ended(reading.stack.at(-1));
  if (reading.stack.length === 0) reading.isDone = true;
  return true;
}

function openText(reading: Reading, frame: Frame): boolean {
  const isKey = frame.isObject && (frame.expected === 'first' || frame.expected === 'key');
  if (!isKey && !isValueExpected(frame)) return false;
  const isHeld = isKey || (frame.isObject && frame.key?.values !== undefined);
  if (isKey) {
    if (reading.stack.length === 1 && frame.expected === 'first' && reading.fixed) {
      giveNext(reading, `${reading.fixed},`);
    }
    frame.expected = 'colon';
  }
  reading.text = { held: isHeld ? '"' : '', isHeld, isEscaped: false };
  if (!isHeld) giveNext(reading, '"');
  return true;
}
