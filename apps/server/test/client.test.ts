import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiError, createCalls, createClient, type SessionEvent } from '@fucina/client';
import { type Script, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type TestServer, TOKEN, testServer } from './harness.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const packageFolder = join(root, 'packages', 'client');

const write = { percorso: 'by-agent.txt', contenuto: 'new\n' };
const TEXT = ['One. ', 'Two. ', 'Three. ', 'Four. ', 'Five.'];
const writing: Script = ({ lastRole }) =>
  lastRole === 'tool'
    ? { text: TEXT, deltaDelayMs: 20 }
    : { text: 'Writing. ', toolCalls: [{ name: 'scrivi', arguments: write }] };

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());
beforeEach(() => server.model.script(writing));

const clientOf = (url = server.url) => createClient({ url, token: TOKEN, language: 'en' });

async function failureOf(request: Promise<unknown>): Promise<ApiError> {
  const error = await request.catch((failure: unknown) => failure);
  if (!(error instanceof ApiError)) throw new Error(`not an ApiError: ${String(error)}`);
  return error;
}

const tsc = join(root, 'node_modules', '.bin', 'tsc');
const typescript5 = join(root, 'packages', 'wire-types', 'node_modules', '.bin', 'tsc');
const COMPILED: [string, string][] = [
  [tsc, 'node16.json'],
  [tsc, 'bundler.json'],
  [typescript5, 'node16.json'],
];

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2023'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
  outDir: 'built',
};
const RESOLUTIONS = {
  'node16.json': { module: 'node16', moduleResolution: 'node16' },
  'bundler.json': { module: 'esnext', moduleResolution: 'bundler' },
};

/** What must not compile, and what must. */
const TYPES = `
import { createClient } from '@fucina/client';
const client = createClient({ url: 'http://127.0.0.1:1' });
export async function typed(): Promise<string[]> {
  const { items } = await client.get('/sessions', { headers: { 'x-svc-cerca': 'word' } });
  // @ts-expect-error: no such path
  void client.get('/no-such-path');
  // @ts-expect-error: the path has a parameter
  void client.post('/sessions/{sessionId}/stop');
  // @ts-expect-error: the body has no such field
  void client.post('/sessions/{sessionId}/approve', { path: { sessionId: '' }, body: { requestId: '', approved: true } });
  // @ts-expect-error: an artifact is a page, not JSON
  void client.get('/artifacts/{artifactId}', { path: { artifactId: '' } });
  const page: Response = await client.fetch('get', '/artifacts/{artifactId}', { path: { artifactId: '' } });
  const { text: output } = await client.get('/sessions/{sessionId}/process-outputs/{outputId}', {
    path: { sessionId: '', outputId: '' },
  });
  const image: string = client.address('get', '/chat-images/{imageHash}', { path: { imageHash: output } });
  // @ts-expect-error: an address has no body
  client.address('post', '/sessions/{sessionId}/stop', { path: { sessionId: image }, body: {} });
  // @ts-expect-error: sessions have no such field, and are not any
  void items[0]?.nothing;
  return [...items.map(({ sessionId }) => sessionId), await page.text()];
}
`;

test('the packed client installs alone, and the example of its README compiles and runs', async () => {
  await using folder = await tempDir();
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder.path], { cwd: packageFolder });
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  const sources = ['api-error', 'calls', 'client', 'english', 'events', 'frames', 'index', 'operations', 'request'];
  const tables = ['addresses', 'event-names', 'first-names', 'names', 'rename'];
  expect(packed.files.map(({ path }) => path).sort()).toEqual(
    [
      'README.md',
      'package.json',
      'dist/LICENSE',
      'dist/api.d.ts',
      ...[...sources, ...tables].flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]),
    ].sort(),
  );

  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  await folder.write({
    'package.json': JSON.stringify({ name: 'example', type: 'module' }),
    'example.ts': example,
    'types.ts': TYPES,
    ...Object.fromEntries(
      Object.entries(RESOLUTIONS).map(([name, resolution]) => [
        name,
        JSON.stringify({ compilerOptions: { ...compilerOptions, ...resolution }, include: ['*.ts'] }),
      ]),
    ),
  });
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`], { cwd: folder.path });
  const compile = (compiler: string, config: string) =>
    run(compiler, ['-p', join(folder.path, config)]).then(
      () => '',
      (failure: { stdout: string }) => failure.stdout,
    );
  expect(await Promise.all(COMPILED.map((use) => compile(...use)))).toEqual(COMPILED.map(() => ''));

  const args = ['built/example.js', server.url, TOKEN, server.project.path, 'ollama:tiny'];
  const ran = await run(process.execPath, args, { cwd: folder.path });
  expect(ran.stdout).toBe(`Writing. \n[approved] scrivi\n${TEXT.join('')}\n[finished]\n`);
});

/** A proxy that cuts each of its first streams after some bytes, in the middle of a frame. */
async function cuttingProxy(limits: number[]): Promise<{ url: string; server: Server; resumed: unknown[] }> {
  const resumed: unknown[] = [];
  const proxy = createServer((asked, answered) => {
    const { method, headers } = asked;
    const isStream = asked.url?.endsWith('/events');
    if (isStream) resumed.push(headers['last-event-id']);
    let left = (isStream ? limits.shift() : undefined) ?? Number.POSITIVE_INFINITY;
    const own = { ...headers, host: `127.0.0.1:${server.port}` };
    const onward = request(new URL(asked.url ?? '/', server.url), { method, headers: own, agent: false }, (answer) => {
      answered.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.on('data', (bytes: Buffer) => {
        answered.write(bytes.subarray(0, left));
        left -= bytes.length;
        if (left <= 0) setImmediate(() => answered.destroy());
      });
      answer.on('end', () => answered.end());
      answer.on('error', () => answered.destroy());
    });
    onward.on('error', () => answered.destroy());
    answered.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, server: proxy, resumed };
}

test('yields every event once and in order when the stream is cut', async () => {
  const proxy = await cuttingProxy([90, 700, 1200]);
  const client = clientOf(proxy.url);
  const sessionId = await server.startSession({ permessi: 'On request' });
  const events: SessionEvent[] = [];
  for await (const event of client.events(sessionId, { until: 'turn-end' })) {
    events.push(event);
    if (event.type === 'ApprovalRequested') await client.approve(sessionId, event.requestId);
  }
  const sequences = events.flatMap(({ sequence }) => sequence ?? []);
  const text = events.map((event) => (event.type === 'TextMessageContent' ? event.delta : '')).join('');
  proxy.server.closeAllConnections();
  proxy.server.close();

  expect(proxy.resumed).toHaveLength(4);
  expect(proxy.resumed.slice(-1)).not.toEqual([undefined]);
  expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
  expect(text).toBe(`Writing. ${TEXT.join('')}`);
  expect(events.at(-1)?.type).toBe('RunFinished');

  // A replay merges neighbouring pieces of text; everything else is compared one by one.
  const replayed: SessionEvent[] = [];
  for await (const event of clientOf().events(sessionId, { until: 'turn-end' })) replayed.push(event);
  const lasting = (all: SessionEvent[]) => all.filter((one) => one.sequence && one.type !== 'TextMessageContent');
  expect(lasting(events)).toEqual(lasting(replayed));

  const after = sequences.at(-3) ?? 0;
  const rest: unknown[] = [];
  for await (const event of clientOf().events(sessionId, { after, until: 'turn-end' })) rest.push(event.sequence);
  expect(rest).toEqual(sequences.slice(-2));
});

test('denies an approval, and the agent continues', async () => {
  const client = clientOf();
  const sessionId = await server.startSession({ permessi: 'On request' });
  let isApproved: boolean | undefined;
  for await (const event of client.events(sessionId, { until: 'turn-end' })) {
    if (event.type === 'ApprovalRequested') await client.deny(sessionId, event.requestId);
    if (event.type === 'ApprovalResolved') isApproved = event.isApproved;
  }
  expect(isApproved).toBe(false);
});

test('answers a question of the agent', async () => {
  const questions = [
    { id: 'colour', question: 'Which?', why: 'It shows.', options: [{ label: 'Red' }, { label: 'Blue' }] },
  ];
  server.model.script(({ lastRole }) =>
    lastRole === 'tool' ? { text: 'Thanks.' } : { toolCalls: [{ name: 'ask_user', arguments: { questions } }] },
  );
  const client = clientOf();
  const sessionId = await server.startSession();
  let resolved: unknown;
  for await (const event of client.events(sessionId, { until: 'turn-end' })) {
    if (event.type === 'UserQuestionRequested') await client.answer(sessionId, event.requestId, { colour: 'Red' });
    if (event.type === 'UserQuestionResolved') resolved = event.answers;
  }
  expect(resolved).toEqual({ colour: 'Red' });
});

test('ends the events without an error when the signal aborts', async () => {
  const sessionId = await server.startSession({ permessi: 'On request' });
  const controller = new AbortController();
  for await (const event of clientOf().events(sessionId, { signal: controller.signal })) {
    if (event.type === 'ApprovalRequested') setTimeout(() => controller.abort(), 20);
    expect(event.type).not.toBe('RunFinished');
  }
  expect(controller.signal.aborted).toBe(true);
});

test('throws one class of error with the code, the status and the texts of the server', async () => {
  const client = clientOf();
  const path = { sessionId: 'no-such-session' };
  const missing = await failureOf(client.get('/sessions/{sessionId}/pending', { path }));
  expect([missing.code, missing.status, typeof missing.body?.title]).toEqual(['NOT_FOUND', 404, 'string']);
  const events = await failureOf(client.events('no-such-session').next());
  expect([events.code, events.status]).toEqual(['NOT_FOUND', 404]);
  const anonymous = await failureOf(createClient({ url: server.url }).get('/sessions'));
  expect([anonymous.code, anonymous.status]).toEqual(['AUTH_REQUIRED', 401]);
});

test('reports a server that does not answer, and throws the reason of an abort', async () => {
  const proxy = await cuttingProxy([]);
  proxy.server.close();
  const client = clientOf(proxy.url);
  const offline = await failureOf(client.get('/sessions'));
  expect([offline.code, offline.status]).toEqual(['OFFLINE', 0]);
  expect((await failureOf(client.events('any').next())).code).toBe('OFFLINE');
  const reason = new Error('enough');
  await expect(clientOf().get('/sessions', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('encodes path parameters and refuses those that would name another operation', async () => {
  const asked: string[] = [];
  const record: typeof fetch = async (input, init) => {
    asked.push(new Request(input).url, new Headers(init?.headers).get('x-svc-cerca') ?? '');
    return Response.json({ ok: true, data: { items: [] } });
  };
  const client = createClient({ url: 'http://127.0.0.1:1/window', fetch: record });
  await client.get('/sessions/{sessionId}/pending', { path: { sessionId: 'a/b?c' } });
  await client.get('/sessions', { headers: { 'x-svc-cerca': 'caffè' } });
  await client.fetch('get', '/pages/{pageId}/{path}', { path: { pageId: 'p', path: 'css/a b.css' } });
  expect(asked).toEqual([
    'http://127.0.0.1:1/api/v1/sessions/a%2Fb%3Fc/pending',
    '',
    'http://127.0.0.1:1/api/v1/sessions',
    'caff%C3%A8',
    'http://127.0.0.1:1/api/v1/pagine/p/css/a%20b.css',
    '',
  ]);
  const upward = client.get('/sessions/{sessionId}/pending', { path: { sessionId: '..' } });
  await expect(upward).rejects.toThrow(TypeError);
});

test('names the address of an operation for a link or an event stream', () => {
  const { address } = clientOf('http://127.0.0.1:1');
  const path = { sessionId: 'a b' };
  expect(address('get', '/sessions/{sessionId}/file', { path, query: { path: 'src/été.ts' } })).toBe(
    'http://127.0.0.1:1/api/v1/sessions/a%20b/file?percorso=src%2F%C3%A9t%C3%A9.ts',
  );
  expect(address('get', '/ext/board/events')).toBe('http://127.0.0.1:1/api/v1/ext/board/events');
});

test('reads the language for each request', async () => {
  let language: 'it' | 'en' = 'it';
  const calls = createCalls({ url: server.url, token: TOKEN, language: () => language });
  const ask = () => failureOf(calls.get('/sessions/{sessionId}/pending', { path: { sessionId: 'none' } }));
  const titles = [(await ask()).body?.title];
  language = 'en';
  titles.push((await ask()).body?.title);
  expect(titles[0]).not.toBe(titles[1]);
});

test('uploads a file, reads a part of it, and shows the headers of a refusal', async () => {
  const client = clientOf();
  const path = { sessionId: await server.startSession() };
  const { path: uploaded } = await client.post('/sessions/{sessionId}/chat-files', {
    path,
    headers: { 'x-svc-file-name': 'perché.txt' },
    body: new Blob(['0123456789']),
  });
  const part = (range: string) =>
    client.fetch('get', '/sessions/{sessionId}/file', { path, query: { path: uploaded }, headers: { range } });
  const response = await part('bytes=2-4');
  expect([uploaded.endsWith('perché.txt'), response.status, await response.text()]).toEqual([true, 206, '234']);
  const beyond = await failureOf(part('bytes=20-30'));
  expect([beyond.status, beyond.headers?.get('content-range')]).toEqual([416, 'bytes */10']);
});
