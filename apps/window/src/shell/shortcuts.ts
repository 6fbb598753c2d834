import { useLayoutEffect } from 'react';
import { useNavigate } from 'react-router';
import { toggleColumn } from './layout.ts';
import { closeOverlay, openOverlay } from './overlay-state.ts';

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

type ShortcutName =
  | 'sidebar'
  | 'message'
  | 'inspector'
  | 'palette'
  | 'new'
  | 'settings'
  | 'shortcuts'
  | 'model'
  | 'terminal'
  | 'newTerminal';

/** The name of the global shortcut that a key event matches. */
export function shortcutOf(event: KeyboardEvent): ShortcutName | undefined {
  // Browsers reserve Ctrl N unless the page is installed: Alt N works everywhere.
  if (event.altKey && !event.ctrlKey && !event.metaKey && event.code === 'KeyN') return 'new';
  if (event.key === '?' && !event.ctrlKey && !event.metaKey && !event.altKey) {
    return isTyping(event.target) ? undefined : 'shortcuts';
  }
  const isMod = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  // In a terminal these belong to the shell.
  const isForShell = event.target instanceof Element && event.target.closest('.xterm') !== null;
  if (isForShell && /^[bi]$/i.test(event.key)) return undefined;
  if (isMod && event.code === 'KeyB' && !event.shiftKey) return event.altKey ? 'inspector' : 'sidebar';
  if (!isMod || event.altKey) return undefined;
  // By its physical position: on many keyboards the character needs two keys.
  if (event.code === 'Backquote') return event.shiftKey ? 'newTerminal' : 'terminal';
  const key = event.key.toLowerCase();
  if (event.shiftKey) return key === 'm' ? 'model' : undefined;
  return ({ k: 'palette', i: 'message', n: 'new', ',': 'settings', '/': 'shortcuts' } as const)[key];
}

/** Shortcuts that the page on screen handles. */
type PageShortcut = 'model' | 'message';
const handlers = new Map<PageShortcut, () => void>();
/** The message field was asked for on a page without one. */
let isMessageWanted = false;

/** `act` must be stable. As with all shortcuts: what is on screen takes its keys. */
export function usePageShortcut(name: PageShortcut, act: () => void): void {
  useLayoutEffect(() => {
    handlers.set(name, act);
    if (name === 'message' && isMessageWanted) act();
    if (name === 'message') isMessageWanted = false;
    return () => {
      if (handlers.get(name) === act) handlers.delete(name);
    };
  }, [name, act]);
}

/** Focuses the message field of the session on screen, or that of a new session. */
export function goToMessage(navigate: (to: string) => unknown): void {
  const focus = handlers.get('message');
  if (focus) return focus();
  const [, place, sessionId] = location.pathname.split('/');
  isMessageWanted = true;
  navigate(place === 'sessions' && sessionId ? `/sessions/${sessionId}` : '/');
}

/** Typing is going on, so a plain key is a letter. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

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
  // Before the first paint: what is on screen takes its keys.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const name = shortcutOf(event);
      if (!name) return;
      event.preventDefault();
      if (name === 'palette') openOverlay({ kind: 'palette' });
      else if (name === 'shortcuts') openOverlay({ kind: 'shortcuts' });
      else if (name === 'model') handlers.get('model')?.();
      else if (name === 'message') goToMessage(navigate);
      else if (name === 'sidebar') toggleColumn('left');
      else if (name === 'inspector') toggleColumn('right');
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
