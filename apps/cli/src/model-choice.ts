import type { ModelRow } from '@fucina/host';

/** As it is chosen: the aggregator's models are named bare, all others with their provider in front. */
export function choiceOf({ provider, id }: Pick<ModelRow, 'provider' | 'id'>): string {
  return provider === 'aggregator' ? id : `${provider}:${id}`;
}
