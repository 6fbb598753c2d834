import type { Draft, FormField } from '@fucina/shared/form-fields';
import type { Say } from '../words/index.ts';
import { limitsOf } from './filling.ts';

/** The value of a field for display; empty without one. Not cleaned: labels of choices come from a server. */
export function draftText({ choices }: FormField, draft: Draft, say: Say): string {
  if (typeof draft === 'boolean') return say(draft ? 'form.yes' : 'form.no');
  if (typeof draft !== 'object') return draft ?? '';
  return draft.map((place) => choices[place]?.label ?? '').join(', ');
}

/** The allowed values of a field, in one line; empty if anything is allowed. */
export function limitText(field: FormField, say: Say): string {
  return limitsOf(field)
    .map(({ key, params }) => say(key, params))
    .join(' ');
}
