/** CSI … letter, and SS3 letter. */
export const LETTER_KEYS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'begin',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

/** CSI number ~. */
export const TILDE_KEYS: Readonly<Record<number, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
};

/** Keys with their own code point in CSI u, although they produce no character. */
export const CODE_KEYS: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  10: 'enter',
  13: 'enter',
  27: 'escape',
  32: 'space',
  127: 'backspace',
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageup',
  57422: 'pagedown',
  57423: 'home',
  57424: 'end',
  57425: 'insert',
  57426: 'delete',
};

const KEYPAD_FIRST = 57399;
const KEYPAD = '0123456789./*-+';

/** The character of a number pad key; undefined for other codes. */
export function keypadText(code: number): string | undefined {
  return code === 57415 ? '=' : KEYPAD[code - KEYPAD_FIRST];
}

/** The private Unicode range in which the keyboard protocol encodes keys without a character. */
export function isFunctional(code: number): boolean {
  return code >= 57344 && code <= 63743;
}

/** Key names for a keymap, besides single characters. */
export const NAMED_KEYS: ReadonlySet<string> = new Set([
  ...Object.values(LETTER_KEYS),
  ...Object.values(TILDE_KEYS),
  ...Object.values(CODE_KEYS),
]);
