import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { activityMark, leaveOutOfActivity } from './process-activity.ts';

const linuxOnly = process.platform === 'linux' ? test : test.skip;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

linuxOnly('a sleeping child leaves the mark unchanged, one that works changes it', async () => {
  const since = Date.now() - 50;
  const child = spawn('sh', ['-c', 'echo ready; read line; echo "$line" >/dev/null; sleep 30'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  try {
    await once(child.stdout, 'data');
    // There is no mark until it has begun to wait for its line.
    let before: string | undefined;
    while (before === undefined) {
      await pause(50);
      before = await activityMark(since, Date.now());
    }
    await pause(300);
    expect(before).toContain(`${child.pid}(`);
    expect(await activityMark(since, Date.now())).toBe(before);
    child.stdin?.write('go\n');
    while ((await activityMark(since, Date.now())) === before) await pause(5);
  } finally {
    child.kill('SIGKILL');
  }
});

linuxOnly('a child that is older than asked for is left out', async () => {
  const child = spawn('sleep', ['30'], { stdio: 'ignore' });
  try {
    await pause(200);
    expect(await activityMark(Date.now(), Date.now())).toBe('');
  } finally {
    child.kill('SIGKILL');
  }
});

linuxOnly('a child that runs no command is left out until it is counted again, and its neighbor is not', async () => {
  const since = Date.now() - 100;
  const children = [1, 2].map(() => spawn('sleep', ['30'], { stdio: 'ignore' }));
  const [left, other] = children.map(({ pid }) => pid as number) as [number, number];
  const marked = async (): Promise<number[]> => {
    for (;;) {
      const mark = await activityMark(since, Date.now());
      if (mark !== undefined) return [left, other].filter((pid) => mark.includes(`${pid}(`));
      await pause(20);
    }
  };
  try {
    const countAgain = leaveOutOfActivity(left);
    expect(await marked()).toEqual([other]);
    countAgain();
    expect(await marked()).toEqual([left, other]);
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
});
