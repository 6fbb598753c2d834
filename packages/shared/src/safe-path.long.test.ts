import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { raceSummary } from '../test/path-race.ts';

test('a minute of renames between check and use never reads outside', async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'fucina-')));
  try {
    const summary = await raceSummary(base, 60_000);
    expect(summary.escapes).toEqual([]);
    expect(summary.refused).toBeGreaterThan(0);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
});
