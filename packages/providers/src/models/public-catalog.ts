import { type Ambient, OutboundError, type OutboundHttp } from '@fucina/shared';
import type { ProvidersStore } from '../store.ts';
import { PROVIDERS } from '../table/registry.ts';
import type { ModelPrice } from './model-rows.ts';

/**
 * Facts about models from a public catalog (models.dev): prices, context sizes, capabilities. Fetched at most every
 * four hours, stored on disk, and optional: without it, what a provider does not state is unknown.
 */
export interface PublicCatalog {
  /** Stored facts, without a request. */
  factsOf(provider: string, model: string): ModelFacts | undefined;
  /**
   * Fetches when the stored catalog is older than four hours, or `isForced`. Waits for the result, with a time limit,
   * only when nothing was stored or it is forced. Never throws: the stored catalog stays.
   */
  refresh(options?: { isForced?: boolean }): Promise<void>;
  /** Cancels a running request. */
  close(): void;
  /** Null when it is disabled or was never fetched. Wall time in ms. */
  observedAt(): number | null;
  /** Changes when the facts do. */
  version(): number;
  isOn: boolean;
}

/** Absent: the catalog does not state it. */
export interface ModelFacts {
  contextWindow?: number;
  maxOutputTokens?: number;
  vision?: boolean;
  /** Kinds of input other than text and images. */
  inputs?: string[];
  toolUse?: boolean;
  reasoning?: boolean;
  price?: ModelPrice;
}

export interface PublicCatalogNeeds {
  ambient: Ambient;
  http: OutboundHttp;
  store: ProvidersStore;
  isOn: boolean;
}

const ADDRESS = 'https://models.dev/api.json';
const FRESH_MS = 14_400_000;
/** Pause after a failure, so that not every list waits when offline. */
const RETRY_MS = 300_000;
const PATIENCE_MS = 3_000;
const LIMITS = { connectMs: 4_000, firstResponseMs: 6_000, idleMs: 5_000, totalMs: 12_000, bodyBytes: 16_777_216 };
const NAME = 'public-catalog';

type Facts = Record<string, Record<string, ModelFacts>>;

export function createPublicCatalog({ ambient, http, store, isOn }: PublicCatalogNeeds): PublicCatalog {
  let loaded: { at: number; facts: Facts } | null | undefined;
  let version = 0;
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  let failedAt: number | undefined;
  const load = (): { at: number; facts: Facts } | undefined => {
    if (loaded === undefined && isOn) {
      const kept = store.kept(NAME);
      loaded = kept ? { at: kept.at, facts: JSON.parse(kept.body) as Facts } : null;
    }
    return loaded ?? undefined;
  };
  const fetchNow = async (): Promise<void> => {
    try {
      const answer = await http.send({
        url: ADDRESS,
        policy: 'public',
        headers: JSON_HEADERS,
        limits: LIMITS,
        signal: closing.signal,
      });
      if (answer.status !== 200) {
        answer.discard();
        throw new SyntaxError('no catalog');
      }
      const facts = readFacts(await answer.text());
      if (closing.signal.aborted) return;
      loaded = { at: ambient.now(), facts };
      version += 1;
      failedAt = undefined;
      store.keep(NAME, { at: loaded.at, body: JSON.stringify(facts) });
    } catch (error) {
      if (!(error instanceof OutboundError || error instanceof SyntaxError)) throw error;
      failedAt = ambient.monotonic();
      ambient.log.warn('public-catalog.not-read', { error });
    }
  };
  return {
    isOn,
    version: () => version,
    observedAt: () => load()?.at ?? null,
    factsOf(provider, model) {
      const name = PUBLIC_NAMES.get(provider);
      const models = name === undefined ? undefined : load()?.facts[name];
      return models && Object.hasOwn(models, model) ? models[model] : undefined;
    },
    async refresh({ isForced = false } = {}) {
      if (!isOn) return;
      const ageMs = ambient.now() - (load()?.at ?? Number.NEGATIVE_INFINITY);
      const isFresh = ageMs >= 0 && ageMs < FRESH_MS;
      const hasJustFailed = failedAt !== undefined && ambient.monotonic() - failedAt < RETRY_MS;
      if (!isForced && (isFresh || hasJustFailed)) return;
      running ??= fetchNow().finally(() => {
        running = undefined;
      });
      if (!isForced && load()) return;
      const wait = new AbortController();
      await Promise.race([running, ambient.sleep(PATIENCE_MS, wait.signal).catch(() => undefined)]);
      wait.abort();
    },
    close: () => closing.abort(),
  };
}

const JSON_HEADERS = { accept: 'application/json', 'user-agent': 'fucina/0.1' };
const PUBLIC_NAMES = new Map(
  PROVIDERS.flatMap(({ id, publicName }) => (publicName ? [[id, publicName] as const] : [])),
);

/** Only known providers and used fields: a tenth of the whole. Throws SyntaxError for invalid data. */
function readFacts(text: string): Facts {
  const catalog: unknown = JSON.parse(text);
  const wanted = new Set(PUBLIC_NAMES.values());
  const facts: Facts = {};
  for (const [name, provider] of entriesOf(catalog)) {
    if (!wanted.has(name)) continue;
    const models = entriesOf(at(provider, 'models')).map(([id, model]) => [id, factsIn(model)] as const);
    facts[name] = Object.fromEntries(models);
  }
  if (Object.keys(facts).length === 0) throw new SyntaxError('no catalog');
  return facts;
}

function factsIn(model: unknown): ModelFacts {
  const input = at(at(model, 'modalities'), 'input');
  const price = priceIn(at(model, 'cost'));
  const stated = {
    contextWindow: count(at(at(model, 'limit'), 'context')),
    maxOutputTokens: count(at(at(model, 'limit'), 'output')),
    vision: Array.isArray(input) ? input.includes('image') : undefined,
    inputs: Array.isArray(input) ? ['audio', 'pdf'].filter((kind) => input.includes(kind)) : undefined,
    toolUse: flag(at(model, 'tool_call')),
    reasoning: flag(at(model, 'reasoning')),
    price,
  };
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)) as ModelFacts;
}

function priceIn(cost: unknown): ModelPrice | undefined {
  const [prompt, completion, cached, written] = ['input', 'output', 'cache_read', 'cache_write'].map((name) =>
    amount(at(cost, name)),
  );
  if (prompt === undefined || completion === undefined) return undefined;
  return {
    promptPerMillion: prompt,
    completionPerMillion: completion,
    cachedPerMillion: cached ?? null,
    ...(written !== undefined && { cacheWritePerMillion: written }),
    currency: 'USD',
  };
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
