import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { WordKey } from '../words/words.ts';
import { closeOverlay, openOverlay } from './overlay-state.ts';

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

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
  { keys: [mod, '↵'], does: 'shortcut.start' },
  { keys: ['1', '2', '3', '4', '0'], does: 'shortcut.answer' },
  { keys: ['Esc'], does: 'shortcut.stop' },
];

/** The shortcut of a press that the whole window answers, by name. */
export function shortcutOf(event: KeyboardEvent): 'palette' | 'new' | 'settings' | 'shortcuts' | 'model' | undefined {
  // Browsers keep Ctrl N for themselves unless the page is installed: Alt N does the same everywhere.
  if (event.altKey && !event.ctrlKey && !event.metaKey && event.code === 'KeyN') return 'new';
  const isMod = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (!isMod || event.altKey) return undefined;
  const key = event.key.toLowerCase();
  if (event.shiftKey) return key === 'm' ? 'model' : undefined;
  return ({ k: 'palette', n: 'new', ',': 'settings', '/': 'shortcuts' } as const)[key];
}

/** What Mod Shift M does is the business of the page that has a model to choose. */
let chooseModel: (() => void) | undefined;

export function useModelShortcut(open: () => void): void {
  useEffect(() => {
    chooseModel = open;
    return () => {
      if (chooseModel === open) chooseModel = undefined;
    };
  }, [open]);
}

export function useShortcuts(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const name = shortcutOf(event);
      if (!name) return;
      event.preventDefault();
      if (name === 'palette') openOverlay({ kind: 'palette' });
      else if (name === 'shortcuts') openOverlay({ kind: 'shortcuts' });
      else if (name === 'model') chooseModel?.();
      else {
        closeOverlay();
        void navigate(name === 'new' ? '/' : '/settings');
      }
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [navigate]);
}
