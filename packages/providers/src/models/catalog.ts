import { basename } from 'node:path';
import { type Ambient, isAppError, type OutboundHttp } from '@fucina/shared';
import type { Access } from '../connection/access.ts';
import type { Address, Runtimes } from '../connection/runtime.ts';
import { providersError } from '../errors.ts';
import { type Effort, effortMap } from '../table/reasoning.ts';
import type { ProviderRecord } from '../table/record.ts';
import { findProvider, PROVIDERS } from '../table/registry.ts';
import type { ListCache } from './list-cache.ts';
import { rowWithoutFacts, withCatalogFacts } from './model-facts.ts';
import type { ModelRow } from './model-rows.ts';
import { type ListOutcome, requestModels } from './models-request.ts';
import type { PublicCatalog } from './public-catalog.ts';

/** The available models. */
export interface Catalog {
  /**
   * If a list cannot be fetched, the last one is returned, whose rows contain its time. Throws REPORT_UNAVAILABLE for a
   * provider without a catalog and without the settings store, CATALOG_CONFIGURATION_REQUIRED without key or address,
   * RUNTIME_UNREACHABLE for a local engine that does not respond, CATALOG_UNREACHABLE for the others.
   */
  list(provider: string): Promise<readonly ModelRow[]>;
  /**
   * Every configured provider and the local engine; a failed one gives its built-in models. Throws CATALOG_UNREACHABLE
   * or CATALOG_UPSTREAM_ERROR when all of them fail, REPORT_UNAVAILABLE without the settings store.
   */
  listAll(options?: { isForced?: boolean }): Promise<FullCatalog>;
}

export interface FullCatalog {
  models: ModelRow[];
  /** When the public catalog was fetched, wall time in ms; null if never. */
  publicCatalog: { isOn: boolean; observedAt: number | null };
  /** Provider → model, family (`gpt-5*`) or `*` → supported levels, weakest first. */
  directLevels: Record<string, Record<string, readonly Effort[]>>;
  /** Provider → model, family or `*` → requested level → sent level, null for none. */
  directWire: LevelWire;
  /** The same for the aggregator's models. */
  catalogWire: LevelWire;
}

export type LevelWire = Record<string, Record<string, Record<Effort, Effort | null>>>;

export interface CatalogNeeds {
  ambient: Ambient;
  http: OutboundHttp;
  runtime: Runtimes;
  lists: ListCache;
  publicCatalog: PublicCatalog;
  address(record: ProviderRecord): Address;
  /** Key and headers for the provider's current address; throws PROVIDER_STORE_UNAVAILABLE. */
  accessTo(record: ProviderRecord): Promise<Access>;
  /** Models that the local engine can serve. */
  localModels(): Promise<ModelRow[]>;
}

const FRESH_MS = 14_400_000;
const PARALLEL = 6;

export function createCatalog(needs: CatalogNeeds): Catalog {
  const { ambient, http, lists, publicCatalog, runtime } = needs;
  const fetchList = async (record: ProviderRecord, target: Target): Promise<ListOutcome> => {
    const outcome = await requestModels(http, { record, ...target, now: ambient.now() });
    if (outcome.kind === 'listed') lists.put(record.id, target.endpoint, outcome.rows);
    return outcome;
  };
  const filled = createFiller(publicCatalog);
  const offered = (record: ProviderRecord, rows: readonly ModelRow[]): readonly ModelRow[] => {
    const chosen = runtime.get(record.id).models;
    if (!chosen) return filled(rows);
    return filled(chosen.map((id) => rows.find((row) => row.id === id) ?? rowWithoutFacts(record.id, id)));
  };

  return {
    async list(provider) {
      const record = findProvider(provider);
      if (!record?.hasCatalog) throw providersError('REPORT_UNAVAILABLE');
      assertSettings(needs);
      if (record.wire === 'acp') {
        const rows = agentRows(runtime);
        if (rows.length > 0) return rows;
      }
      const target = await targetOf(needs, record);
      if (!target) throw providersError('CATALOG_CONFIGURATION_REQUIRED');
      const known = lists.get(record.id, target.endpoint, FRESH_MS);
      if (known) return offered(record, known);
      const asked = record.models ? fetchList(record, target) : ({ kind: 'refused', status: 404 } as const);
      const refreshing = record.publicName === null ? undefined : publicCatalog.refresh();
      const [outcome] = await Promise.all([asked, refreshing]);
      if (outcome.kind === 'listed') return offered(record, outcome.rows);
      // A provider without its own list returns 404: its built-in models are used.
      if (outcome.kind === 'refused' && outcome.status === 404) return offered(record, reserveRows(record));
      const last = lists.get(record.id, target.endpoint);
      if (last) return offered(record, last);
      throw providersError(record.execution === 'local' ? 'RUNTIME_UNREACHABLE' : 'CATALOG_UNREACHABLE', {
        details: { provider, outcome: outcome.kind },
        ...(messageIn(outcome) !== undefined && { params: { providerMessage: messageIn(outcome) as string } }),
      });
    },
    async listAll({ isForced = false } = {}) {
      assertSettings(needs);
      const targets = await configuredTargets(needs);
      // A user of local engines only is not revealed to any service.
      const isStatedElsewhere = targets.some(({ record }) => record.publicName !== null);
      const refreshing = isStatedElsewhere ? publicCatalog.refresh({ isForced }) : undefined;
      const outcomes = await inTurns(targets, PARALLEL, async ({ record, target }) => {
        const known = isForced ? undefined : lists.get(record.id, target.endpoint, FRESH_MS);
        if (known) return { record, rows: known };
        if (!record.models) return { record, rows: reserveRows(record) };
        const outcome = await fetchList(record, target);
        if (outcome.kind === 'listed') return { record, rows: outcome.rows };
        const stale = lists.get(record.id, target.endpoint);
        return { record, rows: stale ?? reserveRows(record), ...(stale ? {} : { failure: outcome }) };
      });
      const failures = outcomes.flatMap(({ failure }) => failure ?? []);
      if (outcomes.length > 0 && failures.length === outcomes.length) throw allFailed(failures);
      const [local] = await Promise.all([needs.localModels(), refreshing]);
      const offers = outcomes.flatMap(({ record, rows }) => offered(record, rows));
      const models = [...agentRows(runtime), ...offers, ...local];
      const { isOn } = publicCatalog;
      return { models, publicCatalog: { isOn, observedAt: publicCatalog.observedAt() }, ...LEVELS };
    },
  };
}

/** Returns the same objects for unchanged rows and facts, so that their encoded text can be cached. */
function createFiller(publicCatalog: PublicCatalog): (rows: readonly ModelRow[]) => readonly ModelRow[] {
  let version = publicCatalog.version();
  let known = new WeakMap<ModelRow, ModelRow>();
  return (rows) => {
    if (publicCatalog.version() !== version) {
      version = publicCatalog.version();
      known = new WeakMap();
    }
    return rows.map((row) => {
      const before = known.get(row);
      if (before) return before;
      const made = withCatalogFacts(row, publicCatalog);
      known.set(row, made);
      return made;
    });
  };
}

interface Target {
  endpoint: string;
  access: Access;
  timeoutMs: number;
}

/** Undefined when the provider lacks its key or its address. */
export async function targetOf(
  needs: Pick<CatalogNeeds, 'address' | 'accessTo'>,
  record: ProviderRecord,
): Promise<Target | undefined> {
  const { endpoint, timeoutMs } = needs.address(record);
  if (!endpoint) return undefined;
  const access = await readableAccess(needs, record);
  return !access || (record.key === 'required' && !access.key) ? undefined : { endpoint, access, timeoutMs };
}

/** Without a key store no provider that needs a key is configured; the others still work. */
async function readableAccess(
  needs: Pick<CatalogNeeds, 'accessTo'>,
  record: ProviderRecord,
): Promise<Access | undefined> {
  try {
    return await needs.accessTo(record);
  } catch (error) {
    if (isAppError(error, 'PROVIDER_STORE_UNAVAILABLE')) return undefined;
    throw error;
  }
}

/** A keyless provider is configured once the user has saved its address. */
async function configuredTargets(needs: CatalogNeeds): Promise<{ record: ProviderRecord; target: Target }[]> {
  const found: { record: ProviderRecord; target: Target }[] = [];
  for (const record of PROVIDERS) {
    if (record.wire === 'acp' || record.wire === 'locale') continue;
    if (record.key !== 'required' && !needs.runtime.get(record.id).endpointConfigured) continue;
    const target = await targetOf(needs, record);
    if (target) found.push({ record, target });
  }
  return found;
}

/** The external agent chooses its own model: there is one row, named after its program. */
function agentRows(runtime: Runtimes): ModelRow[] {
  const { agent } = runtime.get('esterno');
  return agent ? [{ ...rowWithoutFacts('esterno', AGENT_MODEL), name: basename(agent.command) }] : [];
}

const AGENT_MODEL = 'agente';

/** Without the settings the state of every provider is unknown. */
function assertSettings({ runtime }: CatalogNeeds): void {
  try {
    runtime.get('openai');
  } catch (cause) {
    if (isAppError(cause, 'PROVIDER_STORE_UNAVAILABLE')) throw providersError('REPORT_UNAVAILABLE', { cause });
    throw cause;
  }
}

function reserveRows(record: ProviderRecord): ModelRow[] {
  return record.reserveModels.map((id) => rowWithoutFacts(record.id, id));
}

function allFailed(failures: readonly ListOutcome[]): Error {
  const isAnswered = failures.some(({ kind }) => kind === 'refused' || kind === 'unreadable');
  const said = failures.map(messageIn).find((message) => message !== undefined);
  const code = isAnswered ? 'CATALOG_UPSTREAM_ERROR' : 'CATALOG_UNREACHABLE';
  return providersError(code, said === undefined ? {} : { params: { providerMessage: said } });
}

const messageIn = (outcome: ListOutcome): string | undefined =>
  outcome.kind === 'refused' ? outcome.providerMessage : undefined;

async function inTurns<Item, Result>(
  items: readonly Item[],
  width: number,
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await act(items[index] as Item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}

const LEVELS: Pick<FullCatalog, 'directLevels' | 'directWire' | 'catalogWire'> = {
  directLevels: Object.fromEntries(
    direct().map(({ id, reasoning }) => [
      id,
      Object.fromEntries(reasoning.levels.map(({ models, efforts }) => [models, efforts])),
    ]),
  ),
  directWire: wireOf(direct()),
  catalogWire: wireOf(PROVIDERS.filter(({ id }) => id === 'aggregator')),
};

function direct(): ProviderRecord[] {
  return PROVIDERS.filter(({ id, reasoning }) => id !== 'aggregator' && reasoning.levels.length > 0);
}

function wireOf(records: readonly ProviderRecord[]): LevelWire {
  const entries = records.map(({ id, reasoning }) => {
    const maps = reasoning.levels.map(({ models, efforts }) => [models, effortMap(efforts)] as const);
    return [id, Object.fromEntries(maps)] as const;
  });
  return Object.fromEntries(entries);
}
