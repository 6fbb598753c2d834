import { fakeAmbient } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { openStore } from '../store/store.ts';
import { type Command, findReceipt, payloadHash, saveReceipt } from './ledger.ts';

const approve = (payload: Record<string, unknown>, commandId = 'A0000000-0000-4000-8000-000000000001'): Command => ({
  commandId,
  commandType: 'approve-definition',
  target: { workflowId: '00000000-0000-8000-8000-000000000001', definitionVersion: 1 },
  payload,
});
const at = Date.UTC(2026, 0, 1);

async function fixture() {
  const dir = await tempDir();
  const store = openStore({ ambient: fakeAmbient(), dataDir: dir.path });
  const once = (command: Command) =>
    store
      .db()
      .transaction(
        () => findReceipt(store.db(), command) ?? saveReceipt(store.db(), command, { at, source: 'approval-record' }),
      )
      .immediate();
  return {
    store,
    once,
    async [Symbol.asyncDispose]() {
      store.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

describe('the command ledger', () => {
  test('returns the receipt of a repeated command id in any letter case', async () => {
    await using place = await fixture();
    const first = place.once(approve({ definitionHash: 'sha256:1' }));
    expect(first).toEqual({
      schema: 'svc.workflow-command-receipt.v1',
      commandId: 'a0000000-0000-4000-8000-000000000001',
      commandType: 'approve-definition',
      payloadHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      acceptedAt: '2026-01-01T00:00:00.000Z',
      source: 'approval-record',
      runId: null,
      resultingSeq: null,
      resultingGraphVersion: null,
      outcome: 'accepted',
      errorCode: null,
    });
    expect(place.once(approve({ definitionHash: 'sha256:1' }, first.commandId))).toEqual(first);
  });

  test('reports a conflict for an id used by another command', async () => {
    await using place = await fixture();
    place.once(approve({ definitionHash: 'sha256:1' }));
    expect(() => place.once(approve({ definitionHash: 'sha256:2' }))).toThrow('WORKFLOW_COMMAND_CONFLICT');
    expect(() => place.once({ ...approve({ definitionHash: 'sha256:1' }), commandType: 'start-run' })).toThrow(
      'WORKFLOW_COMMAND_CONFLICT',
    );
  });

  test('stores no receipt on rollback or outside a transaction', async () => {
    await using place = await fixture();
    const db = place.store.db();
    const command = approve({ definitionHash: 'sha256:1' });
    const failing = db.transaction(() => {
      saveReceipt(db, command, { at, source: 'approval-record' });
      throw new Error('no');
    });
    expect(failing).toThrow('no');
    expect(findReceipt(db, command)).toBeUndefined();
    expect(() => saveReceipt(db, command, { at, source: 'approval-record' })).toThrow('kept together');
  });

  test('hashes target and payload, not the id or key order', () => {
    const hash = payloadHash(approve({ a: 1, b: 2 }));
    expect(payloadHash(approve({ b: 2, a: 1 }, 'ffffffff-0000-4000-8000-000000000001'))).toBe(hash);
    expect(payloadHash(approve({ a: 1, b: 3 }))).not.toBe(hash);
    const other = approve({ a: 1, b: 2 });
    expect(payloadHash({ ...other, target: { ...other.target, definitionVersion: 2 } })).not.toBe(hash);
    expect(payloadHash({ ...other, target: { ...other.target, runId: null, nodeId: null } })).toBe(hash);
  });
});
