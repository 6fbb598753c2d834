import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { type TempDir, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { type ServerState, superviseServer } from './server-supervisor.ts';

/** Waits for its pauses only a hundredth of the time, and notes them. */
function hurried() {
  const ambient = systemAmbient('silent');
  const pauses: number[] = [];
  const sleep = (ms: number, signal?: AbortSignal) => {
    pauses.push(ms);
    return ambient.sleep(ms / 100, signal);
  };
  return { ambient: { ...ambient, sleep }, pauses };
}

async function supervise(dir: TempDir, program: string, more: Partial<Parameters<typeof superviseServer>[0]> = {}) {
  await dir.write({ 'server.mjs': program });
  const states: ServerState[] = [];
  const waiting: { count: number; resolve(): void }[] = [];
  const { ambient, pauses } = hurried();
  const supervisor = superviseServer({
    ambient,
    environment: process.env,
    command: [process.execPath, join(dir.path, 'server.mjs')],
    findServer: async () =>
      readFile(join(dir.path, 'up'), 'utf8').then(
        (url) => ({ url, token: 'secret' }),
        () => undefined,
      ),
    onState(state) {
      states.push(state);
      for (const { count, resolve } of waiting) if (states.length >= count) resolve();
    },
    ...more,
  });
  const after = (count: number) =>
    new Promise<void>((resolve) => {
      waiting.push({ count, resolve });
      if (states.length >= count) resolve();
    });
  return { states, after, pauses, stop: () => supervisor.stop() };
}

const UP = `
import { existsSync, rmSync, writeFileSync } from 'node:fs';
const [up, crash] = ['up', 'crash'].map((name) => new URL(name, import.meta.url));
const port = process.argv.at(-2) === '--port' ? process.argv.at(-1) : '4321';
const url = 'http://127.0.0.1:' + port + '/';
const end = (code) => { rmSync(up); process.exit(code); };
writeFileSync(up, url);
console.log(JSON.stringify({ event: 'ready', url }));
console.error('open ' + url + '?token=abc now');
process.on('SIGTERM', () => end(0));
setInterval(() => undefined, 1000);
`;

test('starts the server again on the same port when it ends', async () => {
  await using dir = await tempDir();
  const crashing = 'if (!existsSync(crash)) return; rmSync(crash); end(1);';
  const supervised = await supervise(dir, `${UP} setInterval(() => { ${crashing} }, 10);`);
  await supervised.after(2);
  await dir.write({ crash: '' });
  await supervised.after(4);
  await supervised.stop();
  const ready = { kind: 'ready', url: 'http://127.0.0.1:4321/', token: 'secret' };
  const down = { kind: 'down', isFinal: false, log: ['open http://127.0.0.1:4321/?token=… now'] };
  expect(supervised.states.slice(0, 4)).toEqual([{ kind: 'starting' }, ready, down, ready]);
});

test('does not report a server as ready that ended while it was looked for', async () => {
  await using dir = await tempDir();
  const ready = JSON.stringify({ event: 'ready', url: 'http://127.0.0.1:4321/' });
  let looks = 0;
  let answer = (): void => undefined;
  const answers = new Promise<void>((resolve) => (answer = resolve));
  const supervised = await supervise(dir, `console.log('${ready}'); process.exitCode = 78;`, {
    async findServer() {
      looks += 1;
      if (looks === 1) return undefined;
      await answers;
      return { url: 'http://127.0.0.1:4321/', token: 'secret' };
    },
  });
  await supervised.after(2);
  answer();
  await supervised.stop();
  await new Promise((resolve) => setImmediate(resolve));
  expect([looks, supervised.states]).toEqual([2, [{ kind: 'starting' }, { kind: 'down', log: [], isFinal: true }]]);
});

test('waits longer after each crash in a row and reports the last lines of the log', async () => {
  await using dir = await tempDir();
  const lines = 'for (let n = 1; n <= 50; n += 1) console.error("line " + n);';
  const supervised = await supervise(dir, `${lines} process.exitCode = 1;`);
  await supervised.after(9);
  await supervised.stop();
  expect(supervised.pauses.slice(0, 8)).toEqual([500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
  const [, down] = supervised.states;
  expect(down).toMatchObject({ kind: 'down', isFinal: false });
  expect(down?.kind === 'down' && [down.log.length, down.log.at(-1)]).toEqual([40, 'line 50']);
});

test('does not start it again when a setting is invalid', async () => {
  await using dir = await tempDir();
  const supervised = await supervise(dir, 'console.error("bad setting"); process.exitCode = 78;');
  await supervised.after(2);
  await supervised.stop();
  expect(supervised.states).toEqual([{ kind: 'starting' }, { kind: 'down', log: ['bad setting'], isFinal: true }]);
});

test('reports a program that cannot be started', async () => {
  await using dir = await tempDir();
  const supervised = await supervise(dir, '', { command: [join(dir.path, 'missing')] });
  await supervised.after(2);
  await supervised.stop();
  expect(supervised.states[1]).toMatchObject({ kind: 'down', log: [expect.stringContaining('ENOENT')] });
});

test('uses a server that runs already, never stops it, and replaces it when it is gone', async () => {
  await using dir = await tempDir();
  await dir.write({ up: 'http://127.0.0.1:1111/' });
  const supervised = await supervise(dir, UP);
  await supervised.after(2);
  expect(supervised.states[1]).toMatchObject({ url: 'http://127.0.0.1:1111/' });
  await rm(join(dir.path, 'up'));
  await supervised.after(3);
  expect(supervised.states[2]).toMatchObject({ url: 'http://127.0.0.1:4321/' });
  await supervised.stop();
});

test('kills a server that ignores SIGTERM', async () => {
  await using dir = await tempDir();
  const supervised = await supervise(dir, UP.replace('end(0)', 'undefined'));
  await supervised.after(2);
  await supervised.stop();
  expect(supervised.pauses).toContain(5_000);
});
