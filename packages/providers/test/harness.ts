import { type AnswerPart, createOutboundHttp, type ModelEvent, type ModelRequest, systemAmbient } from '@fucina/shared';
import { type FakeAmbient, fakeAmbient } from '@fucina/shared/testing';
import {
  createModelServer,
  type ModelServer,
  type ModelServerOptions,
  redirectOrigins,
  tempDir,
} from '@fucina/testkit';
import { collect, createProviders, type Providers, type ProvidersNeeds } from '../src/index.ts';

export interface Harness extends AsyncDisposable {
  server: ModelServer;
  providers: Providers;
  /** A manual clock for cooldowns and caches; the network uses real time. */
  ambient: FakeAmbient;
  dataDir: string;
  /** Gives the provider the server's address and a key. */
  connect(provider: string, key?: string): Promise<void>;
  ask(model: string, request?: Partial<ModelRequest>, signal?: AbortSignal): Promise<ModelEvent[]>;
}

/** Fixed addresses: their requests are sent to the scripted server. */
const FIXED = ['https://generativelanguage.googleapis.com', 'https://api.anthropic.com', 'https://models.dev'];

export async function createHarness(
  options: ModelServerOptions & { needs?: Partial<ProvidersNeeds> } = {},
): Promise<Harness> {
  const dir = await tempDir();
  const server = await createModelServer(options);
  const ambient = fakeAmbient();
  const out = createOutboundHttp({ ambient: systemAmbient('silent') });
  const http = redirectOrigins(out, Object.fromEntries(FIXED.map((origin) => [origin, server.url])));
  const providers = createProviders({
    ambient,
    dataDir: dir.path,
    keyStore: 'memory',
    http,
    publicCatalog: false,
    ...options.needs,
  });
  return {
    server,
    providers,
    ambient,
    dataDir: dir.path,
    async connect(provider, key = `key-of-${provider}-0123456789`) {
      const endpoint = providers.runtime.get(provider).endpoint ?? '';
      const isFixed = FIXED.some((origin) => endpoint.startsWith(origin));
      const address = isFixed ? {} : { endpoint: `${server.url}/v1` };
      providers.runtime.change(provider, { ...address, timeoutSeconds: 60 });
      await providers.keys.add(provider, { key });
    },
    ask: (model, request, signal = new AbortController().signal) =>
      collect(providers.client.stream({ ...question(), ...request, model }, signal)),
    async [Symbol.asyncDispose]() {
      await providers[Symbol.asyncDispose]();
      await out[Symbol.asyncDispose]();
      await server.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

export function question(text = 'Hello?'): ModelRequest {
  return {
    model: '',
    system: ['You are a tester.', 'Be short.'],
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
    tools: [],
  };
}

export const TOOL = {
  name: 'leggi',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { percorso: { type: 'string' } }, required: ['percorso'] },
};

/** The parts of an answer, as a session stores them. */
export function partsOf(events: readonly ModelEvent[]): AnswerPart[] {
  const parts: AnswerPart[] = [];
  const add = (type: 'text' | 'reasoning', delta: string): void => {
    const last = parts.at(-1);
    if (last?.type === type && !last.vendor) last.text += delta;
    else parts.push({ type, text: delta });
  };
  for (const event of events) {
    if (event.type === 'text' || event.type === 'reasoning') add(event.type, event.delta);
    if (event.type === 'tool-start') parts.push({ type: 'call', id: event.id, name: event.name, arguments: '' });
    const open = parts.find((part) => part.type === 'call' && 'id' in event && part.id === event.id);
    if (event.type === 'tool-arguments' && open?.type === 'call') open.arguments += event.delta;
    if (event.type === 'tool-end' && open && event.vendor) open.vendor = event.vendor;
    if (event.type !== 'text-end' && event.type !== 'reasoning-end') continue;
    const type = event.type === 'text-end' ? 'text' : 'reasoning';
    if (event.vendor && parts.at(-1)?.type !== type) parts.push({ type, text: '' });
    const last = parts.at(-1);
    if (last && event.vendor) last.vendor = event.vendor;
  }
  return parts;
}

export function textOf(events: readonly ModelEvent[], type: 'text' | 'reasoning' = 'text'): string {
  return events.map((event) => (event.type === type ? event.delta : '')).join('');
}

export function failureIn(events: readonly ModelEvent[]): Extract<ModelEvent, { type: 'failure' }>['failure'] {
  const last = events.at(-1);
  if (last?.type !== 'failure') throw new Error(`the last event is ${last?.type}`);
  return last.failure;
}
