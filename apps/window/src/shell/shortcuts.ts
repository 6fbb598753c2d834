import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { closeOverlay, openOverlay } from './overlay-state.ts';

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

type ShortcutName = 'palette' | 'new' | 'settings' | 'shortcuts' | 'model' | 'terminal' | 'newTerminal';

/** The shortcut of a press that the whole window answers, by name. */
export function shortcutOf(event: KeyboardEvent): ShortcutName | undefined {
  // Browsers keep Ctrl N for themselves unless the page is installed: Alt N does the same everywhere.
  if (event.altKey && !event.ctrlKey && !event.metaKey && event.code === 'KeyN') return 'new';
  const isMod = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (!isMod || event.altKey) return undefined;
  // By its place: on many keyboards the sign itself takes two keys.
  if (event.code === 'Backquote') return event.shiftKey ? 'newTerminal' : 'terminal';
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

/** From a session to its terminal; from there back to the conversation. */
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
