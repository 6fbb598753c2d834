import { asAppError, factsOf } from '../../failure.ts';
import type { Terminal } from '../../terminal.ts';

/** What went wrong, and what to do about it, in the user's language. */
export function sentenceOf(error: unknown, terminal: Terminal): string {
  const known = asAppError(error);
  if (!known) return terminal.say('bug');
  const { message, action } = factsOf(known, terminal);
  // Here it is chosen on the spot.
  if (known.reason === 'no-default-model') return `${message} ${terminal.say('picker.choose-model')}`;
  return action ? `${message} ${action}` : message;
}
