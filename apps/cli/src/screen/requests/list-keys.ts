import type { Key } from '../input/input.ts';
import type { Keymap } from '../input/keymap.ts';

/** A list of rows with a selection. */
export interface ListKeys {
  /** Index of the selected row. */
  at: number;
  last: number;
  move(at: number): void;
  /** Accepts the selected row. */
  choose(): void;
}

/** Handles up, down and the accept key. False: another key. */
export function takeListKey(key: Key, keymap: Keymap, { at, last, move, choose }: ListKeys): boolean {
  switch (keymap.actionOf(key, 'list')) {
    case 'list-up':
      move(Math.max(0, at - 1));
      return true;
    case 'list-down':
      move(Math.min(last, at + 1));
      return true;
    case 'list-choose':
      choose();
      return true;
    default:
      return false;
  }
}
