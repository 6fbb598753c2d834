import type { Key } from '../input/input.ts';
import type { Keymap } from '../input/keymap.ts';

/** Rows under each other, of which one is chosen. */
export interface ListKeys {
  /** The chosen one. */
  at: number;
  last: number;
  move(at: number): void;
  /** Takes the chosen one. */
  choose(): void;
}

/** Up, down and the key that takes the chosen row. False: another key. */
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
