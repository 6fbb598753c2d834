import { type Input, type Key, key, type Mouse } from './input.ts';
import { CODE_KEYS, isFunctional, keypadText, LETTER_KEYS, TILDE_KEYS } from './key-names.ts';

/** Decodes terminal bytes to keys. Buffers incomplete sequences; never throws. */
export interface Decoder {
  push(bytes: Uint8Array): Input[];
  /**
   * The reason for waiting: `escape` may be a key by itself, which is known after a short pause; `more` is an
   * incomplete paste or report, dropped only after a long pause.
   */
  waits(): 'escape' | 'more' | undefined;
  /** Nothing followed: decodes the buffer as it is. */
  settle(): Input[];
}

const ESC = '\x1b';
const BELL = '\x07';
const STRING_END = `${ESC}\\`;
const PASTE_END = `${ESC}[201~`;
/** Longer than any sequence that terminals send. */
const MAX_SEQUENCE = 256;

/** `onBackground`: the terminal's answer to OSC 11, whether its background is light. */
export function createDecoder(onBackground: (isLight: boolean) => void = () => undefined): Decoder {
  const utf8 = new TextDecoder('utf-8');
  let held = '';
  let pasted: string[] | undefined;

  const drain = (isSettled: boolean): Input[] => {
    const inputs: Input[] = [];
    while (held !== '') {
      if (pasted) {
        const paste = takePaste(pasted, held);
        held = paste.rest;
        if (!paste.isComplete) break;
        inputs.push({ kind: 'paste', text: cleanPaste(pasted.join('')) });
        pasted = undefined;
        continue;
      }
      const step = read(held, isSettled);
      if (!step) break;
      held = held.slice(step.length);
      if (step.startsPaste) pasted = [];
      if (step.input) inputs.push(step.input);
      if (step.isLight !== undefined) onBackground(step.isLight);
    }
    return inputs;
  };

  return {
    push(bytes) {
      held += utf8.decode(bytes, { stream: true });
      return drain(false);
    },
    waits() {
      if (pasted) return 'more';
      if (held === '') return undefined;
      return held.length <= 2 ? 'escape' : 'more';
    },
    settle() {
      if (!pasted) return drain(true);
      // The end of the paste was lost: what arrived is the paste.
      const text = cleanPaste(pasted.join('') + held);
      pasted = undefined;
      held = '';
      return [{ kind: 'paste', text }];
    },
  };
}

/** The first item of the text; undefined when it is incomplete. */
interface Step {
  length: number;
  input?: Input;
  startsPaste?: boolean;
  /** A report about the terminal's background. */
  isLight?: boolean;
}

function read(text: string, isSettled: boolean): Step | undefined {
  const first = text.codePointAt(0) ?? 0;
  if (first === 0x1b) return readEscape(text, isSettled);
  const character = String.fromCodePoint(first);
  return { length: character.length, input: plainKey(first, character) };
}

function plainKey(code: number, character: string): Key | undefined {
  if (code === 0x0d) return key('enter');
  if (code === 0x09) return key('tab');
  if (code === 0x7f) return key('backspace');
  if (code === 0) return key('space', { isCtrl: true });
  if (code < 0x20) return key(String.fromCharCode(code + 0x60 < 0x7b ? code + 0x60 : code + 0x40), { isCtrl: true });
  // C1 control characters: nobody types them.
  if (code >= 0x80 && code < 0xa0) return undefined;
  return written(character);
}

function written(character: string): Key {
  const lower = character.toLowerCase();
  const isShift = lower !== character;
  return key(character === ' ' ? 'space' : lower, { text: character, isShift });
}

function readEscape(text: string, isSettled: boolean): Step | undefined {
  if (text.length === 1) return isSettled ? { length: 1, input: key('escape') } : undefined;
  const second = text[1] ?? '';
  if (second === '[') return readControl(text, isSettled);
  if (second === 'O') return readSingleShift(text, isSettled);
  if (second === ']' || second === 'P' || second === '_' || second === '^') return readString(text, isSettled);
  if (second === ESC) return readDoubled(text, isSettled);
  return withAlt(text, isSettled);
}

/** Alt and a key: the key after an Esc. */
function withAlt(text: string, isSettled: boolean): Step | undefined {
  const inner = read(text.slice(1), isSettled);
  if (!inner) return undefined;
  const { input } = inner;
  const length = inner.length + 1;
  if (input?.kind !== 'key') return { length };
  const { text: _written, ...rest } = input;
  return { length, input: { ...rest, isAlt: true } };
}

/** Esc twice, or Alt with a key that is itself a sequence. */
function readDoubled(text: string, isSettled: boolean): Step | undefined {
  const third = text[2];
  if (third === undefined) return isSettled ? { length: 1, input: key('escape') } : undefined;
  return third === '[' || third === 'O' ? withAlt(text, isSettled) : { length: 1, input: key('escape') };
}

function readSingleShift(text: string, isSettled: boolean): Step | undefined {
  const letter = text[2];
  if (letter === undefined)
    return isSettled ? { length: 2, input: key('o', { isAlt: true, isShift: true }) } : undefined;
  if (letter === 'M') return { length: 3, input: key('enter') };
  const name = LETTER_KEYS[letter];
  if (name) return { length: 3, input: key(name) };
  const keypad = /[j-y]/.test(letter) ? '*+,-./0123456789'[letter.charCodeAt(0) - 0x6a] : undefined;
  if (keypad) return { length: 3, input: written(keypad) };
  return { length: 2, input: key('o', { isAlt: true, isShift: true }) };
}

/** Skips an unrequested report of the terminal up to its end. */
function readString(text: string, isSettled: boolean): Step | undefined {
  const end = Math.min(endOf(text, BELL), endOf(text, STRING_END));
  if (end < Infinity) return { length: end, ...backgroundIn(text.slice(2, end)) };
  if (text.length > 2) return isSettled ? { length: text.length } : undefined;
  return isSettled ? { length: 2, input: plainAlt(text[1] ?? '') } : undefined;
}

const BACKGROUND = /^11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i;

/** Perceived brightness. */
function backgroundIn(report: string): Pick<Step, 'isLight'> {
  const match = BACKGROUND.exec(report);
  if (!match) return {};
  const [red = 0, green = 0, blue = 0] = match
    .slice(1)
    .map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  return { isLight: 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 };
}

function endOf(text: string, mark: string): number {
  const at = text.indexOf(mark, 2);
  return at < 0 ? Infinity : at + mark.length;
}

function plainAlt(character: string): Key {
  const { text: _written, ...rest } = written(character);
  return { ...rest, isAlt: true };
}

/** After the Esc. */
const CONTROL = /^\[([0-9:;<=>?]*)[ -/]*([@-~])/;
const CONTROL_START = /^\[\[?[0-9:;<=>?]*[ -/]*/;
const FUNCTION_OF_CONSOLE = /^\[\[([A-E])/;

function readControl(text: string, isSettled: boolean): Step | undefined {
  const after = text.slice(1);
  const onConsole = FUNCTION_OF_CONSOLE.exec(after);
  if (onConsole) return { length: 4, input: key(`f${(onConsole[1] ?? 'A').charCodeAt(0) - 0x40}`) };
  const match = after === '[[' && !isSettled ? null : CONTROL.exec(after);
  if (!match) return unfinishedControl(after, isSettled);
  const [sequence, parameters = '', final = ''] = match;
  const length = sequence.length + 1;
  // The oldest mouse report format: three bytes follow.
  if (sequence === '[M') return text.length < 6 && !isSettled ? undefined : { length: Math.min(6, text.length) };
  if (sequence === '[200~') return { length, startsPaste: true };
  if (sequence === '[I' || sequence === '[O') return { length, input: { kind: 'focus', isFocused: final === 'I' } };
  const input = /^<[\d;]+$/.test(parameters) ? mouse(parameters, final) : controlKey(parameters, final);
  return { length, ...(input && { input }) };
}

function unfinishedControl(after: string, isSettled: boolean): Step | undefined {
  const started = CONTROL_START.exec(after)?.[0] ?? '[';
  if (started === after && after.length <= MAX_SEQUENCE && !isSettled) return undefined;
  if (after === '[') return { length: 2, input: key('[', { isAlt: true }) };
  // Not a sequence: its start is dropped, the rest is decoded separately.
  return { length: started.length + 1 };
}

function controlKey(parameters: string, final: string): Key | undefined {
  const [first = '', second = '', third = ''] = parameters.split(';');
  const number = Number.parseInt(first, 10);
  const [flags = '1', event] = second.split(':');
  // A key release.
  if (event === '3') return undefined;
  const modifiers = modifiersOf(flags);
  if (!modifiers) return undefined;
  if (final === 'Z') return key('tab', { ...modifiers, isShift: true });
  if (final === 'u') return codeKey(number, first.split(':'), modifiers);
  if (final === '~' && number === 27) return typedKey(Number.parseInt(third, 10), modifiers);
  const name = final === '~' ? TILDE_KEYS[number] : /^\d*$/.test(first) ? LETTER_KEYS[final] : undefined;
  return name === undefined ? undefined : key(name, modifiers);
}

type Modifiers = Pick<Key, 'isCtrl' | 'isAlt' | 'isShift'>;

/** Undefined with a modifier key of the window manager. */
function modifiersOf(flags: string): Modifiers | undefined {
  const bits = (Number.parseInt(flags, 10) || 1) - 1;
  if (bits & 0b11000) return undefined;
  return { isShift: (bits & 1) !== 0, isAlt: (bits & 0b100010) !== 0, isCtrl: (bits & 4) !== 0 };
}

/** A key by the character that it wrote: of what has no upper case, Shift is a part. */
function typedKey(code: number, modifiers: Modifiers): Key | undefined {
  const typed = codeKey(code, [], modifiers);
  const isSign = typed !== undefined && [...typed.name].length === 1 && typed.name.toUpperCase() === typed.name;
  return isSign ? { ...typed, isShift: false } : typed;
}

function codeKey(code: number, spellings: readonly string[], modifiers: Modifiers): Key | undefined {
  if (!Number.isSafeInteger(code) || code < 0 || code > 0x10ffff) return undefined;
  const writes = !modifiers.isCtrl && !modifiers.isAlt;
  const name = CODE_KEYS[code];
  if (name) return key(name, { ...modifiers, ...(name === 'space' && writes && { text: ' ' }) });
  const pad = keypadText(code);
  if (pad) return key(pad, { ...modifiers, ...(writes && { text: pad }) });
  if (isFunctional(code) || code < 0x20 || (code >= 0xd800 && code < 0xe000)) return undefined;
  const character = String.fromCodePoint(code);
  const shifted = Number.parseInt(spellings[1] ?? '', 10);
  const upper = shifted > 0x20 && shifted <= 0x10ffff ? String.fromCodePoint(shifted) : character.toUpperCase();
  const text = modifiers.isShift ? upper : character;
  const lower = character.toLowerCase();
  return key(lower, { ...modifiers, isShift: modifiers.isShift || lower !== character, ...(writes && { text }) });
}

const BUTTONS = ['left', 'middle', 'right', 'none'] as const;

function mouse(parameters: string, final: string): Mouse | undefined {
  const [bits = 0, column = 0, row = 0] = parameters.slice(1).split(';').map(Number);
  if ((final !== 'M' && final !== 'm') || column < 1 || row < 1) return undefined;
  const place = { column: column - 1, row: row - 1 };
  const held = { isShift: (bits & 4) !== 0, isAlt: (bits & 8) !== 0, isCtrl: (bits & 16) !== 0 };
  const common = { kind: 'mouse', ...place, ...held } as const;
  if (bits & 64)
    return bits & 2 ? undefined : { ...common, action: bits & 1 ? 'wheel-down' : 'wheel-up', button: 'none' };
  const action = bits & 32 ? 'move' : final === 'm' ? 'release' : 'press';
  return { ...common, action, button: BUTTONS[bits & 3] ?? 'none' };
}

/** Moves pasted text into the paste; only a partial end marker may remain. */
function takePaste(pasted: string[], text: string): { rest: string; isComplete: boolean } {
  const end = text.indexOf(PASTE_END);
  if (end >= 0) {
    pasted.push(text.slice(0, end));
    return { rest: text.slice(end + PASTE_END.length), isComplete: true };
  }
  const at = text.lastIndexOf(ESC);
  const kept = at >= 0 && PASTE_END.startsWith(text.slice(at)) ? at : text.length;
  pasted.push(text.slice(0, kept));
  return { rest: text.slice(kept), isComplete: false };
}

/** A terminal may send any byte in a paste; only text is accepted. */
export function cleanPaste(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/(?![\n\t])\p{Cc}/gu, '');
}
