import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test('text has the sizes of the ramp, or a part of the size around it', () => {
  const own = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.css'));
  const others = own.flatMap((name) =>
    [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/^\s*font(?:-size)?: (.*);$/gm)]
      .map(([, value = '']) => value)
      .filter(
        (value) =>
          !/var\(--(size|font)-\w+\)|^inherit$|^0\.\d+em$/.test(value) || /\d(px|rem|pt)\b(?! var)/.test(value),
      )
      .map((value) => `${name}: ${value}`),
  );
  expect(others).toEqual([]);
});
