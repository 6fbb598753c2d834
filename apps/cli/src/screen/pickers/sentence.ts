import { asAppError, factsOf } from '../../failure.ts';
import type { Terminal } from '../../terminal.ts';

/** The error and what to do about it, in the user's language. */
export function sentenceOf(error: unknown, terminal: Terminal): string {
  const known = asAppError(error);
  if (!known) return terminal.say('bug');
  const { message, action } = factsOf(known, terminal);
  // On this screen the model can be chosen directly.
  if (known.reason === 'no-default-model') return `${message} ${terminal.say('picker.choose-model')}`;
  return action ? `${message} ${action}` : message;
}
