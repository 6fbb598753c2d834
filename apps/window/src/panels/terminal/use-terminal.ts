import { THEMES } from '@fucina/shared/themes';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { openOutside, outsideAddress } from '../../parts/outside-address.ts';
import { openOverlay } from '../../shell/overlay-state.ts';
import { useAppearance } from '../../styles/appearance.ts';
import { useWords } from '../../words/words.ts';
import { type Connection, type ConnectionState, createConnection } from './connection.ts';
import { takeFirstInput } from './first-input.ts';
import { createScreen, type TerminalScreen } from './screen.ts';
import { terminalTheme } from './theme.ts';

export interface JoinedTerminal {
  link: ConnectionState;
  /** The earlier shell ended with a restarted server. */
  isNew: boolean;
  isFinding: boolean;
  setFinding: (isFinding: boolean) => void;
  screen: RefObject<TerminalScreen | undefined>;
  /** Starts a new shell after the end, or retries. */
  again: () => void;
}

/** Typed input, and the screen's answers to queries of programs. */
function listen(screen: TerminalScreen, connection: Connection): void {
  const encoder = new TextEncoder();
  screen.terminal.onData((text) => connection.type(encoder.encode(text)));
  screen.terminal.onBinary((text) => connection.type(Uint8Array.from(text, (sign) => sign.charCodeAt(0))));
  screen.terminal.onResize(() => connection.resize());
}

function useAskBeforeLink(): (address: string) => void {
  const { say } = useWords();
  const ask = (address: string) => {
    if (!/^https?:\/\//i.test(address)) return;
    const isRefused = outsideAddress(address) === undefined;
    openOverlay({
      kind: 'confirm',
      title: say('terminal.link'),
      text: isRefused ? `${address}: ${say('link.refused')}` : address,
      act: say(isRefused ? 'act.close' : 'terminal.link.open'),
      isDangerous: false,
      run: async () => openOutside(address),
    });
  };
  const latest = useRef(ask);
  latest.current = ask;
  return (address) => latest.current(address);
}

/** Joins the shell `id` with a screen in `place`, as long as both are there. */
export function useTerminal(id: string, place: RefObject<HTMLDivElement | null>): JoinedTerminal {
  const { say } = useWords();
  const { theme, mode } = useAppearance();
  const [link, setLink] = useState<ConnectionState>({ state: 'connecting' });
  const [isNew, setNew] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const screen = useRef<TerminalScreen>(undefined);
  const connection = useRef<Connection>(undefined);
  const onLink = useAskBeforeLink();
  const first = useRef({ colours: terminalTheme(THEMES[theme][mode], mode), label: say('terminal.type'), onLink });
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const { colours, label, onLink: ask } = first.current;
    const made = createScreen({ element, theme: colours, label, onLink: ask, onFind: () => setFinding(true) });
    screen.current = made;
    made.fit();
    const joined = createConnection({
      id,
      screen: {
        write: (bytes, done) => made.terminal.write(bytes, done),
        clear: () => made.terminal.reset(),
        size: () => ({ cols: made.terminal.cols, rows: made.terminal.rows }),
      },
      onLink: setLink,
      onRestart: () => setNew(true),
    });
    connection.current = joined;
    listen(made, joined);
    const watch = new ResizeObserver(() => made.fit());
    watch.observe(element);
    joined.connect();
    const text = takeFirstInput(id);
    if (text !== undefined) joined.type(new TextEncoder().encode(text));
    // When moving between tabs by key, the focus stays on the tabs.
    if (!document.activeElement?.matches('[role="tab"]:focus-visible')) made.terminal.focus();
    return () => {
      watch.disconnect();
      joined.dispose();
      made.dispose();
    };
  }, [id, place]);
  useEffect(() => {
    if (screen.current) screen.current.terminal.options.theme = terminalTheme(THEMES[theme][mode], mode);
  }, [theme, mode]);
  const again = () => {
    setNew(false);
    connection.current?.connect();
    screen.current?.terminal.focus();
  };
  return { link, isNew, isFinding, setFinding, screen, again };
}
