import { type Ambient, AppError, isAppError, type OutboundHttp, type Secret } from '@fucina/shared';
import { providersError } from '../errors.ts';
import { isKeyStoreUnavailable } from '../keys/key-store.ts';
import type { ProvidersStore, StoredSearch } from '../store.ts';
import { askSource } from './requests.ts';
import type { SearchResult } from './results.ts';
import type { SearchKeys } from './search-keys.ts';
import { DEFAULT_SOURCE, findSource, isSourceId, SEARCH_SOURCES, type SearchSource } from './sources.ts';

/**
 * Web search. Settings or keys that cannot be stored: SEARCH_STORE_UNAVAILABLE. An unknown source, requested or in the
 * settings: SEARCH_SOURCE_INVALID.
 */
export interface Search {
  view(): Promise<SearchView>;
  /**
   * Stores a given address for that source. Throws SEARCH_ENDPOINT_INVALID, and SEARCH_NOT_READY for a source without
   * its key or its address: nothing is changed then.
   */
  choose(source: string, endpoint?: string): Promise<SearchView>;
  /** Throws SEARCH_KEY_REQUIRED, SEARCH_KEY_INVALID. */
  saveKey(source: string, key: string): Promise<SearchView>;
  removeKey(source: string): Promise<SearchView>;
  /** Searches with the current source. Throws as `find`. */
  test(query?: string): Promise<SearchTest>;
  /** Throws SEARCH_NOT_READY, SEARCH_BLOCKED, SEARCH_UNREACHABLE, SEARCH_FAILED; `maxResults` from 1 to 10. */
  find(question: { query: string; maxResults: number; signal?: AbortSignal }): Promise<SearchResult[]>;
}

export interface SearchView {
  source: string;
  /** '' when it has none. */
  endpoint: string;
  readiness: 'ready' | 'off' | 'key-missing' | 'address-missing';
  sources: SearchSourceRow[];
}

export interface SearchSourceRow {
  id: string;
  label: string;
  needsKey: boolean;
  needsEndpoint: boolean;
  /** Keys are never included. */
  isKeyless: boolean;
  /** Where a user gets a key. */
  keysPage: string | null;
  keyConfigured: boolean;
}

export interface SearchTest {
  source: string;
  count: number;
  /** At most 5. */
  titles: string[];
  durationMs: number;
}

export interface SearchNeeds {
  ambient: Ambient;
  http: OutboundHttp;
  store: ProvidersStore;
  keys: SearchKeys;
}

const MAX_ENDPOINT = 2048;
const TEST_QUERY = 'Fucina';
const TEST_RESULTS = 10;

export function createSearch(needs: SearchNeeds): Search {
  const { ambient, keys } = needs;
  const change = async (source: string, act: (record: SearchSource, origin: string | null) => Promise<void>) => {
    const record = findSource(source);
    if (!record || record.key === 'never') throw providersError('SEARCH_SOURCE_INVALID');
    return guarded(async () => {
      await act(record, originOf(record, settingsOf(needs)));
      return viewOf(needs, settingsOf(needs));
    });
  };
  const search: Search = {
    view: () => guarded(() => viewOf(needs, settingsOf(needs))),
    choose: (source, endpoint) => guarded(() => choose(needs, source, endpoint)),
    saveKey: (source, key) => change(source, (record, origin) => keys.save(record.id, key, origin)),
    removeKey: (source) => change(source, (record) => keys.remove(record.id)),
    async test(query = TEST_QUERY) {
      const startedAt = ambient.monotonic();
      const results = await search.find({ query, maxResults: TEST_RESULTS });
      return {
        source: needs.store.search().source ?? DEFAULT_SOURCE,
        count: results.length,
        titles: results.slice(0, 5).map(({ title }) => title),
        durationMs: Math.round(ambient.monotonic() - startedAt),
      };
    },
    async find({ query, maxResults, signal }) {
      const { source, endpoint, key } = await guarded(() => readySource(needs));
      return askSource({ http: needs.http, source, endpoint, key, query, maxResults, signal });
    },
  };
  return search;
}

interface SearchSettings {
  source: string;
  endpoints: Record<string, string>;
}

function settingsOf({ store }: SearchNeeds): SearchSettings {
  const { source = DEFAULT_SOURCE, endpoints = {} }: StoredSearch = store.search();
  if (!isSourceId(source)) throw providersError('SEARCH_SOURCE_INVALID', { reason: 'stored-source-unknown' });
  return { source, endpoints };
}

async function choose(needs: SearchNeeds, source: string, endpoint: string | undefined): Promise<SearchView> {
  const record = findSource(source);
  if (!record && source !== 'off') throw providersError('SEARCH_SOURCE_INVALID');
  // Choosing a source replaces settings that name one that no longer exists.
  const { endpoints = {} } = needs.store.search();
  const given = checkedEndpoint(record, endpoint);
  const settings = { source, endpoints: given === undefined ? endpoints : { ...endpoints, [source]: given } };
  const view = await viewOf(needs, settings);
  if (view.readiness === 'key-missing' || view.readiness === 'address-missing') {
    throw providersError('SEARCH_NOT_READY', { reason: view.readiness });
  }
  needs.store.saveSearch(settings);
  return view;
}

async function readySource(
  needs: SearchNeeds,
): Promise<{ source: SearchSource; endpoint: string; key: Secret | undefined }> {
  const settings = settingsOf(needs);
  const source = findSource(settings.source);
  if (!source) throw providersError('SEARCH_NOT_READY', { reason: 'off' });
  const origin = originOf(source, settings);
  if (origin === null) throw providersError('SEARCH_NOT_READY', { reason: 'address-missing' });
  const key = source.key === 'never' ? undefined : await optionalKey(needs, source, origin);
  if (source.key === 'required' && !key) throw providersError('SEARCH_NOT_READY', { reason: 'key-missing' });
  return { source, endpoint: settings.endpoints[source.id] ?? '', key };
}

async function optionalKey({ keys }: SearchNeeds, source: SearchSource, origin: string): Promise<Secret | undefined> {
  try {
    return await keys.read(source.id, origin);
  } catch (error) {
    if (source.key === 'optional' && isKeyStoreUnavailable(error)) return undefined;
    throw error;
  }
}

async function viewOf(needs: SearchNeeds, settings: SearchSettings): Promise<SearchView> {
  const sources: SearchSourceRow[] = [];
  for (const source of SEARCH_SOURCES) {
    const { id, label, key, needsEndpoint, keysPage } = source;
    const keyConfigured = key !== 'never' && (await hasKey(needs, source, originOf(source, settings)));
    sources.push({
      id,
      label,
      needsKey: key === 'required',
      needsEndpoint,
      isKeyless: key === 'never',
      keysPage,
      keyConfigured,
    });
  }
  const { source } = settings;
  const endpoint = settings.endpoints[source] ?? '';
  return { source, endpoint, readiness: readinessOf(sources, source, endpoint), sources };
}

function readinessOf(sources: readonly SearchSourceRow[], id: string, endpoint: string): SearchView['readiness'] {
  const row = sources.find((source) => source.id === id);
  if (!row) return 'off';
  if (row.needsEndpoint && endpoint === '') return 'address-missing';
  return row.needsKey && !row.keyConfigured ? 'key-missing' : 'ready';
}

/** Without a key store there is no key; sources without a key still work. */
async function hasKey({ keys }: SearchNeeds, source: SearchSource, origin: string | null): Promise<boolean> {
  try {
    return await keys.has(source.id, origin);
  } catch (error) {
    if (isKeyStoreUnavailable(error)) return false;
    throw error;
  }
}

function originOf(source: SearchSource, { endpoints }: SearchSettings): string | null {
  if (source.origin !== null) return source.origin;
  const endpoint = endpoints[source.id];
  return endpoint ? new URL(endpoint).origin : null;
}

/** Undefined when not given; an empty one deletes the stored one. */
function checkedEndpoint(source: SearchSource | undefined, given: string | undefined): string | undefined {
  const text = given?.trim();
  if (text === undefined || (text === '' && !source?.needsEndpoint)) return undefined;
  if (text === '') return '';
  const url = text.length <= MAX_ENDPOINT && URL.canParse(text) ? new URL(text) : undefined;
  const isFit =
    source?.needsEndpoint === true &&
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    !text.includes('#');
  if (!isFit) throw providersError('SEARCH_ENDPOINT_INVALID');
  return text.replace(/\/+$/, '');
}

/** Search has its own code for storage failures. */
async function guarded<Result>(act: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    if (!isAppError(cause, 'PROVIDER_STORE_UNAVAILABLE')) throw cause;
    throw new AppError('SEARCH_STORE_UNAVAILABLE', { ...(cause.reason && { reason: cause.reason }), cause });
  }
}
