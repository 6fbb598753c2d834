import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fakeAmbient } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { stepChain } from '../test/cores.ts';
import { fakeSteps, ROOT } from '../test/run-fixture.ts';
import { MAX_IN_ROW } from './content/content-store.ts';
import { graphOf } from './definition/graph.ts';
import { createWorkflows } from './workflows.ts';

test('deletes results of removed runs and keeps those of others and recent ones', async () => {
  await using dir = await tempDir();
  const steps = fakeSteps();
  // Too large to be stored in the row of a result.
  steps.script(({ nodeId }) => ({ text: `result of ${nodeId}`.repeat(MAX_IN_ROW) }));
  await using workflows = createWorkflows({
    ambient: fakeAmbient(),
    dataDir: dir.path,
    isBackground: true,
    steps,
    concurrency: { total: 4, perProvider: 4 },
    sessionExists: () => true,
    isKnownModel: () => undefined,
    rootOf: async (id) => id,
    proposerOf: async () => ({ isRoot: true, plannerModel: null, sessionModel: null }),
  });
  const ran = async (sessionId: string, step: string) => {
    const proposed = await workflows.proposals.propose({
      sessionId,
      toolCallId: `call of ${step}`,
      graph: graphOf(stepChain(step)),
      plannerModel: null,
      sessionModel: null,
    });
    if (!('workflowId' in proposed)) throw new Error('refused');
    const { workflowId, version, definitionHash } = proposed;
    const order = { workflowId, version, definitionHash };
    await workflows.proposals.approve({ ...order, commandId: crypto.randomUUID() });
    await workflows.runs.start({ ...order, commandId: crypto.randomUUID() });
    await workflows.runs.settled();
  };
  const blobs = join(dir.path, 'blobs', 'workflows');
  const kept = async () =>
    (await readdir(blobs, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  await ran(ROOT, 'a');
  await ran('other', 'b');
  expect(await kept()).toHaveLength(2);
  await workflows.proposals.removeOf('other');
  expect(await workflows.sweepResults()).toBe(0);
  for (const { parentPath, name } of await kept()) await utimes(join(parentPath, name), 0, 0);
  expect(await workflows.sweepResults()).toBe(1);
  expect(await kept()).toHaveLength(1);
  expect(await workflows.sweepResults()).toBe(0);
});
