import { createEditor } from '../input/editor/editor.ts';
import { columnOf, pageOf, rowOf } from '../input/editor/rows.ts';
import type { Input } from '../input/input.ts';
import type { Keymap } from '../input/keymap.ts';
import type { Line } from '../line.ts';
import { padLine } from '../render/wrap.ts';

/** A multi-line text field within a card. */
export interface Field {
  text(): string;
  set(text: string): void;
  /** For a width; the cursor is relative to the field's own top left. */
  draw(width: number): { lines: Line[]; cursor: { row: number; column: number } };
  /** False: not a text key. */
  take(input: Input): boolean;
}

const ROWS = 4;
const MARGIN = 2;

export function createField(keymap: Keymap, pasted: (lines: number) => string): Field {
  const editor = createEditor();
  let width = 40;
  return {
    text: () => editor.whole().trim(),
    set: (text) => editor.set(text),
    draw(outer) {
      width = Math.max(1, outer - MARGIN);
      const { text, cursor } = editor.buffer();
      const page = pageOf(text, width, editor.chips.glyph);
      const at = rowOf(page.rows, cursor);
      const top = Math.max(0, Math.min(at - ROWS + 1, page.rows.length - ROWS));
      const lines = page.rows.slice(top, top + ROWS).map(({ from, to }, index): Line => {
        const shown = Array.from(text.slice(from, to), editor.chips.glyph).join('');
        return padLine([{ text: index + top === 0 ? '› ' : '  ', token: 'accent' }, { text: shown }], outer);
      });
      return { lines, cursor: { row: at - top, column: Math.min(outer - 1, MARGIN + columnOf(page, cursor)) } };
    },
    take(input) {
      if (input.kind === 'paste') {
        editor.paste(input.text, pasted);
        return true;
      }
      if (input.kind !== 'key') return false;
      const action = keymap.actionOf(input, 'composer');
      if (action !== undefined && editor.act(action, width)) return true;
      // A character with a meaning at the start of a message is plain text here.
      if (input.text === undefined || input.isCtrl || input.isAlt) return false;
      editor.type(input.text);
      return true;
    },
  };
}
