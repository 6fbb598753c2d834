import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { OPEN_TO_ALL } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { makeSessionGroups, type Place } from './control-groups.ts';

const LIMITS = { processes: 64, memory: 2 ** 27 };
/** An unprivileged user, when the tests run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

test('groups are made in a place that may be changed but not listed', async () => {
  const parent = await mkdtemp(join(OPEN_TO_ALL, 'fucina-groups-'));
  try {
    if (isRoot) await chown(parent, NOBODY, NOBODY);
    await chmod(parent, 0o300);
    if (isRoot) process.seteuid?.(NOBODY);
    await expect(readdir(parent)).rejects.toMatchObject({ code: 'EACCES' });
    const place: Place = { parent, settings: [['pids.max', '64']] };
    const groups = await makeSessionGroups(systemAmbient('silent'), LIMITS, async () => [place]);
    expect(groups.folders).toEqual([expect.stringContaining(`fucina-${process.pid}-`)]);
  } finally {
    if (isRoot) process.seteuid?.(0);
    await chmod(parent, 0o700);
    await rm(parent, { recursive: true });
  }
});
