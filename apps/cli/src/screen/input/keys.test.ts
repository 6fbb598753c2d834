import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Input, key } from './input.ts';
import { createDecoder } from './keys.ts';

const ESC = '\x1b';

function decode(...chunks: (string | Uint8Array)[]): Input[] {
  const decoder = createDecoder();
  const inputs = chunks.flatMap((chunk) => decoder.push(Buffer.from(chunk)));
  return decoder.waits() ? [...inputs, ...decoder.settle()] : inputs;
}

describe('legacy terminal keys', () => {
  test.each([
    ['a', key('a', { text: 'a' })],
    ['A', key('a', { text: 'A', isShift: true })],
    ['?', key('?', { text: '?' })],
    [' ', key('space', { text: ' ' })],
    ['é', key('é', { text: 'é' })],
    ['\r', key('enter')],
    ['\n', key('j', { isCtrl: true })],
    ['\t', key('tab')],
    ['\x7f', key('backspace')],
    ['\x03', key('c', { isCtrl: true })],
    ['\x1f', key('_', { isCtrl: true })],
    ['\0', key('space', { isCtrl: true })],
    [ESC, key('escape')],
    [`${ESC}v`, key('v', { isAlt: true })],
    [`${ESC}B`, key('b', { isAlt: true, isShift: true })],
    [`${ESC}/`, key('/', { isAlt: true })],
    [`${ESC}\r`, key('enter', { isAlt: true })],
    [`${ESC}[`, key('[', { isAlt: true })],
    [`${ESC}O`, key('o', { isAlt: true, isShift: true })],
    [`${ESC}[A`, key('up')],
    [`${ESC}OA`, key('up')],
    [`${ESC}[1;2D`, key('left', { isShift: true })],
    [`${ESC}[1;6C`, key('right', { isShift: true, isCtrl: true })],
    [`${ESC}${ESC}[A`, key('up', { isAlt: true })],
    [`${ESC}[Z`, key('tab', { isShift: true })],
    [`${ESC}[5~`, key('pageup')],
    [`${ESC}[3;5~`, key('delete', { isCtrl: true })],
    [`${ESC}[[A`, key('f1')],
    [`${ESC}[24~`, key('f12')],
  ])('%j', (bytes, expected) => expect(decode(bytes)).toEqual([expected]));
});

describe('keys of terminals with extended key reports', () => {
  test.each([
    ['Shift+Enter', `${ESC}[13;2u`, key('enter', { isShift: true })],
    ['Shift+Enter, the older way', `${ESC}[27;2;13~`, key('enter', { isShift: true })],
    ['Ctrl+Shift+Z', `${ESC}[122;6u`, key('z', { isCtrl: true, isShift: true })],
    ['Ctrl+Shift+Z, the older way', `${ESC}[27;6;90~`, key('z', { isCtrl: true, isShift: true })],
    ['Ctrl+_', `${ESC}[27;6;95~`, key('_', { isCtrl: true })],
    ['? as text', `${ESC}[27;2;63~`, key('?', { text: '?' })],
    ['Esc', `${ESC}[27u`, key('escape')],
    ['Shift+A as text', `${ESC}[27;2;65~`, key('a', { text: 'A', isShift: true })],
    ['with Caps Lock', `${ESC}[97;65u`, key('a', { text: 'a' })],
    ['of the number pad', `${ESC}[57404u`, key('5', { text: '5' })],
    ['Ctrl+C', `${ESC}[99;5u`, key('c', { isCtrl: true })],
  ])('%s', (_name, bytes, expected) => expect(decode(bytes)).toEqual([expected]));

  test('key releases, lock keys and unassigned keys produce no event', () => {
    expect(decode(`${ESC}[97;1:3u`, `${ESC}[97;9u`, `${ESC}[57441;2u`, `${ESC}[?1u`, `${ESC}[99999999u`)).toEqual([]);
  });
});

test('a paste is one event whatever it contains and however its bytes are split', () => {
  const text = `one\r\ntwo\rthree\t${ESC}[31mred${ESC}[0m\x07`;
  const bytes = Buffer.from(`x${ESC}[200~${text}${ESC}[201~y`);
  const expected = [
    key('x', { text: 'x' }),
    { kind: 'paste', text: 'one\ntwo\nthree\t[31mred[0m' },
    key('y', { text: 'y' }),
  ];
  for (let at = 0; at <= bytes.length; at++)
    expect(decode(bytes.subarray(0, at), bytes.subarray(at))).toEqual(expected);
});

test('a paste without an end marker is delivered after a pause', () => {
  expect(decode(`${ESC}[200~lost`)).toEqual([{ kind: 'paste', text: 'lost' }]);
});

test('decodes mouse events', () => {
  const at = { kind: 'mouse', column: 9, row: 4, isCtrl: false, isAlt: false, isShift: false };
  expect(decode(`${ESC}[<0;10;5M${ESC}[<0;10;5m${ESC}[<64;10;5M${ESC}[<65;10;5M${ESC}[<35;10;5M`)).toEqual([
    { ...at, action: 'press', button: 'left' },
    { ...at, action: 'release', button: 'left' },
    { ...at, action: 'wheel-up', button: 'none' },
    { ...at, action: 'wheel-down', button: 'none' },
    { ...at, action: 'move', button: 'none' },
  ]);
});

test('decodes focus events', () => {
  expect(decode(`${ESC}[I${ESC}[O`)).toEqual([
    { kind: 'focus', isFocused: true },
    { kind: 'focus', isFocused: false },
  ]);
});

test('ignores unrequested terminal reports', () => {
  expect(decode(`${ESC}]11;rgb:0000/0000/0000${ESC}\\a${ESC}P>|tmux${ESC}\\b${ESC}_G${ESC}\\c${ESC}]0;t\x07`)).toEqual(
    [...'abc'].map((text) => key(text, { text })),
  );
});

const anything = fc.oneof(
  fc.uint8Array(),
  fc
    .array(fc.constantFrom(ESC, '[', 'O', ']', '<', '1', ';', '2', '0', '~', 'u', 'M', 'A', '201~', '200~', '\0', 'é'))
    .map((parts) => Buffer.from(parts.join(''))),
);

test('random bytes never throw, and an unfinished sequence never grows without bound', () => {
  fc.assert(
    fc.property(fc.array(anything), (chunks) => {
      const decoder = createDecoder();
      for (const chunk of chunks) decoder.push(chunk);
      for (let turn = 0; decoder.waits() && turn < 1_000; turn++) decoder.settle();
      expect(decoder.waits()).toBeUndefined();
    }),
  );
});

test('decodes plain text however its bytes are split', () => {
  const typed = fc.string({ unit: 'grapheme' }).filter((text) => !/\p{Cc}/u.test(text));
  fc.assert(
    fc.property(typed, fc.array(fc.nat()), (text, cuts) => {
      const bytes = Buffer.from(text);
      const places = [...new Set(cuts.map((cut) => (bytes.length ? cut % bytes.length : 0)))].sort((a, b) => a - b);
      const chunks = [0, ...places].map((from, at) => bytes.subarray(from, places[at] ?? bytes.length));
      const read = decode(...chunks).map((input) => (input.kind === 'key' ? input.text : ''));
      expect(read.join('')).toBe(text);
    }),
  );
});

test('decodes the background color in every format', () => {
  const lightIn = (report: string): boolean[] => {
    const grounds: boolean[] = [];
    const inputs = createDecoder((isLight) => grounds.push(isLight)).push(Buffer.from(report));
    expect(inputs).toEqual([]);
    return grounds;
  };
  expect(lightIn('\x1b]11;rgb:ffff/ffff/ffff\x07')).toEqual([true]);
  expect(lightIn('\x1b]11;rgb:1e/1e/1e\x1b\\')).toEqual([false]);
  expect(lightIn('\x1b]11;rgba:fd/f6/e3/ff\x07')).toEqual([true]);
  expect(lightIn('\x1b]10;rgb:ffff/ffff/ffff\x07')).toEqual([]);
});
