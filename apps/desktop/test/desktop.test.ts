import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createModelServer, processesWith, type TempDir, tempDir } from '@fucina/testkit';
import { expect } from '@jest/globals';
import { type Display, onDisplay, openDisplay } from './display.ts';

const MAIN = join(import.meta.dirname, '../../cli/dist/main.js');

async function until<Value>(look: () => Value | undefined | Promise<Value | undefined>, limitMs = 30_000) {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${look.toString()}`);
    await sleep(50);
  }
}

interface Computer {
  dir: TempDir;
  dataDir: string;
  fucina(...args: string[]): ChildProcess;
  /** Exit code. */
  run(...args: string[]): Promise<number>;
  /** With the token of the data folder. */
  call(path: string, body?: unknown): Promise<any>;
  serverPid(): number | undefined;
}

function computer(dir: TempDir, display: Display): Computer {
  const dataDir = join(dir.path, 'data');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: dir.path,
    DISPLAY: display.name,
    LANG: 'en_GB.UTF-8',
    FUCINA_KEY_STORE: 'memory',
    FUCINA_PUBLIC_CATALOG: '0',
    FUCINA_DATA_DIR: dataDir,
  };
  const fucina = (...args: string[]) =>
    spawn(process.execPath, [MAIN, ...args], { env, cwd: dir.path, stdio: ['ignore', 'inherit', 'inherit'] });
  return {
    dir,
    dataDir,
    fucina,
    async run(...args) {
      const [code] = (await once(fucina(...args), 'exit')) as [number];
      return code;
    },
    async call(path, body) {
      const { url } = JSON.parse(readFileSync(join(dataDir, 'running-server.json'), 'utf8'));
      const token = readFileSync(join(dataDir, 'launcher-token'), 'utf8').trim();
      const headers = { cookie: `svc_token=${token}`, origin: url.slice(0, -1), 'content-type': 'application/json' };
      const answer = await fetch(`${url}api/v1/${path}`, {
        headers,
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      return ((await answer.json()) as any).data;
    },
    serverPid: () => processesWith(`serve --hide-token --data-dir ${dataDir}`)[0],
  };
}

const ECHO = { name: 'shell', arguments: { comando: 'echo here' } };
const PLACE = { x: 120, y: 60, width: 1000, height: 720 };

onDisplay(
  'one window: starts the server, takes folders, restarts a crashed server, remembers its place, quits',
  async () => {
    await using dir = await tempDir();
    await using display = await openDisplay();
    await using model = await createModelServer({ script: () => ({ toolCalls: [ECHO] }) });
    const { fucina, run, call, serverPid, dataDir } = computer(dir, display);
    await dir.write({ 'project/readme.md': 'x' });

    const app = fucina('app', '--foreground');
    await until(() => display.windowId());
    const up = () => call('sessions').catch(() => undefined);
    await until(up);
    const first = await until(serverPid);

    await call('providers/ollama/runtime', { endpoint: model.url, timeoutSeconds: 30 });
    await call('sessions/custom', {
      cartellaLibera: join(dir.path, 'project'),
      consegna: 'go',
      modello: 'ollama:tiny',
      permessi: 'On request',
    });
    expect(await run('./project')).toBe(0);
    await until(() => display.title().startsWith('(1)') || undefined);
    display.shot('desktop');

    process.kill(first, 'SIGKILL');
    await until(() => serverPid() !== first && serverPid());
    await until(up);

    display.place(PLACE);
    await until(() => display.geometry().width === PLACE.width || undefined);
    await sleep(500);
    display.closeWindow();
    expect(await once(app, 'exit')).toEqual([0, null]);
    await until(() => processesWith(dataDir).length === 0 || undefined);
    expect(readFileSync(join(dataDir, 'desktop/profile/Default/History')).includes('?folder=')).toBe(true);

    const again = fucina('app', '--foreground');
    await until(() => display.windowId());
    await until(up);
    expect(display.geometry()).toEqual(PLACE);
    again.kill('SIGTERM');
    expect(await once(again, 'exit')).toEqual([0, null]);
    await until(() => processesWith(dataDir).length === 0 || undefined);
  },
);

onDisplay('shows the log when the server does not start, and refuses unknown links and folders', async () => {
  await using dir = await tempDir();
  await using display = await openDisplay();
  const { fucina, run, dataDir } = computer(dir, display);
  await dir.write({ 'data/fucina.json': JSON.stringify({ format: 99, stores: [] }) });
  const app = fucina('app', '--foreground');
  const page = join(dataDir, 'desktop/start.html');
  await until(() => (existsSync(page) && readFileSync(page, 'utf8').includes('made by a newer Fucina')) || undefined);
  await until(() => display.windowId());
  await sleep(1_000);
  display.shot('desktop-down');
  app.kill('SIGTERM');
  expect(await once(app, 'exit')).toEqual([0, null]);
  expect(await run('app', 'fucina://run?command=x')).toBe(2);
  expect(await run('app', 'missing-folder')).toBe(2);
});
