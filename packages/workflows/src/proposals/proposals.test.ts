import { fakeAmbient } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { headWith, nodeWith, stepChain, unboundedBudgets } from '../../test/cores.ts';
import type { DefinitionCore } from '../definition/core.ts';
import { graphOf } from '../definition/graph.ts';
import { openStore } from '../store/store.ts';
import { createProposals, type Proposed } from './proposals.ts';

const budgets = { ...unboundedBudgets, modelRequests: 20, knownCostUsd: 5 };
const core = (title = 'Compare'): DefinitionCore => ({ ...stepChain('a', 'b'), title, budgets });
const commandId = (digit: number | string) => `0000000${digit}-0000-4000-8000-000000000000`;

async function fixture() {
  const dir = await tempDir();
  const ambient = fakeAmbient();
  const store = openStore({ ambient, dataDir: dir.path });
  const sessions = new Set(['root', 'other']);
  const proposals = createProposals({ ambient, store, sessionExists: (id) => sessions.has(id) });
  const propose = async (toolCallId = 'call-1', definition = core(), sessionId = 'root'): Promise<Proposed> => {
    const models = { plannerModel: 'p', sessionModel: 's' };
    const made = await proposals.propose({ sessionId, toolCallId, graph: graphOf(definition), ...models });
    if ('errors' in made) throw new Error(JSON.stringify(made.errors));
    return made;
  };
  return {
    ambient,
    db: store.db(),
    proposals,
    propose,
    sessions,
    async [Symbol.asyncDispose]() {
      store.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

describe('proposing a workflow', () => {
  test('with the same tool call returns the same proposal', async () => {
    await using place = await fixture();
    const first = await place.propose();
    expect(first).toMatchObject({ version: 1, isNew: true });
    expect(first.workflowId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const again = await place.propose('call-1', core('Another'));
    expect(again).toEqual({ ...first, isNew: false });
    expect((await place.propose('call-2')).workflowId).not.toBe(first.workflowId);
    expect((await place.propose('call-1', core(), 'other')).workflowId).not.toBe(first.workflowId);
  });

  test('rejects an invalid definition', async () => {
    await using place = await fixture();
    const order = { sessionId: 'root', toolCallId: 'x', plannerModel: null, sessionModel: null };
    expect(await place.proposals.propose({ ...order, graph: graphOf({ ...core(), edges: [] }) })).toMatchObject({
      errors: [{ code: 'not-connected' }],
    });
    expect(place.proposals.list('root', { offset: 0, limit: 50 })).toEqual({ total: 0, items: [] });
  });

  test('returns the proposal for review', async () => {
    await using place = await fixture();
    const { workflowId, definitionHash } = await place.propose();
    expect(place.proposals.view({ workflowId, version: 1 })).toMatchObject({
      status: 'proposed',
      workflowId,
      version: 1,
      definitionHash,
      proposal: {
        initiatingSessionId: 'root',
        plannerModel: 'p',
        sessionModel: 's',
        createdAt: '2026-01-01T00:00:00.000Z',
      },
      title: 'Compare',
      objective: 'To test',
      phases: [{ id: 'work', label: 'Work', total: 2 }],
      counts: { nodes: 2, edges: 1, writers: 0, acceptance: 0 },
      policy: { capabilityCeiling: 'full', finalApply: 'user-explicit' },
      budgets: { modelRequests: 20, knownCostUsd: 5, promptTokens: null },
      preflight: { errorCount: 0, warningCount: 0, errors: [], warnings: [], estimates: { steps: 2 } },
      approval: null,
    });
    expect(() => place.proposals.view({ workflowId, version: 2 })).toThrow('NOT_FOUND');
  });

  test('lists proposals newest first in pages and deletes them with their session', async () => {
    await using place = await fixture();
    for (const call of ['one', 'two', 'three']) {
      await place.propose(call, core(call));
      await place.ambient.advance(call === 'one' ? 0 : 1);
    }
    const page = place.proposals.list('root', { offset: 1, limit: 1 });
    expect(page).toMatchObject({ total: 3, items: [{ title: 'two', status: 'proposed', version: 1 }] });
    expect(() => place.proposals.list('gone', { offset: 0, limit: 1 })).toThrow('NOT_FOUND');
    await place.proposals.removeOf('root');
    expect(place.proposals.list('root', { offset: 0, limit: 9 }).total).toBe(0);
    expect(place.db.prepare('SELECT count(*) FROM definition_nodes').pluck().get()).toBe(0);
  });
});

describe('approving a workflow', () => {
  test('with the same command twice returns one receipt', async () => {
    await using place = await fixture();
    const { workflowId, definitionHash } = await place.propose();
    const order = { workflowId, version: 1, definitionHash, commandId: commandId(1) };
    const first = await place.proposals.approve(order);
    expect(first).toMatchObject({ isReplay: false, receipt: { source: 'approval-record', commandId: commandId(1) } });
    await place.ambient.advance(1_000);
    expect(await place.proposals.approve(order)).toEqual({ ...first, isReplay: true });
    expect(place.proposals.view(order)).toMatchObject({
      status: 'approved',
      approval: { commandId: commandId(1), approvedAt: '2026-01-01T00:00:00.000Z', definitionHash },
    });
  });

  test('reports refusals in the documented order', async () => {
    await using place = await fixture();
    const { workflowId, definitionHash } = await place.propose();
    const other = await place.propose('call-2', core('Other'));
    const order = { workflowId, version: 1, definitionHash, commandId: commandId(1) };
    const { approve } = place.proposals;
    const wrong = `sha256:${'0'.repeat(64)}`;
    await expect(approve({ ...order, version: 9, definitionHash: wrong })).rejects.toThrow(
      'WORKFLOW_PROPOSAL_NOT_FOUND',
    );
    await approve(order);
    await expect(approve({ ...order, definitionHash: wrong })).rejects.toThrow('WORKFLOW_COMMAND_CONFLICT');
    const stale = { ...order, commandId: commandId(3), definitionHash: wrong };
    await expect(approve(stale)).rejects.toThrow('WORKFLOW_DEFINITION_HASH_MISMATCH');
    const taken = { ...order, workflowId: other.workflowId, definitionHash: other.definitionHash };
    await expect(approve(taken)).rejects.toThrow('WORKFLOW_COMMAND_CONFLICT');
    await expect(approve({ ...order, commandId: commandId(2) })).rejects.toThrow('WORKFLOW_APPROVAL_CONFLICT');
    place.sessions.delete('root');
    await expect(approve(order)).rejects.toThrow('WORKFLOW_PROPOSAL_NOT_FOUND');
  });

  test('rejects changed or unreadable rows', async () => {
    await using place = await fixture();
    const { workflowId, definitionHash } = await place.propose();
    const order = { workflowId, version: 1, definitionHash, commandId: commandId(1) };
    place.db.prepare(`UPDATE definition_nodes SET body = replace(body, 'Do a', 'Do evil')`).run();
    await expect(place.proposals.approve(order)).rejects.toThrow('WORKFLOW_STORE_NEEDS_ATTENTION (definition-changed)');
    expect(place.db.prepare('SELECT count(*) FROM commands').pluck().get()).toBe(0);
    place.db.prepare(`UPDATE definitions SET head = 'no'`).run();
    await expect(place.proposals.approve(order)).rejects.toThrow(
      'WORKFLOW_STORE_NEEDS_ATTENTION (definition-unreadable)',
    );
    const revision = { workflowId, version: 1, definitionHash, budgets: { modelRequests: 3 } };
    await expect(place.proposals.revise(revision)).rejects.toThrow('WORKFLOW_STORE_NEEDS_ATTENTION');
  });
});

describe('revising a workflow', () => {
  test('creates the next version for approval and returns it when repeated', async () => {
    await using place = await fixture();
    const { workflowId, definitionHash } = await place.propose();
    await place.proposals.approve({ workflowId, version: 1, definitionHash, commandId: commandId(1) });
    const order = { workflowId, version: 1, definitionHash, budgets: { modelRequests: 30, knownCostUsd: null } };
    const made = await place.proposals.revise(order);
    expect(made).toMatchObject({ workflowId, version: 2, previousVersion: 1, preflight: { errors: [] } });
    expect(made.definitionHash).not.toBe(definitionHash);
    expect(place.proposals.view({ workflowId, version: 2 })).toMatchObject({
      status: 'proposed',
      budgets: { modelRequests: 30, knownCostUsd: null },
      definitionHash: made.definitionHash,
    });
    const third = await place.proposals.revise({
      workflowId,
      version: 2,
      definitionHash: made.definitionHash,
      budgets: { modelRequests: 40 },
    });
    expect(third.version).toBe(3);
    expect(await place.proposals.revise(order)).toEqual(made);
  });

  test('reduces step budgets to the new run budget', async () => {
    await using place = await fixture();
    const greedy = (id: string) =>
      nodeWith(id, { budget: { ...unboundedBudgets, modelRequests: 10, toolCalls: 3, attempts: null } });
    const before: DefinitionCore = { ...core(), nodes: [greedy('a'), greedy('b')] };
    const { workflowId, definitionHash } = await place.propose('call-1', before);
    await place.proposals.revise({
      workflowId,
      version: 1,
      definitionHash,
      budgets: { modelRequests: 7, toolCalls: 90 },
    });
    const stepBudgets = place.db
      .prepare(
        `SELECT json_extract(body, '$.budget.modelRequests'), json_extract(body, '$.budget.toolCalls')
         FROM definition_nodes JOIN definitions ON key = definition WHERE version = 2`,
      )
      .raw()
      .all();
    expect(stepBudgets).toEqual([
      [3, 3],
      [3, 3],
    ]);
  });

  test('reports refusals in the documented order', async () => {
    await using place = await fixture();
    const { workflowId, definitionHash } = await place.propose();
    const order = { workflowId, version: 1, definitionHash, budgets: { modelRequests: 30 } };
    const { revise } = place.proposals;
    const wrong = `sha256:${'0'.repeat(64)}`;
    await expect(revise({ ...order, version: 9 })).rejects.toThrow('WORKFLOW_PROPOSAL_NOT_FOUND');
    await expect(revise({ ...order, budgets: { modelRequests: 20 } })).rejects.toThrow('WORKFLOW_REVISION_EMPTY');
    await expect(revise({ ...order, budgets: { modelRequests: 1 } })).rejects.toThrow(
      'WORKFLOW_DEFINITION_INVALID (budget-cannot-suffice)',
    );
    await revise(order);
    await expect(revise({ ...order, definitionHash: wrong, budgets: { toolCalls: 1 } })).rejects.toThrow(
      'WORKFLOW_DEFINITION_HASH_MISMATCH',
    );
    await expect(revise({ ...order, budgets: { modelRequests: 20 } })).rejects.toThrow('WORKFLOW_VERSION_NOT_LATEST');
    const latest = place.db.prepare('SELECT key, definition_hash FROM definitions WHERE version = 2').raw().get() as [
      number,
      string,
    ];
    place.db
      .prepare(
        `INSERT INTO runs (run_id, definition, session_id, status, last_at, created_at) VALUES ('r', ?, 'root', 'created', 0, 0)`,
      )
      .run(latest[0]);
    const second = { ...order, version: 2, definitionHash: latest[1] };
    await expect(revise(second)).rejects.toThrow('WORKFLOW_ALREADY_STARTED');
    place.sessions.delete('root');
    await expect(revise(order)).rejects.toThrow('WORKFLOW_PROPOSAL_NOT_FOUND');
  });

  test('in any order with approvals and repeats leaves one version per content', async () => {
    await using place = await fixture();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 2, max: 6 }), { maxLength: 8 }), async (wishes) => {
        round += 1;
        const made = await place.propose(`round-${round}`, {
          ...core(),
          ...headWith({ budgets }),
          nodes: core().nodes,
        });
        let last = { version: 1, definitionHash: made.definitionHash, requests: 20 };
        for (const requests of wishes) {
          const { version, definitionHash } = last;
          const order = { workflowId: made.workflowId, version, definitionHash, budgets: { modelRequests: requests } };
          if (requests === last.requests) {
            await expect(place.proposals.revise(order)).rejects.toThrow('WORKFLOW_REVISION_EMPTY');
            continue;
          }
          const once = await place.proposals.revise(order);
          expect(await place.proposals.revise(order)).toEqual(once);
          expect(once.version).toBe(version + 1);
          last = { version: once.version, definitionHash: once.definitionHash, requests };
        }
        const approval = {
          workflowId: made.workflowId,
          version: last.version,
          definitionHash: last.definitionHash,
          commandId: place.ambient.newId(),
        };
        const first = await place.proposals.approve(approval);
        expect((await place.proposals.approve(approval)).receipt).toEqual(first.receipt);
      }),
      { numRuns: 15 },
    );
  });
});
