import { cleanLine } from '../../clean-text.ts';
import type { Say } from '../../words/index.ts';
import type { Input } from '../input/input.ts';
import type { Keymap } from '../input/keymap.ts';
import type { Line } from '../line.ts';
import type { ScreenPart } from '../part.ts';
import { alignLine, padLine } from '../render/wrap.ts';

export interface PageNeeds {
  title: string;
  lines(width: number): readonly Line[];
  keymap: Keymap;
  say: Say;
  close(): void;
}

const TITLE_WIDTH = 200;
const WHEEL_ROWS = 3;

/** A full-screen text viewer, closed with Esc. */
export function createPage({ title, lines, keymap, say, close }: PageNeeds): ScreenPart<Input> {
  let top = 0;
  let room = 1;
  let drawn: { width: number; lines: readonly Line[] } | undefined;
  const scroll = (by: number): void => {
    const last = Math.max(0, (drawn?.lines.length ?? 0) - room);
    top = Math.max(0, Math.min(last, top + by));
  };
  const moves: Readonly<Record<string, () => void>> = {
    'list-up': () => scroll(-1),
    'list-down': () => scroll(1),
    'list-page-up': () => scroll(-room),
    'list-page-down': () => scroll(room),
    'list-first': () => scroll(Number.NEGATIVE_INFINITY),
    'list-last': () => scroll(Number.MAX_SAFE_INTEGER),
    'list-close': close,
    'list-choose': close,
  };
  return {
    draw({ width, height }) {
      if (drawn?.width !== width) drawn = { width, lines: lines(width) };
      room = Math.max(1, height - 2);
      scroll(0);
      const seen = drawn.lines.slice(top, top + room);
      const rest = drawn.lines.length - top - seen.length;
      const head: Line = [
        { text: ` ${cleanLine(title, TITLE_WIDTH)}`, token: 'accentText', background: 'accent', isBold: true },
      ];
      const hint = rest > 0 ? say('page.more', { count: rest }) : say('page.end');
      return {
        lines: [
          padLine(head, width, { background: 'accent' }),
          ...seen,
          ...Array.from({ length: room - seen.length }, (): Line => []),
          alignLine([{ text: ` ${hint}`, token: 'muted' }], [], width),
        ],
      };
    },
    take(input) {
      if (input.kind === 'mouse') {
        if (input.action === 'wheel-up') scroll(-WHEEL_ROWS);
        if (input.action === 'wheel-down') scroll(WHEEL_ROWS);
        return true;
      }
      if (input.kind !== 'key') return true;
      const action =
        input.text === 'q' ? 'list-close' : input.name === 'space' ? 'list-page-down' : keymap.actionOf(input, 'list');
      moves[action ?? '']?.();
      return true;
    },
  };
}
