import { providersError } from '../errors.ts';
import { findProvider, providerOf } from '../table/registry.ts';

/** The provider and model of a model id. */
export interface ModelDestination {
  provider: string;
  /** Without the provider's prefix. */
  model: string;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@+:/-]{0,199}$/;
const VENDOR_NAME = /^~?[A-Za-z0-9][A-Za-z0-9._@+-]*(\/[A-Za-z0-9][A-Za-z0-9._@+:-]*)+$/;
const MAX_LENGTH = 240;

/**
 * `<provider>:<model>` when the part before the first `:` is a known provider, else `vendor/name` of the aggregator
 * (a leading `~` and a suffix such as `:free` allowed). Throws MODEL_ID_INVALID.
 */
export function parseModelId(id: string): ModelDestination {
  if (id.length > MAX_LENGTH) throw providersError('MODEL_ID_INVALID');
  const colon = id.indexOf(':');
  const provider = colon > 0 ? findProvider(id.slice(0, colon)) : undefined;
  if (provider) {
    const model = id.slice(colon + 1);
    const shape = provider.id === 'aggregator' ? VENDOR_NAME : NAME;
    if (!shape.test(model) || model.includes('//')) throw providersError('MODEL_ID_INVALID');
    return { provider: provider.id, model };
  }
  if (!VENDOR_NAME.test(id)) throw providersError('MODEL_ID_INVALID');
  return { provider: 'aggregator', model: id };
}

/** The full id of this model of this provider. */
export function modelIdOf({ provider, model }: ModelDestination): string {
  return provider === 'aggregator' ? model : `${provider}:${model}`;
}

/** The id of the provider's cheap model, for titles and other small tasks; null when it has none. */
export function auxiliaryModel(id: string): string | null {
  const { provider } = parseModelId(id);
  const model = providerOf(provider).auxiliaryModel;
  return model && modelIdOf({ provider, model });
}

export interface FallbackEntry {
  provider: string;
  model: string;
}

const MAX_FALLBACKS = 8;
const FALLBACK_MODEL = /^[A-Za-z0-9._/:@-]{1,200}$/;

/**
 * Throws PROVIDER_FALLBACK_INVALID for an invalid list, PROVIDER_FALLBACK_TOOLS_UNSUPPORTED when the session has tools
 * and a pair is not among the built-in models with declared tool calling.
 */
export function checkFallback(entries: readonly FallbackEntry[], options: { hasTools: boolean }): void {
  const seen = new Set(entries.map(({ provider, model }) => `${provider} ${model}`));
  if (entries.length > MAX_FALLBACKS || seen.size !== entries.length) throw providersError('PROVIDER_FALLBACK_INVALID');
  for (const entry of entries) {
    if (!isAllowedFallback(entry)) throw providersError('PROVIDER_FALLBACK_INVALID');
  }
  if (!options.hasTools) return;
  for (const { provider, model } of entries) {
    if (!providerOf(provider).reserveModels.includes(model)) {
      throw providersError('PROVIDER_FALLBACK_TOOLS_UNSUPPORTED', { params: { provider, model } });
    }
  }
}

function isAllowedFallback({ provider, model }: FallbackEntry): boolean {
  const record = findProvider(provider);
  if (record?.key !== 'required' || !FALLBACK_MODEL.test(model) || model.includes('://')) return false;
  const prefix = model.slice(0, Math.max(0, model.indexOf(':')));
  return prefix === '' || !findProvider(prefix);
}
