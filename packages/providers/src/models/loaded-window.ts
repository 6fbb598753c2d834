import { OutboundError, type OutboundHttp } from '@fucina/shared';
import { type Access, providerHeaders } from '../connection/access.ts';
import { joinAddress } from '../connection/runtime.ts';
import type { ProviderRecord } from '../table/record.ts';

/** A model of an engine on the user's computer or network. */
export interface LoadedModel {
  record: ProviderRecord;
  endpoint: string;
  access: Access;
  model: string;
  signal: AbortSignal;
}

/**
 * The context size in tokens with which a local engine loaded a model, which may be far smaller than what the model can
 * take; undefined where the engine does not say. Any engine may answer at a local address: after the forms of the
 * provider's own, llama-server's is tried. Sources: the references of the HTTP interfaces of Ollama (`/api/ps`,
 * `/api/show`), LM Studio (`/api/v1/models`, `/api/v0/models`) and llama-server (`/props`).
 */
export async function askLoadedWindow(http: OutboundHttp, loaded: LoadedModel): Promise<number | undefined> {
  const own = loaded.record.models?.form === 'ollama' ? ofOllama : ofLmStudio;
  return (await own(http, loaded)) ?? (await ofLlamaServer(http, loaded));
}

async function ofOllama(http: OutboundHttp, loaded: LoadedModel): Promise<number | undefined> {
  const { model } = loaded;
  const running = await ask(http, loaded, { path: '/api/ps' });
  const names = [model, `${model}:latest`];
  const entry = listIn(running, 'models').find(({ name, model: id }) => isOneOf(names, name) || isOneOf(names, id));
  if (entry) return size(entry['context_length']);
  // Not loaded yet: it will be with the size that its file sets, if any.
  const shown = await ask(http, loaded, { path: '/api/show', body: { model } });
  const parameters = shown?.['parameters'];
  const [, set] = (typeof parameters === 'string' && /^num_ctx\s+(\d+)$/m.exec(parameters)) || [];
  return set === undefined ? undefined : size(Number(set));
}

async function ofLmStudio(http: OutboundHttp, loaded: LoadedModel): Promise<number | undefined> {
  const { model } = loaded;
  const listed = listIn(await ask(http, loaded, { path: '/api/v1/models' }), 'models');
  const instances = listed.flatMap((entry) =>
    listIn(entry, 'loaded_instances').map((instance) => ({ names: [entry['key'], instance['id']], instance })),
  );
  const instance = instances.find(({ names }) => names.includes(model))?.instance;
  if (listed.length > 0) return size(recordIn(instance, 'config')?.['context_length']);
  const earlier = listIn(await ask(http, loaded, { path: '/api/v0/models' }), 'data');
  return size(earlier.find(({ id }) => id === model)?.['loaded_context_length']);
}

async function ofLlamaServer(http: OutboundHttp, loaded: LoadedModel): Promise<number | undefined> {
  const props = await ask(http, loaded, { path: '/props' });
  return size(recordIn(props, 'default_generation_settings')?.['n_ctx']);
}

type Json = Record<string, unknown>;

/** Loopback or the local network: a busy engine must not hold up the turn. */
const LIMITS = { connectMs: 1_000, firstResponseMs: 2_000, totalMs: 4_000, bodyBytes: 4_194_304 };

/** Undefined where the engine has no such path, or does not answer. */
async function ask(
  http: OutboundHttp,
  { record, endpoint, access, signal }: LoadedModel,
  { path, body }: { path: string; body?: Json },
): Promise<Json | undefined> {
  const headers = providerHeaders(record, access, {
    accept: 'application/json',
    ...(body && { 'content-type': 'application/json' }),
  });
  const sent = body && { method: 'POST' as const, body: JSON.stringify(body) };
  try {
    const url = joinAddress(endpoint, path);
    const answer = await http.send({ url, policy: 'configured', headers, limits: LIMITS, signal, ...sent });
    const text = await answer.text();
    return answer.status === 200 ? asRecord(JSON.parse(text)) : undefined;
  } catch (error) {
    if (error instanceof OutboundError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isOneOf(names: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && names.includes(value);
}

function size(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined;
}

function listIn(value: Json | undefined, field: string): Json[] {
  const list = value?.[field];
  return Array.isArray(list) ? list.map(asRecord).filter((entry) => entry !== undefined) : [];
}

function recordIn(value: Json | undefined, field: string): Json | undefined {
  return asRecord(value?.[field]);
}

function asRecord(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}
