import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createModelServer, processesWith, type TempDir, tempDir } from '@fucina/testkit';
import { expect } from '@jest/globals';
import { openBus } from './bus.ts';
import { computer, until } from './computer.ts';
import { onDisplay, openDisplay } from './display.ts';

const MAIN = join(import.meta.dirname, '../../cli/dist/main.js');

const startedIn = (dir: TempDir, display: string, bus?: string) =>
  computer({
    home: dir.path,
    display,
    path: process.env.PATH ?? '',
    command: [process.execPath, MAIN],
    ...(bus !== undefined && { bus }),
  });

const ECHO = { name: 'shell', arguments: { comando: 'echo here' } };
const PLACE = { x: 120, y: 60, width: 1000, height: 720 };

onDisplay(
  'one window: starts the server, takes folders, restarts a crashed server, remembers its place, quits',
  async () => {
    await using dir = await tempDir();
    await using display = await openDisplay();
    await using bus = await openBus();
    await using model = await createModelServer({ script: () => ({ toolCalls: [ECHO] }) });
    const { fucina, run, call, serverPid, dataDir } = startedIn(dir, display.name, bus.address);
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
    await until(() => bus.counts().at(-1) === 1 || undefined);
    display.shot('desktop');

    process.kill(first, 'SIGKILL');
    await until(() => serverPid() !== first && serverPid());
    await until(up);

    display.place(PLACE);
    await until(() => display.geometry().width === PLACE.width || undefined);
    await sleep(500);
    const exited = once(app, 'exit');
    await until(() => {
      // A browser that is busy takes no keys.
      if (display.windowId()) display.closeWindow();
      return app.exitCode !== null || undefined;
    });
    expect(await exited).toEqual([0, null]);
    await until(() => processesWith(dataDir).length === 0 || undefined);
    expect(readFileSync(join(dataDir, 'desktop/profile/Default/History')).includes('?folder=')).toBe(true);

    const again = fucina('app', '--foreground');
    await until(() => display.windowId());
    await until(up);
    const remembered = await until(() => (display.geometry().width === PLACE.width ? display.geometry() : undefined));
    expect(remembered).toEqual(PLACE);
    again.kill('SIGTERM');
    expect(await once(again, 'exit')).toEqual([0, null]);
    await until(() => processesWith(dataDir).length === 0 || undefined);
  },
);

onDisplay('shows the log when the server does not start, and refuses unknown links and folders', async () => {
  await using dir = await tempDir();
  await using display = await openDisplay();
  const { fucina, run, dataDir } = startedIn(dir, display.name);
  await dir.write({ 'data/fucina.json': JSON.stringify({ format: 99, stores: [] }) });
  const app = fucina('app', '--foreground');
  const page = join(dataDir, 'desktop/start.html');
  await until(
    () =>
      (existsSync(page) && readFileSync(page, 'utf8').includes('A newer version of Fucina wrote this data')) ||
      undefined,
  );
  await until(() => display.windowId());
  await sleep(1_000);
  display.shot('desktop-down');
  app.kill('SIGTERM');
  expect(await once(app, 'exit')).toEqual([0, null]);
  expect(await run('app', 'fucina://run?command=x')).toBe(2);
  expect(await run('app', 'missing-folder')).toBe(2);
  expect(await run('.', '-p', 'go')).toBe(2);
});

onDisplay('prints what the browser said when it ends without a window', async () => {
  await using dir = await tempDir();
  const { failing } = startedIn(dir, ':missing');
  for (const words of [['app'], ['app', '--foreground']]) {
    const { code, said } = await failing(...words);
    expect(code).toBe(1);
    expect(said).toMatch(/^fucina: The window did not open: `.*` ended \(exit code 1\)\.\n/);
    expect(said).toContain('$DISPLAY');
  }
});

onDisplay('frees the terminal when the window is open', async () => {
  await using dir = await tempDir();
  await using display = await openDisplay();
  const { run, dataDir } = startedIn(dir, display.name);
  expect(await run('app')).toBe(0);
  await until(() => display.windowId());
  await until(() => {
    // A browser that has just opened its window takes no keys yet.
    if (display.windowId()) display.closeWindow();
    return processesWith(dataDir).length === 0 || undefined;
  });
});
