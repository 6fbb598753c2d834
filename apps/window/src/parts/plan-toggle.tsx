import { useWords } from '../words/words.ts';

interface PlanToggleProps {
  isOn: boolean;
  /** During a turn the mode cannot change. */
  isDisabled?: boolean;
  change: (isOn: boolean) => void;
}

/** Switches plan mode: the agent plans before it changes anything. */
export function PlanToggle({ isOn, isDisabled = false, change }: PlanToggleProps) {
  const { say } = useWords();
  return (
    <button
      type="button"
      role="switch"
      className="chip plan-toggle"
      aria-checked={isOn}
      disabled={isDisabled}
      title={say(isDisabled ? 'settings.planMode.later' : 'settings.planMode.why')}
      onClick={() => change(!isOn)}
    >
      <span className="toggle" aria-hidden />
      {say('plan.name')}
    </button>
  );
}
