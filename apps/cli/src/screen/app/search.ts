import { cleanText } from '../../clean-text.ts';
import type { Say } from '../../words/index.ts';
import type { Input, Key } from '../input/input.ts';
import type { Keymap } from '../input/keymap.ts';
import type { Line } from '../line.ts';
import type { ScreenPart } from '../part.ts';
import { lineWidth } from '../render/width.ts';
import { alignLine } from '../render/wrap.ts';
import type { TranscriptPosition } from './transcript.ts';

export interface SearchNeeds {
  say: Say;
  keymap: Keymap;
  /** Rows that contain the text, ignoring case, from the first. */
  find(text: string): readonly TranscriptPosition[];
  reveal(place: TranscriptPosition): void;
  close(): void;
}

/** Searches the conversation; Enter goes to the previous match, because reading starts at the end. */
export function createSearch({ say, keymap, find, reveal, close }: SearchNeeds): ScreenPart<Input> {
  let query = '';
  let found: readonly TranscriptPosition[] = [];
  let at = 0;
  const look = (text: string): void => {
    query = text;
    found = text === '' ? [] : find(text);
    at = Math.max(0, found.length - 1);
    show();
  };
  const show = (): void => {
    const place = found[at];
    if (place) reveal(place);
  };
  const move = (by: number): void => {
    if (found.length === 0) return;
    at = (at + by + found.length) % found.length;
    show();
  };
  const takeKey = (key: Key): void => {
    const action = keymap.actionOf(key, 'list');
    if (action === 'list-close') close();
    else if (action === 'list-choose') move(key.isShift ? 1 : -1);
    else if (action === 'list-up') move(-1);
    else if (action === 'list-down') move(1);
    else if (key.name === 'backspace') look([...query].slice(0, -1).join(''));
    else if (key.text !== undefined && !key.isCtrl && !key.isAlt) look(query + key.text);
  };
  return {
    draw({ width }) {
      const label: Line = [
        { text: ` ${say('search.label')} `, token: 'accent' },
        { text: cleanText(query).replaceAll('\n', ' ') },
      ];
      const count =
        query === '' ? '' : say('search.count', { at: found.length === 0 ? 0 : at + 1, count: found.length });
      const hint: Line = [
        { text: `${count}  `, token: found.length === 0 && query !== '' ? 'warning' : 'muted' },
        { text: `${say('search.hint')} `, token: 'muted' },
      ];
      return {
        lines: [alignLine(label, hint, width)],
        cursor: { row: 0, column: Math.min(width - 1, lineWidth(label)) },
      };
    },
    take(input) {
      if (input.kind === 'paste') look(query + input.text.replace(/\s+/g, ' '));
      else if (input.kind === 'key') takeKey(input);
      else return false;
      return true;
    },
  };
}
