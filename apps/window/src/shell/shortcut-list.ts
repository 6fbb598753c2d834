import type { WordKey } from '../words/words.ts';
import { isMac } from './shortcuts.ts';

export interface Shortcut {
  keys: readonly string[];
  /** Other keys that do the same. */
  or?: readonly string[];
  does: WordKey;
}

const mod = isMac ? '⌘' : 'Ctrl';

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: [mod, 'K'], does: 'shortcut.palette' },
  { keys: [mod, 'I'], does: 'shortcut.message' },
  { keys: ['↑', '↓'], does: 'shortcut.history' },
  { keys: [mod, 'N'], or: ['Alt', 'N'], does: 'shortcut.new' },
  { keys: [mod, ','], does: 'shortcut.settings' },
  { keys: ['?'], or: [mod, '/'], does: 'shortcut.shortcuts' },
  { keys: [mod, isMac ? '⇧' : 'Shift', 'M'], does: 'shortcut.model' },
  { keys: [mod, 'B'], does: 'shortcut.sidebar' },
  { keys: [mod, 'Alt', 'B'], does: 'shortcut.inspector' },
  { keys: [mod, '`'], does: 'shortcut.terminal' },
  { keys: [mod, isMac ? '⇧' : 'Shift', '`'], does: 'shortcut.newTerminal' },
  { keys: [mod, '↵'], does: 'shortcut.start' },
  { keys: ['F7'], does: 'review.next' },
  { keys: [isMac ? '⇧' : 'Shift', 'F7'], does: 'review.previous' },
  { keys: ['C'], does: 'shortcut.comment' },
  { keys: ['1', '2', '3', '4', '0'], does: 'shortcut.answer' },
  { keys: ['Esc'], does: 'shortcut.stop' },
];
