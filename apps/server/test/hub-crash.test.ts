import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createHubServer, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { type Call, caller, TOKEN, until } from './harness.ts';
import { REPO } from './hub-fixture.ts';

const tsx = pathToFileURL(createRequire(join(import.meta.dirname, '../../../package.json')).resolve('tsx')).href;

interface Child extends AsyncDisposable {
  url: string;
  call: Call;
  kill(): Promise<void>;
}

async function start(dataDir: string, origins: object): Promise<Child> {
  const script = join(import.meta.dirname, 'hub-child.ts');
  const args = ['--import', tsx, '--conditions=@fucina/source', script, dataDir, JSON.stringify(origins)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await firstLine(child);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'close');
    child.kill('SIGKILL');
    await gone;
  };
  return { url, call: caller(url), kill, [Symbol.asyncDispose]: kill };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('close', () => reject(new Error('the server ended before it was ready')));
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.trim());
    });
  });
}

const MODEL = Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(6_000_000, 5)]);
const HALF = MODEL.length / 2;
/** Size of the write buffer: the most that a kill can lose from one file. */
const AGGREGATOR_AND_ENGINES = 1_048_576;

test('downloads and imports survive a kill and resume from their last acknowledged byte', async () => {
  await using dir = await tempDir();
  await using hub = await createHubServer({ [REPO]: { files: { 'tiny.gguf': MODEL } } });
  hub.intercept((asked, response) => {
    if (asked.to !== 'files' || asked.headers.range) return false;
    response.writeHead(200, { 'content-length': MODEL.length });
    // The rest is never sent.
    response.write(MODEL.subarray(0, HALF));
    return true;
  });
  await using first = await start(dir.path, hub.origins);
  for (const id of ['a', 'b', 'c']) {
    const body = hub.manifest(REPO, ['tiny.gguf'], id);
    expect((await first.call('POST', '/hub/download', { body })).data.state).toBe('queued');
  }
  const rows = async ({ call }: Child): Promise<any[]> => (await call('GET', '/hub/downloads')).data.items;
  await until(async () =>
    (await rows(first)).filter(({ bytes }: any) => bytes === HALF).length === 2 ? true : undefined,
  );
  const half = httpRequest(`${first.url}api/v1/local-models/import`, {
    method: 'POST',
    headers: {
      cookie: `svc_token=${TOKEN}`,
      'content-type': 'application/octet-stream',
      'x-svc-model-id': 'own',
      'x-svc-model-filename': 'own.gguf',
      'x-svc-model-bytes': String(MODEL.length),
      'content-length': MODEL.length,
    },
  });
  half.on('error', () => undefined);
  half.write(MODEL.subarray(0, HALF));
  await until(async () => existsSync(join(dir.path, 'models/own')) || undefined);
  await first.kill();

  await using second = await start(dir.path, hub.origins);
  const rest = { state: 'paused', reason: 'RECOVERED_AFTER_RESTART' };
  const found = await rows(second);
  expect(found).toEqual(['a', 'b', 'c'].map((id) => expect.objectContaining({ id, ...rest })));
  expect(found[2].bytes).toBe(0);
  expect(await readdir(join(dir.path, 'models'))).not.toContain('own');
  hub.requests.length = 0;
  hub.intercept(undefined);
  for (const id of ['a', 'b', 'c']) await second.call('POST', `/hub/downloads/${id}/resume`);
  await until(async () => ((await rows(second)).every(({ state }) => state === 'ready') ? true : undefined));
  const moved = hub.requests
    .filter(({ to }) => to === 'files')
    .map(({ headers }) => Number(/\d+/.exec(headers.range ?? '')?.[0] ?? 0));
  const kept = found.map(({ bytes }): number => bytes);
  expect(new Set(moved)).toEqual(new Set(kept));
  for (const bytes of kept.slice(0, 2)) expect(bytes).toBeGreaterThan(HALF - AGGREGATOR_AND_ENGINES);
  for (const { path } of (await second.call('GET', '/local-models')).data.items)
    expect((await readFile(path)).equals(MODEL)).toBe(true);
});
