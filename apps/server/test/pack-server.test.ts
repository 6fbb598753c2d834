import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createModelServer, OPEN_TO_ALL, type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from './harness.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const TOKEN = 't'.repeat(40);
/** An ordinary user: another one, when the tests run as root. */
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const USER = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

let place: TempDir;
let program: string;

// Assembles a package, which blocks this process.
beforeAll(async () => {
  place = await tempDir('fucina-', OPEN_TO_ALL);
  const printed = execFileSync('node', [join(ROOT, 'scripts/pack-server.mjs'), place.path], { encoding: 'utf8' });
  const folder = printed.trim().split('\n').at(-1) ?? '';
  execFileSync('chmod', ['-R', 'a-w', folder]);
  chmodSync(place.path, 0o755);
  for (const name of ['home', 'project', 'path']) {
    mkdirSync(join(place.path, name));
    if (isRoot) chownSync(join(place.path, name), NOBODY, NOBODY);
  }
  program = join(folder, 'bin/fucina-server');
}, 240_000);
afterAll(async () => {
  execFileSync('chmod', ['-R', 'u+w', place.path]);
  await place[Symbol.asyncDispose]();
});

/** Programs without Node: those of the system, but `node` and `npm`. */
function pathWithoutNode(): string {
  const folder = join(place.path, 'path');
  for (const name of ['sh', 'bash', 'git', 'readlink', 'dirname', 'bwrap', 'cat', 'echo', 'env', 'ls']) {
    const found = ['/usr/bin', '/bin', '/usr/local/bin'].map((at) => join(at, name)).find((at) => existsSync(at));
    if (found && !existsSync(join(folder, name))) execFileSync('ln', ['-s', found, join(folder, name)]);
  }
  return folder;
}

interface Running {
  child: ChildProcess;
  call(path: string, body?: unknown): Promise<{ status: number; data: any }>;
}

function start(token = TOKEN): ChildProcess {
  const env = {
    HOME: join(place.path, 'home'),
    PATH: pathWithoutNode(),
    FUCINA_TOKEN: token,
    FUCINA_KEY_STORE: 'memory',
    FUCINA_PUBLIC_CATALOG: '0',
  };
  return spawn(program, ['--port', '0'], { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], ...USER });
}

async function startReady(token = TOKEN): Promise<Running> {
  const child = start(token);
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const { event, url } = JSON.parse(line.toString()) as { event: string; url: string };
  expect(event).toBe('ready');
  const headers = { cookie: `svc_token=${TOKEN}`, origin: url.slice(0, -1), 'content-type': 'application/json' };
  return {
    child,
    async call(path, body) {
      const method = body === undefined ? 'GET' : 'POST';
      const answer = await fetch(`${url}${path}`, { headers, method, ...(body ? { body: JSON.stringify(body) } : {}) });
      const text = await answer.text();
      return { status: answer.status, data: text.startsWith('{') ? JSON.parse(text).data : text };
    },
  };
}

const ECHO = { name: 'shell', arguments: { comando: 'echo from $((40 + 2))' } };

/** One red pixel. */
const WEBP =
  'data:image/webp;base64,UklGRjwAAABXRUJQVlA4IDAAAADQAQCdASoBAAEAAUAmJaACdLoB+AADsAD+8ut//NgVzXPv9//S4P0uD9Lg/9KQAAA=';

test('runs for an ordinary user without Node, in a folder that nobody can write', async () => {
  await using model = await createModelServer({
    script: ({ lastRole, lastText }) => (lastRole === 'tool' ? { text: lastText } : { toolCalls: [ECHO] }),
  });
  const { child, call } = await startReady();
  expect((await call('')).data).toContain('<!doctype html>');
  expect((await call('openapi.json')).status).toBe(200);
  await call('api/v1/providers/ollama/runtime', { endpoint: model.url, timeoutSeconds: 30 });
  const started = await call('api/v1/sessions/custom', {
    cartellaLibera: join(place.path, 'project'),
    consegna: 'go',
    modello: 'ollama:tiny',
    permessi: 'Full access',
    immagini: [await call('api/v1/chat-images', { nome: 'a.webp', dataUrl: WEBP }).then(({ data }) => data)],
  });
  const { sessionId } = started.data;
  await until(async () => (await call('api/v1/sessions')).data.items[0].conclusa || undefined);
  const { data } = await call(`api/v1/sessions/${sessionId}/export`);
  expect(JSON.stringify(data)).toContain('from 42');
  // Converted by the native library in the package.
  expect(JSON.stringify(model.requests[0]?.body)).toContain('data:image/png;base64,');
  expect((await call(`api/v1/sessions/${sessionId}/terminals`, {})).status).toBe(200);

  const second = start();
  const [code] = (await once(second, 'exit')) as [number];
  expect(code).toBe(75);

  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('makes a token of its own where the application gives none', async () => {
  const { child, call } = await startReady('');
  // With the token of the application above, which this server does not know.
  expect((await call('api/v1/sessions')).status).toBe(401);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
