import type { Choices } from './new-session/choices.ts';

/** What each step of the set-up shows and changes. */
export interface StepProps {
  choices: Choices;
  change: (part: Partial<Choices>) => void;
}
