import type { Draft, FormField } from '@fucina/shared/form-fields';
import type { Say } from '../words/index.ts';
import { limitsOf } from './filling.ts';

/** What is in a field, as a user reads it; empty where nothing is. Not cleaned: names of choices are a server's words. */
export function draftText({ choices }: FormField, draft: Draft, say: Say): string {
  if (typeof draft === 'boolean') return say(draft ? 'form.yes' : 'form.no');
  if (typeof draft !== 'object') return draft ?? '';
  return draft.map((place) => choices[place]?.label ?? '').join(', ');
}

/** What may be put into a field, in one line; empty where that is anything. */
export function limitText(field: FormField, say: Say): string {
  return limitsOf(field)
    .map(({ key, params }) => say(key, params))
    .join(' ');
}
