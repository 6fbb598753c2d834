import { type Effort, effortSent } from '../table/reasoning.ts';
import type { ProviderRecord } from '../table/record.ts';
import { wireOfModel } from './model-wire.ts';

/** The newer GPT models' own default is none, which suits no agent. */
const ADVISED: Effort = 'medium';

/**
 * What an agent's request says of effort where the user chose none. `adaptive`: the model decides how long it thinks,
 * as its vendor advises for agents. Null: nothing, and the provider's own default applies.
 */
export function defaultEffort(record: ProviderRecord, model: string): Effort | 'adaptive' | null {
  const wire = wireOfModel(record, model);
  if (wire === 'openai-responses') return effortSent(record.reasoning, model, ADVISED);
  return wire === 'anthropic-messages' && isAdaptive(model) ? 'adaptive' : null;
}

/** From 4.6 on a Claude model decides how long it thinks. */
export function isAdaptive(model: string): boolean {
  const version = /claude-[a-z]+-(\d+)(?:-(\d{1,2})(?!\d))?/.exec(model);
  if (!version) return false;
  return Number(version[1]) > 4 || (Number(version[1]) === 4 && Number(version[2] ?? 0) >= 6);
}
