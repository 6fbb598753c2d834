import { CircleCheck, CircleSlash, CircleX, LoaderCircle, type LucideIcon, SkipForward } from 'lucide-react';
import type { AutomationRun } from '../../wire/automations.ts';
import { useWords } from '../../words/words.ts';

const STATES: Record<AutomationRun['esito'], [icon: LucideIcon, tone: string]> = {
  partita: [LoaderCircle, 'live'],
  finita: [CircleCheck, 'success'],
  fallita: [CircleX, 'danger'],
  fermata: [CircleSlash, 'muted'],
  saltata: [SkipForward, 'muted'],
};

/** State of a run: icon and label. */
export function RunMark({ state }: { state: AutomationRun['esito'] }) {
  const { say } = useWords();
  const [Icon, tone] = STATES[state];
  return (
    <span className="automation-mark small" data-tone={tone}>
      <Icon size={14} className={state === 'partita' ? 'spin' : undefined} aria-hidden />
      {say(`automation.state.${state}`)}
    </span>
  );
}
