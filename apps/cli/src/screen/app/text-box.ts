import { cleanText } from '../../clean-text.ts';
import type { Input } from '../input/input.ts';
import { lineWidth } from '../look/width.ts';
import { cutLine } from '../look/wrap.ts';
import type { Part } from '../part.ts';

export interface TextBox extends Part<Input> {
  text(): string;
  clear(): void;
}

/** One line of text with its end as the cursor. */
export function createTextBox({ submit, changed }: { submit(text: string): void; changed(): void }): TextBox {
  let text = '';
  return {
    text: () => text,
    clear() {
      text = '';
      changed();
    },
    draw({ width }) {
      const line = cutLine([{ text: '› ', token: 'accent' }, { text: cleanText(text) }], width);
      return { lines: [line], cursor: { row: 0, column: Math.min(width - 1, lineWidth(line)) } };
    },
    take(input) {
      if (input.kind === 'paste') text += input.text;
      else if (input.kind !== 'key') return false;
      else if (input.name === 'enter') {
        submit(text);
        text = '';
      } else if (input.name === 'backspace') text = text.slice(0, -1);
      else if (input.text !== undefined) text += input.text;
      else return false;
      changed();
      return true;
    },
  };
}
