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
  /** As many columns and rows as there is room for. */
  fit(): void;
  dispose(): void;
}

export interface ScreenNeeds {
  element: HTMLElement;
  theme: ITheme;
  /** Spoken for the place where one types. */
  label: string;
  onLink(address: string): void;
  onFind(): void;
}

const SCROLLBACK = 5_000;
const FONT = 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/**
 * Sequences that reach beyond the screen: links whose words are not their address (8), what the desktop shows (9, 99, 777),
 * the clipboard (52), and a vendor's own that can do all of it (1337). None is obeyed, nor answered.
 */
const REFUSED = [8, 9, 52, 99, 777, 1337];

/** Throws when the browser cannot draw one. */
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

/** False for the keys that are the window's: find, copy, paste, and the way out. */
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
  // The browser pastes by itself; without this it would open its own tools instead of copying.
  if (key === 'v') return false;
  if (key !== 'c') return true;
  event.preventDefault();
  if (event.type === 'keydown' && terminal.hasSelection()) void navigator.clipboard.writeText(terminal.getSelection());
  return false;
}

/** The page's policy wants a nonce on a style element: all of them are made while it opens, by the page's own document. */
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

/** And no style attribute set as text, which is how colours beyond the sixteen reach a piece of a line. */
HTMLSpanElement.prototype.setAttribute = function setAttribute(name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
};
