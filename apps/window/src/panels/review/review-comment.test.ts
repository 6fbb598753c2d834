import type { FileChange } from '@fucina/conversation';
import { describe, expect, test } from '@jest/globals';
import { diffTexts } from '../../parts/line-diff.ts';
import { enReview } from '../../words/en-review.ts';
import type { Words } from '../../words/words.ts';
import { editorAddress, terminalEditorLine } from './editors.ts';
import { anchorOf, locate, type Placed, placeInChanges, type ReviewComment, textLines } from './review-comment.ts';
import { reviewMessage } from './review-message.ts';

const comment = (more: Partial<ReviewComment>): ReviewComment => ({
  id: '1',
  view: 'changes',
  path: 'src/a.ts',
  side: 'new',
  line: 2,
  quote: 'two',
  text: 'Why?',
  ...more,
});
const change = (before: string | null, after: string | null, more: Partial<FileChange> = {}): FileChange => ({
  path: 'src/a.ts',
  before,
  after,
  turn: 1,
  isTooLarge: false,
  ...more,
});

describe('the anchor of a comment', () => {
  test('is the removed line by its old number and any other line by its new number', () => {
    const { lines } = diffTexts('a\nb\nc', 'a\nx\nc').hunks[0] ?? { lines: [] };
    expect(lines.map((line) => anchorOf('f', line))).toEqual([
      { path: 'f', side: 'new', line: 1, quote: 'a' },
      { path: 'f', side: 'old', line: 2, quote: 'b' },
      { path: 'f', side: 'new', line: 2, quote: 'x' },
      { path: 'f', side: 'new', line: 3, quote: 'c' },
    ]);
  });
});

describe('the line of a comment', () => {
  const at = (text: string) => locate(comment({}), textLines(text));
  test('stays while the text at its number is the same', () => expect(at('one\ntwo\ntwo')).toBe(2));
  test('moves with the only line of the same text', () => expect(at('zero\none\ntwo')).toBe(3));
  test('is gone when the text changed', () => expect(at('one\n2')).toBeUndefined());
  test('is gone when several other lines have its text', () => expect(at('two\none\ntwo')).toBeUndefined());
  test('is found whatever ends the lines', () => expect(at('one\r\ntwo\r\n')).toBe(2));
});

describe('a comment among the changes of a session', () => {
  const outdated = (own: ReviewComment, ...changes: FileChange[]) => placeInChanges(own, changes).isOutdated;
  test('is outdated once the file is written without its line', () => {
    const first = change(null, 'one\ntwo');
    expect(outdated(comment({}), first)).toBe(false);
    expect(outdated(comment({}), first, change('one\ntwo', 'one\n2', { turn: 2 }))).toBe(true);
  });
  test('takes the number that its line has now', () => {
    expect(placeInChanges(comment({}), [change(null, '0\none\ntwo')])).toMatchObject({ line: 3, isOutdated: false });
  });
  test('is outdated once the file is deleted', () => expect(outdated(comment({}), change('two', null))).toBe(true));
  test('is outdated once the file is changed no more', () => expect(outdated(comment({}))).toBe(true));
  test('is current on a line removed by any turn', () => {
    const old = comment({ side: 'old', line: 1 });
    expect(outdated(old, change('x', 'two'), change('two', 'y', { turn: 2 }))).toBe(false);
    expect(outdated(old, change('x', 'y'))).toBe(true);
  });
  test('of the Git view is current in a file that the session did not change', () =>
    expect(outdated(comment({ view: 'git' }))).toBe(false));
  test('of the branch is current in a file that the session did not change, and on a line removed before it', () => {
    expect(outdated(comment({ view: 'branch' }))).toBe(false);
    expect(outdated(comment({ view: 'branch', side: 'old' }), change('x', 'y'))).toBe(false);
    expect(outdated(comment({ view: 'branch' }), change('two', 'y'))).toBe(true);
  });
  test('is current in a file that is too large to compare', () =>
    expect(outdated(comment({}), change(null, null, { isTooLarge: true }))).toBe(false));
});

/** English, without the rules of plurals that no message here needs. */
const say = ((key: string, values: Record<string, string | number> = {}) => {
  const name = 'count' in values ? `${key}_${values['count'] === 1 ? 'one' : 'other'}` : key;
  const text: string = enReview[name as keyof typeof enReview];
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_whole, value: string) => String(values[value]));
}) as Words['say'];

describe('the message of a review', () => {
  const placed = (more: Partial<Placed>): Placed => ({ ...comment({}), isOutdated: false, ...more });

  test('lists path, line, side, quoted line and comment in the order of the files', () => {
    const message = reviewMessage(
      [
        placed({ path: 'src/b.ts', line: 9, side: 'old', quote: '  gone();', text: 'Keep it.\n\nIt is used.' }),
        placed({ line: 12, quote: 'const a = 1;', text: 'Name it.' }),
        placed({ line: 3, quote: 'x', isOutdated: true }),
      ],
      say,
    );
    expect(message).toBe(
      [
        'Please address these 3 review comments on the changes.',
        '',
        '1. `src/a.ts`, line 3 (outdated: this line is no longer in the changes):',
        '   ```',
        '   x',
        '   ```',
        '   Why?',
        '',
        '2. `src/a.ts`, line 12:',
        '   ```',
        '   const a = 1;',
        '   ```',
        '   Name it.',
        '',
        '3. `src/b.ts`, removed line 9 (numbered as before the change):',
        '   ```',
        '     gone();',
        '   ```',
        '   Keep it.',
        '',
        '   It is used.',
      ].join('\n'),
    );
  });

  test('fences a line that has backticks, cuts a long one and quotes no blank one', () => {
    expect(reviewMessage([placed({ path: 'a`b', quote: '````' })], say)).toContain(
      '1. ``a`b``, line 2:\n   `````\n   ````\n   `````\n',
    );
    expect(reviewMessage([placed({ quote: 'x'.repeat(9_999) })], say)).toContain(`\n   ${'x'.repeat(400)}…\n`);
    expect(reviewMessage([placed({ quote: '  ' })], say)).not.toContain('```');
  });
});

describe('the shell line that opens a file in $EDITOR', () => {
  test('quotes the name, and is missing for a name that would act as keys', () => {
    const line = terminalEditorLine('/w', "a'b c.ts");
    expect(line?.split(' sh ')[1]).toBe("'./a'\\''b c.ts'\r");
    expect(terminalEditorLine('/w', 'a\x03b')).toBeUndefined();
    expect(terminalEditorLine('C:\\work', 'a.ts')).toBeUndefined();
  });

  test('is missing for a name that could leave the quotes of fish', () => {
    expect(terminalEditorLine('/w', String.raw`\';touch x;#`)).toBeUndefined();
    expect(terminalEditorLine('/w', 'a\\')).toBeUndefined();
  });
});

describe('the address of a file in an editor', () => {
  test('has the whole path, encoded, and the line', () => {
    expect(editorAddress('vscode', '/home/me/my project/', { path: 'src/a#1.ts', line: 7 })).toBe(
      'vscode://file/home/me/my%20project/src/a%231.ts:7',
    );
    expect(editorAddress('zed', '/w', { path: 'a', line: 1 })).toBe('zed://file/w/a:1');
  });
  test('keeps the drive of a Windows folder', () => {
    expect(editorAddress('cursor', 'C:\\work', { path: 'a.ts', line: 1 })).toBe('cursor://file/C:/work/a.ts:1');
  });
});
