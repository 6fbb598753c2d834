import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createModelServer, type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../../..');

let place: TempDir;
let program: string;
/** A computer with only Node and npm. */
let env: Record<string, string>;

// Assembles a package, which blocks this process.
beforeAll(async () => {
  place = await tempDir();
  env = { PATH: process.env.PATH ?? '', HOME: place.path, FUCINA_KEY_STORE: 'memory' };
  execFileSync('node', [join(ROOT, 'scripts/pack.mjs'), place.path]);
  const { file: tarball } = JSON.parse(readFileSync(join(place.path, 'stable.json'), 'utf8'));
  await place.write({ 'elsewhere/package.json': '{}' });
  const cwd = join(place.path, 'elsewhere');
  // Offline: the package contains all dependencies.
  execFileSync(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', '--no-update-notifier', join(place.path, tarball)],
    { cwd, env },
  );
  program = join(cwd, 'node_modules/.bin/fucina');
}, 240_000);
afterAll(async () => place[Symbol.asyncDispose]());

/** Of the package, in a folder with nothing of ours around it. */
const fucina = (...args: string[]) => spawnSync(program, args, { env, cwd: place.path, encoding: 'utf8' });

test('the package runs without any other file of the repository', () => {
  expect(fucina('--version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(fucina('notes', 'add', 'Herons', 'Fish.').status).toBe(0);
  expect(fucina('notes').stdout).toContain('Herons');
  expect(fucina('permissions', 'dry-run', 'ls').status).toBe(0);
  expect(fucina('doctor').status).toBe(0);
});

const ECHO = { name: 'shell', arguments: { comando: 'echo here' } };

test('reaches a first conversation with a tool', async () => {
  await using model = await createModelServer({
    script: ({ lastRole }) => (lastRole === 'tool' ? { text: 'Done.' } : { toolCalls: [ECHO] }),
  });
  const run = (...args: string[]) => {
    const running = promisify(execFile)(program, args, { env, cwd: place.path });
    running.child.stdin?.end();
    return running;
  };
  await run('provider', 'set-address', 'ollama', model.url);
  const { stdout } = await run('-p', 'go', '--model', 'ollama:bench', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'finished', text: 'Done.', turns: 2 });
});

test('the pack folder works as an update source', () => {
  expect(fucina('upgrade', '--from', place.path)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('is the latest'),
  });
});

test('says how to install the engine, which is not in the package', () => {
  const { stdout } = fucina('local', 'runtimes');
  expect(stdout).toMatch(/llama\.cpp.*library-missing/);
  expect(fucina('doctor').stdout).toContain('fucina local install');
  const registry = { npm_config_registry: 'http://127.0.0.1:1/', npm_config_fetch_retries: '0' };
  const options = { env: { ...env, ...registry }, cwd: place.path, encoding: 'utf8' } as const;
  const failed = spawnSync(program, ['local', 'install'], options);
  expect(failed).toMatchObject({ status: 1, stderr: expect.stringMatching(/npm could not reach its registry \(E/) });
});

test('serves the window, its interface and terminals', async () => {
  const child = spawn(program, ['serve', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const token = () => /token=([0-9a-f]{64})/.exec(printed)?.[1];
    while (token() === undefined) await once(child.stderr, 'data');
    const headers = {
      cookie: `svc_token=${token()}`,
      origin: url.slice(0, -1),
      'content-type': 'application/json',
    };
    const call = async (path: string, body?: unknown) => {
      const answer = await fetch(`${url}api/v1${path}`, {
        headers,
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    };
    expect(await (await fetch(url, { headers })).text()).toContain('<!doctype html>');
    expect((await fetch(`${url}openapi.json`, { headers })).status).toBe(200);
    expect(await call('/doctor')).toMatchObject({ status: 200 });
    expect(await call('/tasks')).toMatchObject({ status: 200 });
    const sessions = await call('/sessions');
    const [{ sessionId }] = sessions.body.data.items;
    expect(await call(`/sessions/${sessionId}/terminals`, {})).toMatchObject({ status: 200, body: { ok: true } });
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

test('reports the required Node version on another version', () => {
  const launcher = join(place.path, 'elsewhere/node_modules/fucina/bin/fucina.cjs');
  const text = readFileSync(launcher, 'utf8');
  writeFileSync(launcher, text.replace(/"modules":"\d+"/, '"modules":"1"'));
  try {
    expect(fucina('--version')).toMatchObject({ status: 78, stderr: expect.stringContaining('npm run pack:cli') });
  } finally {
    writeFileSync(launcher, text);
  }
});
