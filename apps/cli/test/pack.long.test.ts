import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TempDir, tempDir, tinyModel } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../../..');

let place: TempDir;
let program: string;
/** A computer with only Node and npm. */
let env: Record<string, string>;

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
}, 300_000);
afterAll(async () => place[Symbol.asyncDispose]());

const fucina = (...args: string[]) => spawnSync(program, args, { env, cwd: place.path, encoding: 'utf8' });

test('the package runs without any other file of the repository', () => {
  expect(fucina('--version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(fucina('notes', 'add', 'Herons', 'Fish.').status).toBe(0);
  expect(fucina('notes').stdout).toContain('Herons');
  expect(fucina('permissions', 'dry-run', 'ls').status).toBe(0);
  expect(fucina('doctor').status).toBe(0);
});

test('the pack folder works as an update source', () => {
  expect(fucina('update', '--from', place.path)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('is the latest'),
  });
});

test('contains the engine of local models', () => {
  const model = join(place.path, 'tiny.gguf');
  writeFileSync(model, tinyModel({ says: 'It works.', contextLength: 65_536 }));
  expect(fucina('local', 'import', model, 'tiny').status).toBe(0);
  expect(fucina('-p', 'go', '--model', 'local:tiny').stdout).toBe('It works.\n');
}, 180_000);

test('serves the window', async () => {
  const child = spawn(program, ['serve', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    while (!printed.includes('\n')) await once(child.stderr, 'data');
    const headers = { cookie: `svc_token=${/token=([0-9a-f]{64})/.exec(printed)?.[1]}` };
    expect(await (await fetch(url, { headers })).text()).toContain('<!doctype html>');
    expect((await fetch(`${url}api/v1/doctor`, { headers })).status).toBe(200);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

test('reports the required Node version on another version', () => {
  const launcher = join(place.path, 'elsewhere/node_modules/fucina/bin/fucina.mjs');
  const text = readFileSync(launcher, 'utf8');
  writeFileSync(launcher, text.replace(/"modules":"\d+"/, '"modules":"1"'));
  try {
    expect(fucina('--version')).toMatchObject({ status: 78, stderr: expect.stringContaining('npm run pack:cli') });
  } finally {
    writeFileSync(launcher, text);
  }
});
