import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, LoaderCircle, Search } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Failure, Loading } from '../../../parts/states.tsx';
import { useWords } from '../../../words/words.ts';
import { hitsOf } from '../find.ts';
import {
  type CutLines,
  encodingOf,
  type FilePiece,
  type FilePlace,
  readFilePiece,
  WINDOW_BYTES,
  wholeLines,
} from '../pieces.ts';
import { pieceQuery } from '../queries.ts';
import { FindBar, useFind } from './find-bar.tsx';
import { TextLines } from './text-lines.tsx';

interface LargeProps {
  sessionId: string;
  path: string;
  head: FilePiece;
}

interface ByteRange {
  from: number;
  to: number;
}

const NO_CUT: CutLines = { lines: [], from: 0, to: 0 };

/** Includes the line break before `at`, which shows that the line after it is complete. */
const after = (at: number): ByteRange => {
  const from = Math.max(0, at - 1);
  return { from, to: from + WINDOW_BYTES };
};

/** Searches from `at` to the end, one window at a time; undefined: no match. */
async function findOnward(
  file: FilePlace,
  { at, wanted, head, onSearched }: { at: number; wanted: string; head: FilePiece; onSearched: (at: number) => void },
  signal: AbortSignal,
): Promise<ByteRange | undefined> {
  const encoding = encodingOf(head.bytes);
  for (let stretch = after(at); stretch.from + 1 < head.wholeBytes; ) {
    onSearched(stretch.from);
    const { bytes, wholeBytes } = await readFilePiece(file, stretch, signal);
    const cut = wholeLines(bytes, stretch.from, { wholeBytes, encoding });
    if (hitsOf(cut.lines, wanted).length > 0) return stretch;
    stretch = after(Math.max(cut.to, stretch.from + 2));
  }
  return undefined;
}

interface Onward {
  /** The current search position; undefined while not searching. */
  at: number | undefined;
  isMissing: boolean;
  error: unknown;
  search(at: number, wanted: string): void;
}

function useOnward({ sessionId, path, head }: LargeProps, found: (stretch: ByteRange) => void): Onward {
  const [state, setState] = useState<Omit<Onward, 'search'>>(RESTING);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  return {
    ...state,
    search(at, wanted) {
      running.current?.abort();
      if (wanted === '') return setState(RESTING);
      const control = new AbortController();
      running.current = control;
      const onSearched = (place: number) => setState({ ...RESTING, at: place });
      findOnward({ sessionId, path }, { at, wanted, head, onSearched }, control.signal).then(
        (stretch) => {
          setState({ ...RESTING, isMissing: stretch === undefined });
          if (stretch) found(stretch);
        },
        (error: unknown) => {
          if (!control.signal.aborted) setState({ ...RESTING, error });
        },
      );
    },
  };
}

const RESTING = { at: undefined, isMissing: false, error: undefined } as const;

/** A text too large to load whole, shown through a moving window. */
export function LargeText(props: LargeProps) {
  const { say, bytes } = useWords();
  const { sessionId, path, head } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [stretch, setStretch] = useState<ByteRange>({ from: 0, to: WINDOW_BYTES });
  const query = useQuery(pieceQuery(sessionId, path, stretch));
  const encoding = encodingOf(head.bytes);
  const { data } = query;
  const wholeBytes = data?.wholeBytes ?? head.wholeBytes;
  // While the next window loads, the current one keeps its position.
  const shown = useRef(stretch);
  if (!query.isPlaceholderData) shown.current = stretch;
  const { from } = shown.current;
  const cut = useMemo(
    () => (data ? wholeLines(data.bytes, from, { wholeBytes, encoding }) : NO_CUT),
    [data, from, wholeBytes, encoding],
  );
  const finding = useFind(cut.lines);
  const onward = useOnward(props, (place) => {
    setStretch(place);
    finding.look(finding.wanted);
  });
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (!data) return <Loading lines={12} />;
  return (
    <div ref={frame} className="text-view">
      <PieceBar cut={cut} wholeBytes={wholeBytes} from={stretch.from} go={setStretch} find={finding.open} />
      {finding.isOpen && (
        <FindBar
          finding={finding}
          onward={() => onward.search(cut.to, finding.wanted)}
          leave={() => frame.current?.querySelector<HTMLElement>('.text-scroll')?.focus()}
        />
      )}
      <p className="piece-status small muted" role="status">
        {onward.at !== undefined && (
          <>
            <LoaderCircle size={12} className="spin" aria-hidden /> {say('files.find.onward', { at: bytes(onward.at) })}
          </>
        )}
        {onward.isMissing && say('files.find.no-match')}
      </p>
      {onward.error !== undefined && <Failure error={onward.error} />}
      <TextLines
        key={cut.from}
        label={path}
        lines={cut.lines}
        coloured={[]}
        target={undefined}
        hits={finding.hits}
        hit={finding.hit}
        press={finding.press}
      />
    </div>
  );
}

interface PieceProps {
  cut: CutLines;
  wholeBytes: number;
  from: number;
  go: (stretch: ByteRange) => void;
  find: () => void;
}

/** The visible part of the file, with navigation. */
function PieceBar({ cut, wholeBytes, from, go, find }: PieceProps) {
  const { say, bytes } = useWords();
  const earlier = () => go({ from: Math.max(0, cut.from - WINDOW_BYTES), to: Math.max(cut.from, 1) });
  return (
    <div className="piece-bar small" role="group" aria-label={say('files.piece')}>
      <button type="button" className="text-button" disabled={cut.from === 0} onClick={earlier}>
        <ChevronLeft size={14} aria-hidden /> {say('files.piece.earlier')}
      </button>
      <input
        type="range"
        min={0}
        max={wholeBytes}
        step={WINDOW_BYTES}
        value={from}
        aria-label={say('files.piece')}
        aria-valuetext={bytes(from)}
        onChange={(event) => go(after(Number(event.currentTarget.value)))}
      />
      <span className="muted tabular">
        {say('files.piece.of', { from: bytes(cut.from), to: bytes(cut.to), of: bytes(wholeBytes) })}
      </span>
      <button type="button" className="text-button" disabled={cut.to >= wholeBytes} onClick={() => go(after(cut.to))}>
        {say('files.piece.later')} <ChevronRight size={14} aria-hidden />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={say('files.find')}
        title={say('files.find')}
        onClick={find}
      >
        <Search size={14} aria-hidden />
      </button>
    </div>
  );
}
