import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Hit } from '../../../parts/marked-pieces.ts';
import { isMac } from '../../../shell/shortcuts.ts';
import { useWords } from '../../../words/words.ts';
import { hitsOf } from '../find.ts';

export interface FindState {
  wanted: string;
  hits: readonly Hit[];
  /** The current match. */
  hit: Hit | undefined;
  isOpen: boolean;
  findBox: RefObject<HTMLInputElement | null>;
  lineBox: RefObject<HTMLInputElement | null>;
  open(): void;
  look(wanted: string): void;
  step(by: 1 | -1): void;
  close(): void;
  /** Mod F opens the bar, Ctrl G goes to the line, F3 steps. */
  press(event: KeyboardEvent): void;
}

/** Search in a text. `again`: the search text for lines that replace others. */
export function useFind(lines: readonly string[], again = ''): FindState {
  const [state, setState] = useState({ wanted: again, at: 0, isOpen: again !== '' });
  const findBox = useRef<HTMLInputElement>(null);
  const lineBox = useRef<HTMLInputElement>(null);
  const hits = useMemo(() => hitsOf(lines, state.wanted), [lines, state.wanted]);
  const at = Math.min(state.at, hits.length - 1);
  const step = (by: 1 | -1) => setState({ ...state, at: (at + by + hits.length) % Math.max(1, hits.length) });
  const open = (box: RefObject<HTMLInputElement | null>) => {
    // At once: a letter may be typed before the next frame.
    flushSync(() => setState({ ...state, isOpen: true }));
    box.current?.select();
  };
  return {
    wanted: state.wanted,
    hits,
    hit: hits[at],
    isOpen: state.isOpen,
    findBox,
    lineBox,
    open: () => open(findBox),
    look: (wanted) => setState({ ...state, wanted, at: 0 }),
    step,
    close: () => setState({ wanted: '', at: 0, isOpen: false }),
    press(event) {
      const key = event.key.toLowerCase();
      if (key === 'f' && (isMac ? event.metaKey : event.ctrlKey)) open(findBox);
      else if (key === 'g' && event.ctrlKey) open(lineBox);
      else if (key === 'f3') step(event.shiftKey ? -1 : 1);
      else return;
      event.preventDefault();
    },
  };
}

interface BarProps {
  finding: FindState;
  /** Without it there are no line numbers to go to. */
  goTo?: (line: number) => void;
  /** Called when there are no more matches here; without it the search wraps around. */
  onward?: () => void;
  /** Returns the focus to the text. */
  leave: () => void;
}

/** Search text, number of matches, and go to line. */
export function FindBar({ finding, goTo, onward, leave }: BarProps) {
  const { say, number } = useWords();
  const { wanted, hits, hit, step } = finding;
  const close = () => {
    finding.close();
    leave();
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && onward && !event.shiftKey && (!hit || hit === hits.at(-1))) onward();
    else if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    else return finding.press(event);
    event.preventDefault();
  };
  const count =
    wanted === ''
      ? ''
      : hit
        ? say('files.find.of', { at: number(hits.indexOf(hit) + 1), of: number(hits.length) })
        : say('files.find.none');
  return (
    <div className="find-bar" role="search">
      <input
        ref={finding.findBox}
        autoFocus
        aria-label={say('files.find')}
        placeholder={say('files.find')}
        value={wanted}
        onChange={(event) => finding.look(event.currentTarget.value)}
        onKeyDown={press}
      />
      <span className="small muted tabular" role="status">
        {count}
      </span>
      <button
        type="button"
        className="icon-button"
        disabled={!hit}
        aria-label={say('files.find.back')}
        title={say('files.find.back')}
        onClick={() => step(-1)}
      >
        <ChevronUp size={14} aria-hidden />
      </button>
      <button
        type="button"
        className="icon-button"
        disabled={!hit && !onward}
        aria-label={say('files.find.next')}
        title={say('files.find.next')}
        onClick={() => (onward && (!hit || hit === hits.at(-1)) ? onward() : step(1))}
      >
        <ChevronDown size={14} aria-hidden />
      </button>
      {goTo && <LineBox box={finding.lineBox} goTo={goTo} close={close} />}
      <button
        type="button"
        className="icon-button"
        aria-label={say('act.close')}
        title={say('act.close')}
        onClick={close}
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}

function LineBox(props: { box: RefObject<HTMLInputElement | null>; goTo: (line: number) => void; close: () => void }) {
  const { say } = useWords();
  return (
    <input
      ref={props.box}
      className="line-box"
      inputMode="numeric"
      aria-label={say('files.goTo')}
      placeholder={say('files.goTo')}
      onKeyDown={(event) => {
        const line = Number(event.currentTarget.value);
        if (event.key === 'Escape') props.close();
        if (event.key !== 'Enter' || !Number.isInteger(line) || line < 1) return;
        event.preventDefault();
        props.goTo(line);
      }}
    />
  );
}
