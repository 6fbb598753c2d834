import type { MediaType } from '@fucina/shared';
import { type ChosenSettings, limitsOf } from '../chosen-settings.ts';
import type { Address } from '../connection/runtime.ts';
import type { ProviderRecord } from '../table/record.ts';
import { providerOf } from '../table/registry.ts';
import type { ListCache } from './list-cache.ts';
import { type ModelDestination, modelIdOf, parseModelId } from './model-id.ts';
import { takesMedia } from './model-inputs.ts';
import type { Capability, ModelPrice, ModelRow } from './model-rows.ts';
import { wireOfModel } from './model-wire.ts';
import type { OwnPrices } from './own-prices.ts';
import type { PublicCatalog } from './public-catalog.ts';

/** Stored facts about a model: no request, no wait. Null: unknown, or an unknown id. */
export interface ModelKnowledge {
  /** Of the provider or the public catalog, else the user's own. */
  priceOf(modelId: string): ModelPrice | null;
  /** Without the user's own. */
  statedPriceOf(modelId: string): ModelPrice | null;
  /** Context size in tokens. */
  windowOf(modelId: string): number | null;
  /** Whether a model takes audio or PDF, as the user, its provider or the public catalog states it. */
  takes(destination: ModelDestination, type: MediaType): boolean;
  /** False only where its provider or the public catalog says that it takes no images. */
  takesImages(destination: ModelDestination): boolean;
  /** Most tokens of an answer; null when unknown. */
  outputLimitOf(destination: ModelDestination): number | null;
}

export interface FactsNeeds {
  chosen: ChosenSettings;
  lists: ListCache;
  publicCatalog: PublicCatalog;
  prices: Pick<OwnPrices, 'of'>;
  address(record: ProviderRecord): Address;
  /** The size with which a local engine loaded a model, in tokens; undefined when unknown. */
  loadedWindow(provider: string, model: string): number | undefined;
}

export function createModelKnowledge(needs: FactsNeeds): ModelKnowledge {
  // As the catalog shows it.
  return {
    priceOf: (modelId) => find(needs, modelId)?.price ?? ownPrice(needs, modelId),
    statedPriceOf: (modelId) => find(needs, modelId)?.price ?? null,
    windowOf: (modelId) => find(needs, modelId)?.contextLength ?? null,
    takes: (destination, type) =>
      takesMedia(wireOfModel(providerOf(destination.provider), destination.model), inputsOf(needs, destination), type),
    takesImages: (destination) => find(needs, modelIdOf(destination))?.capabilities.vision !== 'observed-no',
    outputLimitOf: (destination) => find(needs, modelIdOf(destination))?.maxOutputTokens ?? null,
  };
}

function ownPrice({ prices }: FactsNeeds, modelId: string): ModelPrice | null {
  try {
    return prices.of(modelId);
  } catch {
    // Unreadable settings are reported elsewhere; here the price is unknown.
    return null;
  }
}

function find(
  { lists, publicCatalog, address, chosen, loadedWindow }: FactsNeeds,
  modelId: string,
): ModelRow | undefined {
  const destination = destinationOf(modelId);
  if (!destination) return undefined;
  const { provider, model } = destination;
  try {
    const { endpoint } = address(providerOf(provider));
    const own = endpoint === null ? undefined : lists.row(provider, endpoint, model);
    const row = withCatalogFacts(own ?? rowWithoutFacts(provider, model), publicCatalog);
    const { contextWindow, maxOutputTokens } = limitsOf(chosen, provider, model);
    return {
      ...row,
      contextLength: contextWindow ?? loadedWindow(provider, model) ?? row.contextLength,
      maxOutputTokens: maxOutputTokens ?? row.maxOutputTokens,
    };
  } catch {
    // Unreadable settings are reported elsewhere; here the price is unknown.
    return undefined;
  }
}

function inputsOf(
  { lists, publicCatalog, address, chosen }: FactsNeeds,
  { provider, model }: ModelDestination,
): readonly string[] | undefined {
  const { inputs } = limitsOf(chosen, provider, model);
  if (inputs) return inputs;
  const { endpoint } = address(providerOf(provider));
  const listed = endpoint === null ? undefined : lists.row(provider, endpoint, model)?.inputModalities;
  return listed ?? publicCatalog.factsOf(provider, model)?.inputs;
}

function destinationOf(modelId: string): ModelDestination | undefined {
  try {
    return parseModelId(modelId);
  } catch {
    // An unknown id has no facts.
    return undefined;
  }
}

/** A row without any facts. */
export function rowWithoutFacts(provider: string, id: string): ModelRow {
  return {
    id,
    name: id,
    provider,
    contextLength: null,
    isContextVerified: false,
    maxOutputTokens: null,
    capabilities: { vision: 'unknown', toolUse: 'unknown', reasoning: 'unknown' },
    quantization: null,
    price: null,
    observedAt: null,
  };
}

/** The provider's own statements take precedence; missing ones come from the public catalog. */
export function withCatalogFacts(row: ModelRow, publicCatalog: PublicCatalog): ModelRow {
  const facts = publicCatalog.factsOf(row.provider, row.id);
  if (!facts) return row;
  const { vision, toolUse, reasoning } = row.capabilities;
  return {
    ...row,
    contextLength: row.contextLength ?? facts.contextWindow ?? null,
    maxOutputTokens: row.maxOutputTokens ?? facts.maxOutputTokens ?? null,
    price: row.price ?? facts.price ?? null,
    capabilities: {
      vision: filled(vision, facts.vision),
      toolUse: filled(toolUse, facts.toolUse),
      reasoning: filled(reasoning, facts.reasoning),
    },
  };
}

function filled(own: Capability, stated: boolean | undefined): Capability {
  if (own !== 'unknown' || stated === undefined) return own;
  return stated ? 'observed-yes' : 'observed-no';
}
