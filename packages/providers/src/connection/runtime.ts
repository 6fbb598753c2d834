import { isAppError, once } from '@fucina/shared';
import type { ChosenSettings } from '../chosen-settings.ts';
import { providersError } from '../errors.ts';
import type { AggregatorExclusions, ExternalAgent, ProvidersStore, StoredRuntime } from '../store.ts';
import type { ProviderRecord } from '../table/record.ts';
import { providerOf } from '../table/registry.ts';
import { platformAddress, withPlatformPath } from './platform-address.ts';

/**
 * Address and limits of each provider. Unknown ids throw PROVIDER_INVALID, a missing store PROVIDER_STORE_UNAVAILABLE.
 */
export interface Runtimes {
  get(provider: string): RuntimeRow;
  /** Throws PROVIDER_RUNTIME_INVALID; PROVIDER_RUNTIME_UNAVAILABLE when the change could not be saved. */
  change(provider: string, change: RuntimeChange): RuntimeRow;
  /** Resets to the registry's address; for the external agent, to no program. Limits are unchanged. */
  reset(provider: string): RuntimeRow;
}

export interface RuntimeRow {
  provider: string;
  endpoint: string | null;
  /** True when the user chose the address. */
  endpointConfigured: boolean;
  timeoutSeconds: number;
  /** Aggregator only. */
  excluded?: string[];
  /** Cloud providers only. */
  models?: string[] | null;
  /** `esterno` only. */
  agent?: ExternalAgent | null;
}

/** Absent fields are unchanged. `models: null` restores the provider's own list. */
export interface RuntimeChange {
  endpoint?: string;
  timeoutSeconds?: number;
  models?: string[] | null;
  agent?: { command: string; args?: string[]; settings?: Record<string, unknown> };
}

/** The settings for a call; null when there is no address. */
export interface Address {
  endpoint: string | null;
  origin: string | null;
  timeoutMs: number;
  /** Whether the user set the timeout. */
  isTimeoutChosen: boolean;
  exclusions: AggregatorExclusions | null;
}

/** For what the interface's own operation does not change. */
export interface OwnAddresses {
  address(record: ProviderRecord): Address;
  /** The origin that a change of the address would lead to. Throws PROVIDER_RUNTIME_INVALID. */
  originAfter(record: ProviderRecord, endpoint: string | null | undefined): string | null;
  /** Also where the registry's address is fixed; null restores it. Throws as `change`. */
  setEndpoint(record: ProviderRecord, endpoint: string | null): void;
}

const MIN_TIMEOUT = 5;
const MAX_TIMEOUT = 300;
const MAX_MODELS = 500;
const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._@+:/-]{0,199}$/;
const MAX_ENDPOINT = 2048;
const MAX_ARGS = 256;
const MAX_AGENT_TEXT = 1_048_576;

export function createRuntimes(
  store: ProvidersStore,
  chosen: ChosenSettings['runtimes'] = {},
): Runtimes & OwnAddresses {
  const wanted = once(() => checkedRuntimes(chosen));
  const runtimeOf = ({ id }: ProviderRecord): StoredRuntime => ({ ...store.runtime(id), ...wanted().get(id) });
  const get = (provider: string): RuntimeRow => {
    const record = providerOf(provider);
    return toRow(record, runtimeOf(record), store);
  };
  const save = (provider: string, runtime: StoredRuntime): void => {
    try {
      store.saveRuntime(provider, runtime);
    } catch (error) {
      if (isAppError(error, 'PROVIDER_STORE_UNAVAILABLE')) {
        throw providersError('PROVIDER_RUNTIME_UNAVAILABLE', { reason: 'not-saved', cause: error });
      }
      throw error;
    }
  };
  const address = (record: ProviderRecord): Address => {
    const stored = runtimeOf(record);
    const endpoint = (stored.endpoint ?? record.defaultEndpoint) || null;
    return {
      endpoint,
      origin: endpoint && parsedAddress(endpoint).origin,
      timeoutMs: (stored.timeoutSeconds ?? record.defaultTimeoutSeconds) * 1000,
      isTimeoutChosen: stored.timeoutSeconds !== undefined,
      exclusions: record.id === 'aggregator' ? store.exclusions() : null,
    };
  };
  return {
    get,
    address,
    originAfter(record, endpoint) {
      if (endpoint === undefined) return address(record).origin;
      const after = endpoint === null ? record.defaultEndpoint : checkedEndpoint(endpoint, record);
      return after ? new URL(after).origin : null;
    },
    setEndpoint(record, endpoint) {
      const { endpoint: _endpoint, ...kept } = store.runtime(record.id) ?? {};
      save(record.id, endpoint === null ? kept : { ...kept, endpoint: checkedEndpoint(endpoint, record) });
    },
    change(provider, change) {
      const record = providerOf(provider);
      const before = store.runtime(provider) ?? {};
      save(provider, { ...before, ...checkedChange(record, change) });
      return get(provider);
    },
    reset(provider) {
      providerOf(provider);
      const { endpoint: _endpoint, agent: _agent, ...kept } = store.runtime(provider) ?? {};
      store.saveRuntime(provider, kept);
      return get(provider);
    },
  };
}

/** Read on demand: a damaged file matters only to those that use it. */
function checkedRuntimes(chosen: NonNullable<ChosenSettings['runtimes']>): ReadonlyMap<string, StoredRuntime> {
  const rows = Object.entries(chosen).map(
    ([provider, { endpoint, timeoutSeconds, ...odd }]): [string, StoredRuntime] => {
      const record = providerOf(provider);
      const isOdd = Object.keys(odd).length > 0 || record.wire === 'acp' || record.wire === 'locale';
      if (isOdd) throw providersError('PROVIDER_RUNTIME_INVALID', { reason: 'settings-file' });
      return [record.id, checkedValues(record, { endpoint, timeoutSeconds })];
    },
  );
  return new Map(rows);
}

function toRow(record: ProviderRecord, stored: StoredRuntime, store: ProvidersStore): RuntimeRow {
  return {
    provider: record.id,
    endpoint: (stored.endpoint ?? record.defaultEndpoint) || null,
    endpointConfigured: stored.endpoint !== undefined,
    timeoutSeconds: stored.timeoutSeconds ?? record.defaultTimeoutSeconds,
    ...(record.id === 'aggregator' && { excluded: store.exclusions().excluded }),
    ...(record.execution === 'cloud' && { models: stored.models ?? null }),
    ...(record.wire === 'acp' && { agent: stored.agent ?? null }),
  };
}

function checkedChange(record: ProviderRecord, change: RuntimeChange): StoredRuntime {
  const { endpoint, timeoutSeconds, models, agent } = change;
  const refuse = (reason: string): never => {
    throw providersError('PROVIDER_RUNTIME_INVALID', { reason });
  };
  if (record.wire === 'acp') {
    const isAgentOnly = endpoint === undefined && timeoutSeconds === undefined && models === undefined;
    return agent && isAgentOnly ? { agent: checkedAgent(agent) } : refuse('agent-only');
  }
  if (agent !== undefined) return refuse('no-agent');
  if (record.wire === 'locale') return refuse('address-decided-here');
  if (record.execution === 'local' && (endpoint === undefined || timeoutSeconds === undefined))
    return refuse('fields-missing');
  if (record.execution === 'local' && models !== undefined) return refuse('no-models');
  const checked = checkedValues(record, { endpoint, timeoutSeconds });
  // JSON omits undefined values, which deletes a list.
  if (models !== undefined) checked.models = models === null ? undefined : checkedModels(models);
  return checked;
}

function checkedValues(
  record: ProviderRecord,
  { endpoint, timeoutSeconds }: { endpoint?: string | undefined; timeoutSeconds?: number | undefined },
): StoredRuntime {
  const refuse = (reason: string): never => {
    throw providersError('PROVIDER_RUNTIME_INVALID', { reason });
  };
  if (endpoint !== undefined && !record.supportsEndpoint) return refuse('address-fixed');
  const isTimeoutFit =
    timeoutSeconds === undefined ||
    (Number.isInteger(timeoutSeconds) && timeoutSeconds >= MIN_TIMEOUT && timeoutSeconds <= MAX_TIMEOUT);
  if (!isTimeoutFit) return refuse('timeout');
  const checked: StoredRuntime = {};
  if (endpoint !== undefined) checked.endpoint = checkedEndpoint(endpoint, record);
  if (timeoutSeconds !== undefined) checked.timeoutSeconds = timeoutSeconds;
  return checked;
}

/** Users paste the address with the prefix that is appended anyway (`…/v1`): it is not repeated. */
function checkedEndpoint(text: string, { id, wirePrefix: prefix }: ProviderRecord): string {
  const trimmed = platformAddress(id, text) ?? text.trim();
  const given = trimmed.length <= MAX_ENDPOINT && URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  const isFit =
    given !== undefined &&
    /^https?:$/.test(given.protocol) &&
    given.username === '' &&
    given.password === '' &&
    !trimmed.includes('#');
  if (!given || !isFit) throw providersError('PROVIDER_RUNTIME_INVALID', { reason: 'endpoint' });
  const url = new URL(withPlatformPath(id, given));
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (prefix && path.endsWith(prefix) ? path.slice(0, -prefix.length) : path) + url.search;
}

/** Appends a path to an address; a query of the address stays at the end. */
export function joinAddress(endpoint: string, path: string): string {
  const url = parsedAddress(endpoint);
  return url.origin + url.pathname.replace(/\/+$/, '') + path + url.search;
}

/** The addresses in use: a call of a model asks for the parts of its own several times. */
const parsed = new Map<string, Readonly<URL>>();
const MAX_PARSED = 64;

function parsedAddress(endpoint: string): Readonly<URL> {
  const known = parsed.get(endpoint);
  if (known) return known;
  const url = new URL(endpoint);
  if (parsed.size === MAX_PARSED) parsed.clear();
  parsed.set(endpoint, url);
  return url;
}

function checkedModels(models: string[]): string[] {
  const isFit =
    models.length <= MAX_MODELS &&
    new Set(models).size === models.length &&
    models.every((name) => MODEL_NAME.test(name));
  if (!isFit) throw providersError('PROVIDER_RUNTIME_INVALID', { reason: 'models' });
  return models;
}

function checkedAgent({ command, args = [], settings = {} }: NonNullable<RuntimeChange['agent']>): ExternalAgent {
  const agent = { command: command.trim(), args, settings };
  const isFit =
    agent.command !== '' &&
    args.length <= MAX_ARGS &&
    ![agent.command, ...args].some((part) => part.includes('\0')) &&
    JSON.stringify(agent).length <= MAX_AGENT_TEXT;
  if (!isFit) throw providersError('PROVIDER_RUNTIME_INVALID', { reason: 'agent' });
  return agent;
}
