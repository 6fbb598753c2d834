import type { ModelRow } from '@fucina/host';

/** In the form for --model: the aggregator's models without a prefix, all others with their provider in front. */
export function choiceOf({ provider, id }: Pick<ModelRow, 'provider' | 'id'>): string {
  return provider === 'aggregator' ? id : `${provider}:${id}`;
}
