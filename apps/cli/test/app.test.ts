import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesWith, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { start } from './binary.ts';

const onLinux = process.platform === 'linux' ? test : test.skip;
const PAGE = { targetInfo: { targetId: 'page', type: 'page', title: 'Fucina', url: 'data:text/html,' } };
const EVENT = JSON.stringify({ method: 'Target.targetCreated', params: PAGE });

/** Shows a page until it is asked to close. */
const BROWSER = `#!/bin/sh\nprintf '%s\\0' '${EVENT}' >&4\nexec grep -qz Browser.close <&3\n`;

/** A user's account whose browser is the given program. */
async function accountWith(browser: string) {
  const dir = await tempDir();
  await dir.write({ browser });
  const program = join(dir.path, 'browser');
  await chmod(program, 0o755);
  const own = { FUCINA_BROWSER: program, FUCINA_PUBLIC_CATALOG: '0', DISPLAY: ':0' };
  const env = { HOME: dir.path, PATH: process.env.PATH ?? '', ...own };
  return {
    dir,
    env,
    dataDir: join(dir.path, 'data'),
    async app(...args: string[]) {
      await using running = start(['app', ...args], { env, cwd: dir.path });
      return { code: (await running.ended).code, said: running.seen.stderr };
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(50);
}

/** Quits the application of a data folder. */
async function endAll(dataDir: string): Promise<void> {
  for (const pid of processesWith(`app --foreground --data-dir ${dataDir}`)) process.kill(pid, 'SIGTERM');
  await until(() => processesWith(dataDir).length === 0);
  expect(processesWith(dataDir)).toEqual([]);
}

onLinux('opens at login with the data folder and the key store of --start-at-login', async () => {
  await using account = await accountWith(BROWSER);
  const { dir, env, app } = account;
  const dataDir = join(dir.path, 'my $data');
  const place = ['--data-dir', 'my $data', '--key-store', 'memory'];
  expect(await app('--start-at-login', 'on', ...place)).toEqual({ code: 0, said: '' });
  const entry = readFileSync(join(dir.path, '.config/autostart/fucina.desktop'), 'utf8');
  const [program = '', ...args] = commandOf(entry);
  expect(args.slice(-5)).toEqual(['app', '--data-dir', dataDir, '--key-store', 'memory']);
  const servers = () => processesWith(`serve --hide-token --data-dir ${dataDir} --key-store memory`);
  try {
    const login = spawn(program, args, { env, cwd: '/', stdio: 'ignore' });
    expect(await once(login, 'exit')).toEqual([0, null]);
    await until(() => servers().length > 0);
    expect(servers()).not.toEqual([]);
  } finally {
    await endAll(dataDir);
  }
  expect(await app('--start-at-login', 'off')).toEqual({ code: 0, said: '' });
  expect(existsSync(join(dir.path, '.config/autostart/fucina.desktop'))).toBe(false);
});

/** The arguments of a desktop entry that has neither backslashes nor percent signs in them but those of `$`. */
function commandOf(entry: string): string[] {
  const line = /^Exec=(.*)$/m.exec(entry)?.[1] ?? '';
  return [...line.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word.replaceAll('\\\\$', '$'));
}

onLinux('passes --key-store to the server of an application in the background', async () => {
  await using account = await accountWith(BROWSER);
  const { dataDir, app } = account;
  const servers = () => processesWith(`serve --hide-token --data-dir ${dataDir}`);
  try {
    expect(await app('--data-dir', dataDir, '--key-store', 'memory')).toEqual({ code: 0, said: '' });
    await until(() => servers().length > 0);
    expect(servers()).not.toEqual([]);
    expect(processesWith(`serve --hide-token --data-dir ${dataDir} --key-store memory`)).toEqual(servers());
  } finally {
    await endAll(dataDir);
  }
});

onLinux('says that the browser cannot be started, and why', async () => {
  await using account = await accountWith('#!/no/such/interpreter\n');
  for (const more of [[], ['--foreground']]) {
    const { code, said } = await account.app('--data-dir', account.dataDir, ...more);
    expect(code).toBe(1);
    expect(said).toMatch(
      /^fucina: The window did not open: `.*\/browser` could not be started\. .* not found \(ENOENT\)\.\n$/,
    );
  }
});
