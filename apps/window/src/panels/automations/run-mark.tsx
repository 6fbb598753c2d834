import { CircleCheck, CircleSlash, CircleX, LoaderCircle, type LucideIcon, SkipForward } from 'lucide-react';
import type { AutomationRun } from '../../wire/automations.ts';
import { useWords } from '../../words/words.ts';

const STATES: Record<AutomationRun['outcome'], [icon: LucideIcon, tone: string]> = {
  started: [LoaderCircle, 'live'],
  finished: [CircleCheck, 'success'],
  failed: [CircleX, 'danger'],
  stopped: [CircleSlash, 'muted'],
  skipped: [SkipForward, 'muted'],
};

/** State of a run: icon and label. */
export function RunMark({ state }: { state: AutomationRun['outcome'] }) {
  const { say } = useWords();
  const [Icon, tone] = STATES[state];
  return (
    <span className="automation-mark small" data-tone={tone}>
      <Icon size={14} className={state === 'started' ? 'spin' : undefined} aria-hidden />
      {say(`automation.state.${state}`)}
    </span>
  );
}
