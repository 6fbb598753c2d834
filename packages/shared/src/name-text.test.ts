import { describe, expect, test } from '@jest/globals';
import { nameBytes, nameText } from './name-text.ts';
import { PathError } from './safe-name.ts';

describe('the encoding of a file name', () => {
  test.each([
    ['plain.txt', Buffer.from('plain.txt')],
    ['caffè 😀.txt', Buffer.from('caffè 😀.txt')],
    ['a\uef0ab', Buffer.from('a\nb')],
    ['tab\uef09.txt', Buffer.from('tab\t.txt')],
    ['caf\uefe9', Buffer.from([0x63, 0x61, 0x66, 0xe9])],
    ['\uefe2\uef80\uefa8', Buffer.from('\u2028')],
    ['\uefee\uefbc\uef8a', Buffer.from('\uef0a')],
    ['dir/\uefff\uef0a/x', Buffer.from([...Buffer.from('dir/'), 0xff, 0x0a, ...Buffer.from('/x')])],
  ])('%j encodes its bytes reversibly', (text, bytes) => {
    expect(nameText(bytes)).toBe(text);
    expect(nameBytes(text).equals(bytes)).toBe(true);
  });

  test('is reversible for random bytes', () => {
    let seed = 7;
    const next = (): number => (seed = (seed * 48_271) % 2_147_483_647);
    for (let round = 0; round < 3_000; round += 1) {
      const bytes = Buffer.from(Array.from({ length: next() % 12 }, () => (next() % 255) + 1));
      expect(nameBytes(nameText(bytes)).equals(bytes)).toBe(true);
    }
  });

  test.each(['..\uef2f..', '\uef2e\uef2e', 'a\uef00', '\uefc3\uefa8', '\uef41', '\uefee\uefbc\uef41'])(
    'rejects %j, which encodes no name',
    (text) => {
      expect(() => nameBytes(text)).toThrow(PathError);
    },
  );
});
