import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CirclePlay,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  Hand,
  History,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react';
import type { RunState } from '../../wire/workflows.ts';
import { isWordKey, useWords, type WordKey } from '../../words/words.ts';

type Tone = 'live' | 'success' | 'warning' | 'danger' | 'muted';
type StateMark = readonly [icon: LucideIcon, tone: Tone];

const RUNS: Record<RunState, StateMark> = {
  created: [CircleDashed, 'muted'],
  running: [LoaderCircle, 'live'],
  paused: [CirclePause, 'warning'],
  needs_attention: [CircleAlert, 'warning'],
  succeeded: [CircleCheck, 'success'],
  failed: [CircleX, 'danger'],
  cancelled: [CircleSlash, 'muted'],
};

const STEPS: Record<string, StateMark> = {
  planned: [CircleDashed, 'muted'],
  pending: [CircleDashed, 'muted'],
  blocked: [Hourglass, 'muted'],
  ready: [CircleDot, 'muted'],
  leased: [LoaderCircle, 'live'],
  running: [LoaderCircle, 'live'],
  waiting_human: [Hand, 'live'],
  retry_wait: [History, 'warning'],
  reconciling: [CircleQuestionMark, 'warning'],
  uncertain: [CircleQuestionMark, 'warning'],
  succeeded: [CircleCheck, 'success'],
  failed: [CircleX, 'danger'],
  cancelled: [CircleSlash, 'muted'],
  skipped: [Ban, 'muted'],
  superseded: [Ban, 'muted'],
};

export type ProposalState = 'proposed' | 'approved' | 'started' | 'superseded';

const PROPOSALS: Record<ProposalState, StateMark> = {
  proposed: [Hand, 'live'],
  approved: [CircleCheck, 'success'],
  started: [CirclePlay, 'muted'],
  superseded: [CircleSlash, 'muted'],
};

interface MarkProps {
  mark: StateMark;
  words: string;
  /** The label is for screen readers: the visible text says the same. */
  isQuiet?: boolean | undefined;
  /** The item has ended: no animation. */
  isPast?: boolean | undefined;
}

function Mark({ mark: [Icon, tone], words, isQuiet, isPast }: MarkProps) {
  return (
    <span className="run-mark small" data-tone={tone} title={isQuiet ? words : undefined}>
      <Icon size={14} className={Icon === LoaderCircle && !isPast ? 'spin' : undefined} aria-hidden />
      <span className={isQuiet ? 'unseen' : undefined}>{words}</span>
    </span>
  );
}

export function RunMark({ state, isPast }: { state: RunState; isPast?: boolean }) {
  const { say } = useWords();
  return <Mark mark={RUNS[state]} words={say(`workflow.state.${state}`)} isPast={isPast} />;
}

export function ProposalMark({ standing }: { standing: ProposalState }) {
  const { say } = useWords();
  return <Mark mark={PROPOSALS[standing]} words={say(`workflow.proposal.${standing}`)} />;
}

/** Label of a state, also for unknown ones. */
export function stepStateWords(state: string, say: (key: WordKey) => string): string {
  const key = `workflow.step.${state}`;
  return isWordKey(key) ? say(key) : state;
}

export const toneOf = (state: string): Tone => STEPS[state]?.[1] ?? 'muted';

interface StepMarkProps extends Pick<MarkProps, 'isQuiet' | 'isPast'> {
  state: string;
}

export function StepMark({ state, ...how }: StepMarkProps) {
  const { say } = useWords();
  return <Mark mark={STEPS[state] ?? [CircleDot, 'muted']} words={stepStateWords(state, say)} {...how} />;
}
