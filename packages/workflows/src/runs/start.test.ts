import { describe, expect, test } from '@jest/globals';
import { edgeWith, headWith, nodeWith, stepChain } from '../../test/cores.ts';
import { runFixture } from '../../test/run-fixture.ts';

const wrong = `sha256:${'0'.repeat(64)}`;

describe('starting an approved version', () => {
  test('returns the receipt of the same command even after the version changed', async () => {
    await using fixture = await runFixture();
    const order = fixture.approved(stepChain('a'));
    const first = await fixture.runs.start(order);
    await fixture.runs.settled();
    const again = await fixture.runs.start({ ...order, commandId: order.commandId.toUpperCase() });
    expect(first.isReplay).toBe(false);
    expect(again).toEqual({ ...first, isReplay: true });
    expect(first.receipt).toMatchObject({ source: 'journal-event', runId: first.runId, resultingSeq: 1 });
    await expect(fixture.runs.start({ ...order, definitionHash: wrong })).rejects.toThrow('WORKFLOW_COMMAND_CONFLICT');
  });

  test('reports refusals in the documented order', async () => {
    await using fixture = await runFixture();
    const order = fixture.approved(stepChain('a'), { isApproved: false });
    const { workflowId } = order;
    await expect(fixture.runs.start({ ...order, version: 9 })).rejects.toThrow('WORKFLOW_PROPOSAL_NOT_FOUND');
    await expect(fixture.runs.start({ ...order, definitionHash: wrong })).rejects.toThrow(
      'WORKFLOW_DEFINITION_HASH_MISMATCH',
    );
    await expect(fixture.runs.start(order)).rejects.toThrow('WORKFLOW_DEFINITION_NOT_APPROVED');
    const second = fixture.approved(stepChain('a', 'b'), { workflowId, version: 2 });
    fixture.store
      .db()
      .exec(
        'INSERT INTO approvals SELECT key, command_id, 0 FROM definitions, (SELECT command_id FROM approvals) WHERE version = 1',
      );
    await expect(fixture.runs.start(order)).rejects.toThrow('WORKFLOW_VERSION_SUPERSEDED');
    fixture.approved(stepChain('a', 'b', 'c'), { workflowId, version: 3, isApproved: false });
    await expect(fixture.runs.start(second)).rejects.toThrow('WORKFLOW_VERSION_NOT_LATEST');
    const other = fixture.approved(stepChain('x'));
    await fixture.runs.start(other);
    await expect(fixture.runs.start({ ...other, commandId: fixture.commandId() })).rejects.toThrow(
      'WORKFLOW_ALREADY_STARTED',
    );
  });

  test('requires read-only agents and supported edges', async () => {
    await using fixture = await runFixture();
    const refused = async (core: Parameters<typeof fixture.approved>[0]) =>
      fixture.runs.start(fixture.approved(core)).catch((error: unknown) => error);
    const two = (changes: object, edge: object = {}) => ({
      ...headWith(),
      nodes: [nodeWith('a'), nodeWith('b', changes)],
      edges: [edgeWith('a', 'b', edge)],
    });
    const code = 'WORKFLOW_START_UNSUPPORTED';
    expect(await refused(two({ kind: 'verify' }))).toMatchObject({
      code,
      reason: 'step-kind',
      params: { soggetti: 'b' },
    });
    const writer = { capabilityProfile: 'workspace-write', workspacePolicy: { mode: 'isolated-write' } };
    expect(await refused(two(writer))).toMatchObject({ code, reason: 'capability', params: { soggetti: 'b' } });
    expect(await refused(two({}, { type: 'spawn' }))).toMatchObject({ code, reason: 'edge-type' });
    const newer = { engineCompatibility: { minEngineSchemaVersion: 2, requiredFeatures: [] } };
    expect(await refused({ ...two({}), ...newer })).toMatchObject({ code, reason: 'engine-too-old' });
  });

  test('is refused in a process without background work', async () => {
    await using fixture = await runFixture();
    const order = fixture.approved(stepChain('a'));
    const { createRuns } = await import('./runs.ts');
    const idle = createRuns({
      ...fixture,
      db: fixture.store.db,
      isBackground: false,
      concurrency: { total: 1, perProvider: 1 },
      sessionExists: () => true,
    });
    await expect(idle.start(order)).rejects.toThrow('WORKFLOW_RUNTIME_NOT_READY');
    await idle[Symbol.asyncDispose]();
    await expect(idle.start(order)).rejects.toThrow('SERVER_SHUTTING_DOWN');
  });

  test('reports an unreadable definition separately from a missing one', async () => {
    await using fixture = await runFixture();
    const order = fixture.approved(stepChain('a'));
    fixture.store.db().exec(`UPDATE definitions SET head = '{'`);
    await expect(fixture.runs.start(order)).rejects.toThrow('WORKFLOW_STORE_NEEDS_ATTENTION');
  });
});
