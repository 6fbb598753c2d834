import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testComputer } from './harness.ts';

test('schedules backups, shows the schedule and removes it', async () => {
  await using computer = await testComputer([]);
  const schedule = async (...args: string[]) =>
    JSON.parse((await computer.run(['backup', 'schedule', ...args, '--json'])).stdout);
  expect(await schedule()).toMatchObject({ every: 'off', folder: null });
  expect(await schedule('daily')).toEqual({
    every: 'daily',
    folder: `${computer.dataDir}-backups`,
    keep: 7,
    doneAt: null,
    failure: null,
  });
  expect(await schedule('weekly', '--to', 'copies', '--keep', '3')).toMatchObject({
    every: 'weekly',
    folder: join(computer.project.path, 'copies'),
    keep: 3,
  });
  expect(await schedule('daily')).toMatchObject({ folder: join(computer.project.path, 'copies'), keep: 3 });
  expect((await computer.run(['backup', 'schedule'])).stdout).toMatch(
    /^Daily backup to .*copies, the last 3 are kept\./,
  );
  expect(await schedule('off')).toMatchObject({ every: 'off' });
});

test('refuses a schedule that cannot be kept and changes nothing', async () => {
  await using computer = await testComputer([]);
  const run = (...args: string[]) => computer.run(['backup', 'schedule', ...args]);
  for (const args of [['hourly'], ['off', '--keep', '3'], ['daily', '--keep', '0'], ['--to', 'copies']]) {
    expect(await run(...args)).toMatchObject({ exit: 2 });
  }
  expect(await run('daily', '--to', join(computer.dataDir, 'copies'))).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('is in the data folder'),
  });
  expect((await run()).stdout).toBe('No scheduled backups.\n');
});

test('shows a failed backup, also in the readiness report, and a damaged schedule', async () => {
  await using computer = await testComputer([]);
  const write = (name: string, text: string) => writeFile(join(computer.dataDir, name), text);
  await computer.run(['backup', 'schedule', 'daily']);
  await write(
    'backup-progress.json',
    JSON.stringify({ doneAt: null, failure: { at: 1_790_000_000_000, code: 'ENOSPC' } }),
  );
  expect((await computer.run(['backup', 'schedule'])).stdout).toContain('The last backup failed on');
  expect((await computer.run(['doctor'])).stdout).toMatch(/Scheduled backups +The last backup failed \(ENOSPC\)/);
  await write('backup-schedule.json', '{');
  expect(await computer.run(['backup', 'schedule'])).toMatchObject({ exit: 1 });
  expect(await computer.run(['backup', 'schedule', 'daily'])).toMatchObject({ exit: 0 });
});
