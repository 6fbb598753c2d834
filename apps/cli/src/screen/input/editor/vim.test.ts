import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Key, key } from '../input.ts';
import { createEditor, type Editor } from './editor.ts';
import { characterBoundaryAt } from './text.ts';
import { createVim, type Vim } from './vim.ts';

interface Modal {
  editor: Editor;
  vim: Vim;
}

/** The text with | at the cursor; the editor is in normal mode. */
function modal(marked: string): Modal {
  const editor = createEditor();
  const vim = createVim(editor);
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  editor.set(text);
  vim.take(key('escape'));
  editor.place({ text, cursor });
  return { editor, vim };
}

function keysOf(typed: string): Key[] {
  return [...typed].map((text) => {
    if (text === '␛') return key('escape');
    if (text === '®') return key('r', { isCtrl: true });
    return key(text.toLowerCase(), { text });
  });
}

function type({ editor, vim }: Modal, typed: string): string {
  for (const one of keysOf(typed)) if (vim.take(one) === 'unused' && one.text) editor.type(one.text);
  const { text, cursor } = editor.buffer();
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

describe('normal mode', () => {
  test.each([
    ['|one two three', 'w', 'one |two three'],
    ['|one two three', '2w', 'one two |three'],
    ['|one.two', 'w', 'one|.two'],
    ['|one.two three', 'W', 'one.two |three'],
    ['one two thre|e', 'b', 'one two |three'],
    ['|one two', 'e', 'on|e two'],
    ['|one two', 'ee', 'one tw|o'],
    ['  on|e', '0', '|  one'],
    ['  on|e', '^', '  |one'],
    ['|one', '$', 'on|e'],
    ['a\nb\n|c', 'gg', '|a\nb\nc'],
    ['|a\nb\nc', 'G', 'a\nb\n|c'],
    ['|a\nb\nc', '2G', 'a\n|b\nc'],
    ['one t|wo\nx\nthree', 'jj', 'one two\nx\n|three'],
    ['|say (what) now', 'f(', 'say |(what) now'],
    ['|say (what) now', 't(', 'say| (what) now'],
    ['|a,b,c,d', 'f,;;', 'a,b,c|,d'],
    ['|a,b,c,d', '3f,,', 'a,b|,c,d'],
    ['f(|a, (b))', 'f(%', 'f(a, (b|))'],
    ['on|e two', 'x', 'on| two'],
    ['|one two', '3x', '| two'],
    ['|one two', 'dw', '|two'],
    ['one |two\nthree', 'dw', 'one| \nthree'],
    ['|one two', 'cwno␛', 'n|o two'],
    ['|one two', 'd$', '|'],
    ['one| two', 'D', 'on|e'],
    ['one two| three', 'd0', '| three'],
    ['a\n|b\nc', 'dd', 'a\n|c'],
    ['a\nb\n|c', 'dd', 'a\n|b'],
    ['|a\nb\nc', '2dd', '|c'],
    ['|a\nb\nc', 'dj', '|c'],
    ['|a\nb\nc', 'dG', '|'],
    ['|a\nb', 'yyp', 'a\n|a\nb'],
    ['a\n|b', 'yyP', 'a\n|b\nb'],
    ['|one two', 'ywP', 'one| one two'],
    ['|ab', 'xp', 'b|a'],
    ['one t|wo three', 'ciwx␛', 'one |x three'],
    ['one t|wo three', 'daw', 'one |three'],
    ['say "he|llo you" x', 'ci"bye␛', 'say "by|e" x'],
    ['say "he|llo" x', 'da"', 'say | x'],
    ['f(a, (|b), c)', 'di(', 'f(a, (|), c)'],
    ['f(a|, (b), c)', 'ca(x␛', 'f|x'],
    ['a {\n b|c\n}', 'di{', 'a {|}'],
    ['|one two', 'ihi ␛', 'hi| one two'],
    ['|one', 'Aend␛', 'oneen|d'],
    ['  on|e', 'Ix␛', '  |xone'],
    ['|one\ntwo', 'ox␛', 'one\n|x\ntwo'],
    ['|one', 'Ox␛', '|x\none'],
    ['|one', 'sx␛', '|xne'],
    ['a\n|b\nc', 'Sx␛', 'a\n|x\nc'],
    ['|one', '20rx', 'xx|x'],
    ['o|ne', 'rx', 'o|xe'],
    ['|one', '~', 'O|ne'],
    ['|a\n  b\nc', 'J', 'a| b\nc'],
    ['|one two three', 'dw.', '|three'],
    ['|a b c', 'cwx␛w.', 'x |x c'],
    ['|one two', 'dwu', '|one two'],
    ['|one two', 'dwu®', '|two'],
    ['|one', '2q3d␛x', '|ne'],
    ['a\n\nb|\nc\n\nd', '{', 'a\n|\nb\nc\n\nd'],
  ])('%j %s → %j', (before, typed, after) => expect(type(modal(before), typed)).toBe(after));
});

describe('visual mode', () => {
  test.each([
    ['|one two', 'vlld', '| two'],
    ['|one two', 'vey$p', 'one twoon|e'],
    ['|a\nb\nc', 'Vjd', '|c'],
    ['|a\nb', 'Vyjp', 'a\nb\n|a'],
    ['|a\nb', 'yyjVp', 'a\n|a'],
    ['|a\nb\nc', 'yyjVp', 'a\n|a\nc'],
    ['|one\nb', 'yejVp', 'one\non|e'],
    ['|a\nb c', 'yyjwvp', 'a\nb \n|a\n'],
    ['one t|wo three', 'viwcx␛', 'one |x three'],
    ['|one', 'vl~', '|ONe'],
    ['|one', 'vlrx', '|xxe'],
    ['o|ne', 'vlohd', '|'],
    ['|one', 'v␛x', '|ne'],
  ])('%j %s → %j', (before, typed, after) => expect(type(modal(before), typed)).toBe(after));
});

test.each([';', ',', '%'])('%s without a target changes nothing', (typed) => {
  expect(type(modal('o|ne'), typed)).toBe('o|ne');
});

test('passes keys without a vim binding on', () => {
  const { vim } = modal('|one');
  expect(vim.take(key('escape'))).toBe('unused');
  expect(vim.take(key('enter'))).toBe('unused');
  expect(vim.take(key('t', { isCtrl: true }))).toBe('unused');
  expect(vim.take(key('k', { text: 'k' }))).toBe('unused');
  expect(vim.take(key('d', { text: 'd' }))).toBe('taken');
  expect(vim.pending()).toBe('d');
  expect(vim.take(key('escape'))).toBe('taken');
  expect(vim.mode()).toBe('normal');
});

test('random keys never throw or split a character, and undo restores the first text', () => {
  const keys = fc.array(fc.constantFrom(...'hjklwbe0^$gGftT;,dcypPuxXsSDCYiaIAoOvVrJ~.23"\'()w{}%é👍␛®\n'));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), keys, (text, typed) => {
      const one = modal(`|${text.replaceAll('|', '')}`);
      type(one, typed.join(''));
      const { text: now, cursor } = one.editor.buffer();
      expect(characterBoundaryAt(now, cursor)).toBe(cursor);
      while (one.editor.undo());
      expect(one.editor.buffer().text).toBe('');
    }),
    { numRuns: 500 },
  );
});
