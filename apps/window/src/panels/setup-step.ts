import type { Choices } from './new-session/choices.ts';

/** State and actions shared by the setup steps. */
export interface StepProps {
  choices: Choices;
  change: (part: Partial<Choices>) => void;
}
