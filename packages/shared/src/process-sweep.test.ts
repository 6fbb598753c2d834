import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { findRun, RUN_MARKER, signalProcess } from './process-sweep.ts';

const marker = `sweep-test-${process.pid}`;
const onLinux = process.platform === 'linux' ? test : test.skip;

afterEach(async () => {
  for (let left = await findRun(marker, { roots: [] }); left.length > 0; left = await findRun(marker, { roots: [] })) {
    for (const pid of left) signalProcess(pid, 'SIGKILL');
  }
});

/** A shell command in a session of its own, with the marker; its process id and the time before it. */
async function start(command: string): Promise<{ pid: number; upMs: number }> {
  const child = spawn('/bin/sh', ['-c', command], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, [RUN_MARKER]: marker, SCRIPT: command },
  });
  child.unref();
  await once(child.stdout, 'data');
  return { pid: child.pid ?? 0, upMs: 0 };
}

/** How often it is found, of 50 times. */
async function timesFound(since?: { pid: number; upMs: number }): Promise<number> {
  let found = 0;
  for (let look = 0; look < 50; look++) {
    if ((await findRun(marker, { roots: [], ...(since && { since }) })).length > 0) found++;
  }
  return found;
}

onLinux('a process that starts one program after the other is found at every moment', async () => {
  await start('echo begun; exec /bin/sh -c "$SCRIPT"');
  expect(await timesFound()).toBe(50);
});

onLinux('processes that each start the next one and end are found at every moment', async () => {
  const since = await start('echo begun; (/bin/sh -c "$SCRIPT" &)');
  expect(await timesFound({ ...since, pid: since.pid - 1 })).toBe(50);
});

onLinux('a process is found after the numbers of processes have started again', async () => {
  const { pid } = await start('echo begun; sleep 60');
  expect(await findRun(marker, { roots: [], since: { pid: pid + 10_000, upMs: 0 } })).toContain(pid);
});
