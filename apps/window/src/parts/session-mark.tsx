import { Check, CircleAlert, CircleDashed, Hand, LoaderCircle, Pause, Square, TriangleAlert } from 'lucide-react';
import type { SessionState } from '../session/session-state.ts';
import { useWords } from '../words/words.ts';

const MARKS = {
  waiting: { icon: Hand, tone: 'accent' },
  running: { icon: LoaderCircle, tone: 'accent spin' },
  interrupted: { icon: Pause, tone: 'warning' },
  stopped: { icon: Square, tone: 'muted' },
  exhausted: { icon: TriangleAlert, tone: 'warning' },
  failed: { icon: CircleAlert, tone: 'danger' },
  done: { icon: Check, tone: 'muted' },
  unrecorded: { icon: CircleDashed, tone: 'muted' },
} as const;

/** The state of a session as an icon; its label is read aloud, and shown if there is room. */
export function SessionMark({ state, isWorded }: { state: SessionState; isWorded?: boolean }) {
  const { say } = useWords();
  const { icon: Icon, tone } = MARKS[state];
  const word = say(`session.state.${state}`);
  return (
    <span className="mark">
      <Icon size={14} className={tone} {...(isWorded ? { 'aria-hidden': true } : { 'aria-label': word })} />
      {isWorded && <span className="mark-word">{word}</span>}
    </span>
  );
}
