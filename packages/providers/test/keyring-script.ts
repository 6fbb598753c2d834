import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type AppError, createOutboundHttp, systemAmbient } from '@fucina/shared';
import { createModelServer } from '@fucina/testkit';
import { collect, createProviders, type Providers } from '../src/index.ts';

/** Run by the test of the key store with its own D-Bus: `<folder> <scenario>`; prints one JSON line. */
const [folder = '', scenario = ''] = process.argv.slice(2);
const ambient = systemAmbient('silent');
const http = createOutboundHttp({ ambient });
const open = (name = 'app'): Providers =>
  createProviders({ ambient, http, keyStore: 'system', dataDir: join(folder, name) });

const request = {
  system: [],
  tools: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
} as const;

/** A provider that records the key it receives. */
async function startProvider(): Promise<{ url: string; keyOf(providers: Providers): Promise<string> }> {
  let seen = '';
  const server = createServer((incoming, response) => {
    seen = String(incoming.headers.authorization).replace('Bearer ', '');
    response.writeHead(400).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async keyOf(providers) {
      await collect(providers.client.stream({ ...request, model: 'deepseek:m' }, new AbortController().signal));
      return seen;
    },
  };
}

function isKeyringLoaded(): boolean {
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] };
  return sharedObjects.some((name) => name.includes('keyring'));
}

function hasKeyInFiles(): boolean {
  const files = readdirSync(join(folder, 'app'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.some((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1').includes('sk-'));
}

async function roundTrip(): Promise<Record<string, unknown>> {
  const provider = await startProvider();
  const one = open();
  one.runtime.change('deepseek', { endpoint: provider.url });
  const state = await one.keys.state();
  await one.keys.add('deepseek', { key: 'sk-second', priority: 2 });
  await one.keys.add('deepseek', { key: 'sk-first', priority: 1 });
  const listed = (await one.keys.list('deepseek')).map(({ name }) => name).toSorted();
  const chosen = await provider.keyOf(one);
  const another = open();
  const chosenByAnother = await provider.keyOf(another);
  const rows = await another.keys.list('deepseek');
  const otherFolder = (await open('other').keys.list('deepseek')).length;
  await another.keys.remove('deepseek', rows.find(({ name }) => name === 'Chiave 2')?.fingerprint ?? '');
  const afterRemoval = (await one.keys.list('deepseek')).map(({ name }) => name);
  return {
    state,
    listed,
    chosen,
    chosenByAnother,
    listedByAnother: rows.length,
    otherFolder,
    afterRemoval,
    files: hasKeyInFiles(),
  };
}

async function race(): Promise<Record<string, unknown>> {
  const all = [open(), open()];
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => all[index % 2]?.keys.add('deepseek', { key: `sk-${index}` })),
  );
  return { kept: (await open().keys.list('deepseek')).length };
}

async function unavailable(): Promise<Record<string, unknown>> {
  const providers = open();
  const loaded = [isKeyringLoaded()];
  const codeOf = (act: Promise<unknown>): Promise<string> =>
    act.then(
      () => 'none',
      (error: AppError) => error.code,
    );
  const { keys, registry } = providers;
  const state = await keys.state();
  loaded.push(isKeyringLoaded());
  const codes = [
    await codeOf(keys.add('deepseek', { key: 'sk-1' })),
    await codeOf(keys.set('deepseek', 'sk-1')),
    await codeOf(keys.removeAll('deepseek')),
    await codeOf(keys.list('deepseek')),
    await codeOf(registry.row('deepseek')),
    await codeOf(providers.test('deepseek')),
  ];
  const rows = await registry.list();
  const events = await collect(
    providers.client.stream({ ...request, model: 'deepseek:m' }, new AbortController().signal),
  );
  const last = events.at(-1);
  const failure = last?.type === 'failure' ? { class: last.failure.class, code: last.failure.code } : null;
  const keyless = await askKeyless(providers);
  const listed = { rows: rows.length, withKey: rows.filter((row) => row.keyConfigured || row.pool.length > 0).length };
  return { state, codes, failure, listed, keyless, files: hasKeyInFiles(), loaded };
}

/** What a provider with an optional key receives, and the results of its test and its call. */
async function askKeyless(providers: Providers): Promise<unknown> {
  const server = await createModelServer();
  providers.runtime.change('ollama', { endpoint: server.url, timeoutSeconds: 60 });
  const { outcome } = await providers.test('ollama');
  const events = await collect(
    providers.client.stream({ ...request, model: 'ollama:m' }, new AbortController().signal),
  );
  const { endpointConfigured } = (await providers.registry.list()).find(({ id }) => id === 'ollama') ?? {};
  const keysSent = server.requests.filter(({ headers }) => headers.authorization !== undefined).length;
  return { outcome, last: events.at(-1), endpointConfigured, keysSent };
}

const scenarios: Record<string, () => Promise<Record<string, unknown>>> = {
  'round-trip': roundTrip,
  race,
  unavailable,
};
const result = await scenarios[scenario]?.();
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
