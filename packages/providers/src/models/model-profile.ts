import { type DialectChoice, type DialectName, dialectFor } from '@fucina/shared';
import { limitsOf } from '../chosen-settings.ts';
import { type Effort, effortsOf } from '../table/reasoning.ts';
import { providerOf } from '../table/registry.ts';
import { defaultEffort } from './default-effort.ts';
import type { FactsNeeds } from './model-facts.ts';
import { modelIdOf, parseModelId } from './model-id.ts';

/** What a model gets by default, and where that was stated. */
export interface ModelProfile {
  model: string;
  /** Context size. */
  window: StatedTokens;
  /** Most tokens of an answer. */
  outputLimit: StatedTokens;
  /** The words in which it knows the tools: `family` unless the user chose them. */
  dialect: { name: DialectName; from: 'settings' | 'family' };
  effort: {
    /** Sent where the user chose none; null: nothing is sent. */
    default: Effort | 'adaptive' | null;
    /** Weakest first; empty when the model has no levels that are known. */
    levels: Effort[];
  };
}

export interface StatedTokens {
  /** Null when unknown. */
  tokens: number | null;
  from: FactSource | null;
}

/** `settings`: the user's; `engine`: the size with which a local engine loaded the model; `catalog`: models.dev. */
export type FactSource = 'settings' | 'engine' | 'provider' | 'catalog';

interface ProfileNeeds extends FactsNeeds {
  dialects?: DialectChoice | undefined;
}

/** From stored facts, without a request. Throws MODEL_ID_INVALID, PROVIDER_STORE_UNAVAILABLE. */
export function modelProfile(needs: ProfileNeeds, modelId: string): ModelProfile {
  const { lists, publicCatalog, address, chosen, loadedWindow, dialects } = needs;
  const { provider, model } = parseModelId(modelId);
  const record = providerOf(provider);
  const { endpoint } = address(record);
  const listed = endpoint === null ? undefined : lists.row(provider, endpoint, model);
  const published = publicCatalog.factsOf(provider, model);
  const set = limitsOf(chosen, provider, model);
  const id = modelIdOf({ provider, model });
  return {
    model: id,
    dialect: dialectFor(id, dialects),
    window: firstStated([
      ['settings', set.contextWindow],
      ['engine', loadedWindow(provider, model)],
      ['provider', listed?.contextLength],
      ['catalog', published?.contextWindow],
    ]),
    outputLimit: firstStated([
      ['settings', set.maxOutputTokens],
      ['provider', listed?.maxOutputTokens],
      ['catalog', published?.maxOutputTokens],
    ]),
    effort: { default: defaultEffort(record, model), levels: [...effortsOf(record.reasoning, model)] },
  };
}

function firstStated(statements: readonly (readonly [FactSource, number | null | undefined])[]): StatedTokens {
  const [from, tokens] = statements.find(([, stated]) => typeof stated === 'number') ?? [];
  return { tokens: tokens ?? null, from: from ?? null };
}
