import type { WordKey } from '../words/words.ts';
import { isMac } from './shortcuts.ts';

export interface Shortcut {
  keys: readonly string[];
  does: WordKey;
}

const mod = isMac ? '⌘' : 'Ctrl';

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: [mod, 'K'], does: 'shortcut.palette' },
  { keys: [mod, 'N'], does: 'shortcut.new' },
  { keys: ['Alt', 'N'], does: 'shortcut.new' },
  { keys: [mod, ','], does: 'shortcut.settings' },
  { keys: [mod, '/'], does: 'shortcut.shortcuts' },
  { keys: [mod, isMac ? '⇧' : 'Shift', 'M'], does: 'shortcut.model' },
  { keys: [mod, '`'], does: 'shortcut.terminal' },
  { keys: [mod, isMac ? '⇧' : 'Shift', '`'], does: 'shortcut.newTerminal' },
  { keys: [mod, '↵'], does: 'shortcut.start' },
  { keys: ['F7'], does: 'review.next' },
  { keys: [isMac ? '⇧' : 'Shift', 'F7'], does: 'review.previous' },
  { keys: ['C'], does: 'shortcut.comment' },
  { keys: ['1', '2', '3', '4', '0'], does: 'shortcut.answer' },
  { keys: ['Esc'], does: 'shortcut.stop' },
];
