import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ACTION_NAMES } from '../keymap.ts';
import { selectionOf } from './buffer.ts';
import { createEditor, type Editor } from './editor.ts';
import { characterBoundaryAt, nextPlace, previousPlace } from './text.ts';

const WIDTH = 20;
const label = (lines: number): string => `[pasted ${lines} lines]`;

function written(text: string, cursor = text.length): Editor {
  const editor = createEditor();
  editor.set(text);
  editor.place({ text, cursor });
  return editor;
}

/** The text with | at the cursor and ‹› around the selection. */
function shown(editor: Editor): string {
  const buffer = editor.buffer();
  const { text, cursor } = buffer;
  const selected = selectionOf(buffer);
  if (!selected) return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
  return `${text.slice(0, selected.from)}‹${text.slice(selected.from, selected.to)}›${text.slice(selected.to)}`;
}

const act = (editor: Editor, ...actions: (typeof ACTION_NAMES)[number][]): string => {
  for (const action of actions) editor.act(action, WIDTH);
  return shown(editor);
};

describe('moving the cursor', () => {
  test('moves by grapheme clusters', () => {
    const editor = written('a👨‍👩‍👧é̂한');
    expect(act(editor, 'left')).toBe('a👨‍👩‍👧é̂|한');
    expect(act(editor, 'left')).toBe('a👨‍👩‍👧|é̂한');
    expect(act(editor, 'left')).toBe('a|👨‍👩‍👧é̂한');
    expect(act(editor, 'right')).toBe('a👨‍👩‍👧|é̂한');
  });

  test('moves by words, to the ends of the row, then of the line', () => {
    const editor = written('git commit --amend now and then');
    expect(act(editor, 'word-left', 'word-left', 'word-left')).toBe('git commit --amend |now and then');
    expect(act(editor, 'line-start')).toBe('|git commit --amend now and then');
    expect(act(editor, 'word-right', 'word-right')).toBe('git commit| --amend now and then');
    expect(act(editor, 'line-end')).toBe('git commit --amend| now and then');
    expect(act(editor, 'line-end')).toBe('git commit --amend now and then|');
  });

  test('moves up and down by visual rows and keeps its column', () => {
    const editor = written('a long line that is laid out on rows\nb\nanother');
    expect(editor.moveRow(-1, WIDTH)).toBe(true);
    expect(shown(editor)).toBe('a long line that is laid out on rows\nb|\nanother');
    editor.moveRow(-1, WIDTH);
    expect(shown(editor)).toBe('a long line that is laid ou|t on rows\nb\nanother');
    editor.moveRow(-1, WIDTH);
    expect(shown(editor)).toBe('a long |line that is laid out on rows\nb\nanother');
    expect(editor.moveRow(-1, WIDTH)).toBe(false);
  });

  test('extends the selection', () => {
    const editor = written('one two three');
    expect(act(editor, 'select-word-left')).toBe('one two ‹three›');
    expect(act(editor, 'select-left', 'select-left')).toBe('one tw‹o three›');
    expect(act(editor, 'copy', 'left', 'line-start', 'paste')).toBe('o three|one two three');
  });
});

describe('editing', () => {
  test('typed text replaces the selection', () => {
    const editor = written('one two');
    act(editor, 'select-word-left');
    editor.type('x');
    expect(shown(editor)).toBe('one x|');
  });

  test('cuts to the line ends and by words, and pastes', () => {
    const editor = written('one two\nthree four', 13);
    expect(act(editor, 'cut-line-end')).toBe('one two\nthree|');
    expect(act(editor, 'paste')).toBe('one two\nthree four|');
    expect(act(editor, 'cut-word')).toBe('one two\nthree |');
    expect(act(editor, 'cut-line-start')).toBe('one two\n|');
    expect(act(editor, 'delete-left', 'cut-word')).toBe('one |');
    expect(act(editor, 'cut-line-end')).toBe('one |');
  });

  test('joins consecutive cuts into one paste', () => {
    const editor = written('one two\nthree four', 7);
    expect(act(editor, 'cut-line-end', 'cut-line-end')).toBe('one two|');
    expect(act(editor, 'cut-word', 'cut-word')).toBe('|');
    expect(act(editor, 'paste')).toBe('one two\nthree four|');
    expect(act(editor, 'cut-word', 'left', 'cut-word', 'paste')).toBe('one two\nthree| ');
  });

  test('undo removes words instead of characters, and redo restores them', () => {
    const editor = createEditor();
    for (const letter of 'one two') editor.type(letter);
    expect(act(editor, 'undo')).toBe('one |');
    expect(act(editor, 'undo')).toBe('one|');
    expect(act(editor, 'undo')).toBe('|');
    expect(editor.act('undo', WIDTH)).toBe(false);
    expect(act(editor, 'redo', 'redo', 'redo')).toBe('one two|');
  });

  test('a long paste counts as one character until it is sent', () => {
    const editor = written('see ');
    const text = Array.from({ length: 12 }, (_, at) => `line ${at}`).join('\n');
    editor.paste(text, label);
    editor.type('!');
    expect([...editor.buffer().text]).toHaveLength(6);
    expect(editor.whole()).toBe(`see ${text}!`);
    expect(act(editor, 'delete-left', 'delete-left')).toBe('see |');
    expect(act(editor, 'undo')).not.toBe('see |');
    expect(editor.whole()).toBe(`see ${text}!`);
  });

  test('typed text can never contain the placeholder character of a chip', () => {
    const editor = createEditor();
    editor.paste('a'.repeat(2_000), label);
    editor.type('\u{100000}');
    editor.paste('x\u{100000}y', label);
    expect(editor.whole()).toBe(`${'a'.repeat(2_000)}xy`);
  });
});

type Step = (editor: Editor) => void;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => (editor: Editor) => editor.type(text)),
  fc.string({ unit: 'binary' }).map((text) => (editor: Editor) => editor.paste(text, label)),
  fc.constantFrom(...ACTION_NAMES).map((action) => (editor: Editor) => void editor.act(action, WIDTH)),
  fc.constantFrom(1 as const, -1 as const).map((by) => (editor: Editor) => void editor.moveRow(by, WIDTH)),
);

test('random edits keep the cursor between characters, and undo restores every text', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const editor = createEditor();
      for (const one of steps) {
        const before = editor.whole();
        one(editor);
        const { text, cursor } = editor.buffer();
        expect(characterBoundaryAt(text, cursor)).toBe(cursor);
        if (editor.whole() !== before) {
          const after = editor.whole();
          if (editor.undo()) {
            editor.redo();
            expect(editor.whole()).toBe(after);
          }
        }
      }
      const end = editor.whole();
      let count = 0;
      while (editor.undo()) count++;
      expect(editor.whole()).toBe('');
      while (count-- > 0) editor.redo();
      expect(editor.whole()).toBe(end);
    }),
  );
});

test('moving forward and backward visits the same positions', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const forward: number[] = [];
      for (let at = 0; at < text.length; at = nextPlace(text, at)) forward.push(at);
      const back: number[] = [];
      for (let at = text.length; at > 0; ) back.unshift((at = previousPlace(text, at)));
      expect(back).toEqual(forward);
    }),
  );
});

test('restores a sent text with its images before a newer draft', async () => {
  const editor = createEditor();
  const picture = (id: string, name: string) => Promise.resolve({ id, name });
  const insert = (image: Promise<{ id: string; name: string }>): void =>
    editor.insertChip({ kind: 'image', label: '[shot.png]', image });
  insert(picture('old', 'shot.png'));
  editor.clear();
  insert(Promise.reject(new Error('not kept')));
  insert(picture('new', 'shot.png'));
  editor.type(' and this');
  const sent = editor.whole();
  expect(sent).toBe('[shot.png][shot.png] and this');
  editor.clear();
  editor.type('since');
  await new Promise(setImmediate);
  editor.takeBack('look at [shot.png]');
  expect(editor.whole()).toBe('look at [shot.png]\nsince');
  const images = await Promise.all(editor.chips.imagesIn(editor.buffer().text));
  expect(images.map(({ id }) => id)).toEqual(['new']);
  editor.undo();
  expect(editor.whole()).toBe('since');
});
