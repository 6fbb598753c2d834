import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { plainLine } from './plain-line.ts';
import { grammarReader, readShellLine } from './shell-line.ts';

const RESERVED =
  'if then else elif fi for while until do done case esac in function select time coproc export declare typeset readonly local unset eval exec sudo sh bash xargs find env test'.split(
    ' ',
  );

const characters = [...'abzAZ019_./:,@%+=-  \'"$`&|;<>()[]{}*?~#!^\\\n\té'];
const word = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: fc.constantFrom(...'abzAZ019_./:,@%+=-'), minLength: 1, maxLength: 8 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...RESERVED, '-c', '-exec', 'a=b', '2', '12', '-', '--', '.', ':', '%1', '+x'),
  },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 6 }) },
);
const line = fc
  .array(word, { minLength: 1, maxLength: 6 })
  .chain((words) => fc.constantFrom(' ', '  ').map((gap) => words.join(gap)));

describe('the fast parser of plain commands', () => {
  test('agrees with the grammar wherever it answers', async () => {
    const grammar = await grammarReader();
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        if (plainLine(text, () => false)) answered += 1;
        expect(await readShellLine(text)).toEqual(grammar(text));
      }),
      { numRuns: 3_000 },
    );
    expect(answered).toBeGreaterThan(100);
  });

  test.each(['echo bench', 'git log --oneline -5', 'npm run test:unit', 'wc -l src/a.ts', 'make V=1 all'])(
    'answers for %s',
    (text) => expect(plainLine(text, () => false)?.commands).toEqual([{ words: text.split(' ') }]),
  );

  test.each([
    '',
    'A=1 git log',
    'git log | wc',
    'git log > out',
    'echo $HOME',
    'ls *',
    'export PATH',
    'if true',
    ' ls',
  ])('leaves %j to the grammar', (text) => expect(plainLine(text, () => false)).toBeUndefined());
});
