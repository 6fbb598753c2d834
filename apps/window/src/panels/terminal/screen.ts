import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type ITheme, Terminal } from '@xterm/xterm';
import { getNonce } from 'get-nonce';
import { isMac } from '../../shell/shortcuts.ts';

export interface TerminalScreen {
  terminal: Terminal;
  search: SearchAddon;
  /** Fits columns and rows to the available space. */
  fit(): void;
  dispose(): void;
}

export interface ScreenNeeds {
  element: HTMLElement;
  theme: ITheme;
  /** Accessible name of the input. */
  label: string;
  onLink(address: string): void;
  onFind(): void;
}

const SCROLLBACK = 5_000;
const FONT = 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/**
 * Escape sequences with effects outside the screen: links with a different text (8), desktop notifications (9, 99,
 * 777), the clipboard (52), and a vendor's own with all of these (1337). They are ignored.
 */
const REFUSED = [8, 9, 52, 99, 777, 1337];

/** Throws when the browser does not support it. */
export function createScreen(needs: ScreenNeeds): TerminalScreen {
  const terminal = new Terminal({
    scrollback: SCROLLBACK,
    fontFamily: FONT,
    fontSize: 13,
    lineHeight: 1.2,
    cursorBlink: false,
    screenReaderMode: true,
    minimumContrastRatio: 4.5,
    macOptionIsMeta: true,
    theme: needs.theme,
    allowProposedApi: true,
  });
  const fit = new FitAddon();
  const search = new SearchAddon({ highlightLimit: 500 });
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon((_event, address) => needs.onLink(address)));
  for (const sequence of REFUSED) terminal.parser.registerOscHandler(sequence, () => true);
  terminal.attachCustomKeyEventHandler((event) => isForShell(event, terminal, needs));
  withStampedStyles(() => terminal.open(needs.element));
  terminal.textarea?.setAttribute('aria-label', needs.label);
  return { terminal, search, fit: () => fit.fit(), dispose: () => terminal.dispose() };
}

/** False for keys that the window handles: find, copy, paste, and leaving the terminal. */
function isForShell(event: KeyboardEvent, terminal: Terminal, { onFind }: ScreenNeeds): boolean {
  const isMod = isMac ? event.metaKey : event.ctrlKey;
  if (!isMod || event.altKey) return true;
  if (event.code === 'Backquote') return false;
  const key = event.key.toLowerCase();
  if (key === 'f' && !event.shiftKey) {
    event.preventDefault();
    if (event.type === 'keydown') onFind();
    return false;
  }
  if (isMac || !event.shiftKey) return true;
  // The browser pastes itself; otherwise Ctrl Shift C would open its developer tools.
  if (key === 'v') return false;
  if (key !== 'c') return true;
  event.preventDefault();
  if (event.type === 'keydown' && terminal.hasSelection()) void navigator.clipboard.writeText(terminal.getSelection());
  return false;
}

/** The page's policy requires a nonce on style elements: all of them are created while it opens. */
function withStampedStyles(open: () => void): void {
  const create = document.createElement.bind(document);
  document.createElement = ((tag: string) => {
    const element = create(tag);
    if (element instanceof HTMLStyleElement) element.nonce = getNonce() ?? '';
    return element;
  }) as typeof document.createElement;
  try {
    open();
  } finally {
    delete (document as { createElement?: unknown }).createElement;
  }
}

/** Style attributes must not be set as text, which is how colors beyond the sixteen are applied. */
HTMLSpanElement.prototype.setAttribute = function setAttribute(name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
};
