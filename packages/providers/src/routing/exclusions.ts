import { commonError, OutboundError, type OutboundHttp } from '@fucina/shared';
import { joinAddress } from '../connection/runtime.ts';
import { providersError } from '../errors.ts';
import type { AggregatorExclusions, ProvidersStore } from '../store.ts';

/** The aggregator's providers that may not serve a request. Without a store: PROVIDER_STORE_UNAVAILABLE. */
export interface Exclusions {
  get(): ExclusionRows;
  /**
   * Replaces the given fields. Throws PROVIDER_RUNTIME_INVALID for an invalid slug, too many, or an unknown built-in
   * one.
   */
  change(change: { excluded?: readonly string[]; builtIn?: readonly BuiltInChange[] }): ExclusionRows;
  /**
   * Excludes the provider named in an answer. Throws AGGREGATOR_PROVIDER_NOT_FOUND when the model has none of that
   * name, AGGREGATOR_ENDPOINTS_UNAVAILABLE when the aggregator does not list the model's hosts, QUERY_INVALID when the
   * list is full.
   */
  fromAnswer(answer: { providerName: string; model: string }): Promise<ExcludedFromAnswer>;
}

export interface ExclusionRows {
  excluded: string[];
  builtIn: BuiltInExclusion[];
}

export interface BuiltInExclusion {
  model: string;
  slug: string;
  isActive: boolean;
}

export type BuiltInChange = BuiltInExclusion;

export interface ExcludedFromAnswer {
  slug: string;
  wasExcluded: boolean;
  excluded: string[];
}

export interface ExclusionsNeeds {
  http: OutboundHttp;
  store: ProvidersStore;
  aggregator(): Promise<{ endpoint: string | null; headers: Record<string, string> }>;
}

const MAX_EXCLUDED = 30;
const SLUG = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;
const MAX_SLUG = 100;
/**
 * Hosts of a model whose tool calls, as measured by its maker, violate their schema or are missing in at least a
 * quarter of the cases (MoonshotAI/K2-Vendor-Verifier, 2025-10-23). A user may disable each exclusion.
 */
const BUILT_IN: readonly Omit<BuiltInExclusion, 'isActive'>[] = [
  { model: 'moonshotai/kimi-k2-0905', slug: 'atlas-cloud' },
  { model: 'moonshotai/kimi-k2-0905', slug: 'baseten' },
  { model: 'moonshotai/kimi-k2-0905', slug: 'nebius' },
  { model: 'moonshotai/kimi-k2-0905', slug: 'together' },
];

export function createExclusions({ http, store, aggregator }: ExclusionsNeeds): Exclusions {
  const get = (): ExclusionRows => {
    const { excluded, disabledBuiltIns } = store.exclusions();
    const builtIn = BUILT_IN.map((entry) => ({ ...entry, isActive: !disabledBuiltIns.includes(nameOf(entry)) }));
    return { excluded, builtIn };
  };
  return {
    get,
    change({ excluded, builtIn = [] }) {
      const stored = store.exclusions();
      const disabled = new Set(stored.disabledBuiltIns);
      for (const entry of builtIn) {
        if (!BUILT_IN.some((known) => nameOf(known) === nameOf(entry))) {
          throw providersError('PROVIDER_RUNTIME_INVALID', { reason: 'unknown-built-in' });
        }
        if (entry.isActive) disabled.delete(nameOf(entry));
        else disabled.add(nameOf(entry));
      }
      store.saveExclusions({
        excluded: excluded ? checkedSlugs(excluded) : stored.excluded,
        disabledBuiltIns: [...disabled],
      });
      return get();
    },
    async fromAnswer({ providerName, model }) {
      const { endpoint, headers } = await aggregator();
      const url = joinAddress(
        endpoint ?? '',
        `/models/${model.toWellFormed().replace(/^~/, '').split('/').map(encodeURIComponent).join('/')}/endpoints`,
      );
      const slug = await slugOf(http, { url, providerName, headers });
      const stored = store.exclusions();
      const wasExcluded = stored.excluded.includes(slug);
      if (!wasExcluded && stored.excluded.length >= MAX_EXCLUDED) {
        throw commonError('QUERY_INVALID', { reason: 'too-many-exclusions' });
      }
      if (!wasExcluded) store.saveExclusions({ ...stored, excluded: [...stored.excluded, slug] });
      return { slug, wasExcluded, excluded: store.exclusions().excluded };
    },
  };
}

/** Slugs excluded for this model: the user's own and the active built-in ones. */
export function excludedFor(model: string, { excluded, disabledBuiltIns }: AggregatorExclusions): string[] {
  const name = model.replace(/^~/, '').replace(/:[a-z]+$/, '');
  const builtIn = BUILT_IN.filter((entry) => entry.model === name && !disabledBuiltIns.includes(nameOf(entry)));
  return [...new Set([...excluded, ...builtIn.map(({ slug }) => slug)])];
}

const nameOf = ({ model, slug }: { model: string; slug: string }): string => `${model} ${slug}`;

function checkedSlugs(slugs: readonly string[]): string[] {
  const clean = [...new Set(slugs.map((slug) => slug.trim().toLowerCase()))];
  const isFit = clean.length <= MAX_EXCLUDED && clean.every((slug) => slug.length <= MAX_SLUG && SLUG.test(slug));
  if (!isFit) throw providersError('PROVIDER_RUNTIME_INVALID', { reason: 'excluded' });
  return clean;
}

interface SlugSearch {
  url: string;
  providerName: string;
  headers: Record<string, string>;
}

/** An endpoint's tag is `<provider>` or `<provider>/<variant>`: the provider as a whole is excluded. */
async function slugOf(http: OutboundHttp, { url, providerName, headers }: SlugSearch): Promise<string> {
  const limits = { firstResponseMs: 15_000, totalMs: 30_000, bodyBytes: 2_097_152 };
  try {
    const answer = await http.send({
      url,
      policy: 'configured',
      headers,
      limits,
    });
    if (answer.status === 404) {
      answer.discard();
      throw providersError('AGGREGATOR_PROVIDER_NOT_FOUND');
    }
    const { parseEndpoints } = await import('./aggregator-endpoints.ts');
    const { endpoints } = parseEndpoints(await answer.text());
    const wanted = providerName.trim().toLowerCase();
    const found = endpoints.find(({ provider_name: name, tag }) => tag && name.toLowerCase() === wanted)?.tag;
    if (!found) throw providersError('AGGREGATOR_PROVIDER_NOT_FOUND');
    const slug = (found.split('/')[0] ?? found).toLowerCase();
    if (slug.length > MAX_SLUG || !SLUG.test(slug)) throw new SyntaxError('no slug');
    return slug;
  } catch (cause) {
    if (cause instanceof OutboundError || cause instanceof SyntaxError) {
      throw providersError('AGGREGATOR_ENDPOINTS_UNAVAILABLE', { cause });
    }
    throw cause;
  }
}
