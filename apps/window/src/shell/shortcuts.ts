import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { closeOverlay, openOverlay } from './overlay-state.ts';

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

type ShortcutName = 'palette' | 'new' | 'settings' | 'shortcuts' | 'model' | 'terminal' | 'newTerminal';

/** The name of the global shortcut that a key event matches. */
export function shortcutOf(event: KeyboardEvent): ShortcutName | undefined {
  // Browsers reserve Ctrl N unless the page is installed: Alt N works everywhere.
  if (event.altKey && !event.ctrlKey && !event.metaKey && event.code === 'KeyN') return 'new';
  const isMod = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (!isMod || event.altKey) return undefined;
  // By its physical position: on many keyboards the character needs two keys.
  if (event.code === 'Backquote') return event.shiftKey ? 'newTerminal' : 'terminal';
  const key = event.key.toLowerCase();
  if (event.shiftKey) return key === 'm' ? 'model' : undefined;
  return ({ k: 'palette', n: 'new', ',': 'settings', '/': 'shortcuts' } as const)[key];
}

/** Mod Shift M is handled by the page that can choose a model. */
let chooseModel: (() => void) | undefined;

export function useModelShortcut(open: () => void): void {
  useEffect(() => {
    chooseModel = open;
    return () => {
      if (chooseModel === open) chooseModel = undefined;
    };
  }, [open]);
}

/** Toggles between a session's terminal and its conversation. */
function goToTerminal(navigate: (to: string) => unknown, isNew: boolean): void {
  const [, place, sessionId, view] = location.pathname.split('/');
  if (place !== 'sessions' || !sessionId) return;
  const base = `/sessions/${sessionId}`;
  if (isNew) navigate(`${base}/terminal?new=1`);
  else navigate(view === 'terminal' ? base : `${base}/terminal`);
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
      else if (name === 'terminal' || name === 'newTerminal') goToTerminal(navigate, name === 'newTerminal');
      else {
        closeOverlay();
        void navigate(name === 'new' ? '/' : '/settings');
      }
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [navigate]);
}
