import { expect, test } from '@jest/globals';
import { toCsv } from './csv.ts';

test('cells are quoted where needed, and a formula does not run', () => {
  expect(
    toCsv([
      ['day', 'model'],
      ['a,b', 'say "x"'],
      [1.5, null],
      ['=cmd()', '-1'],
      ['two\nlines', ''],
    ]),
  ).toBe('day,model\r\n"a,b","say ""x"""\r\n1.5,\r\n\'=cmd(),\'-1\r\n"two\nlines",\r\n');
});
