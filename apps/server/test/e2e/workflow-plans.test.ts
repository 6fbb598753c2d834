import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refusesEach } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';
import { type ProposedWorkflow, proposed } from '../workflow-fixture.ts';

let server: TestServer;
let plan: ProposedWorkflow;
beforeAll(async () => {
  server = await testServer();
  plan = await proposed(server);
});
afterAll(async () => server[Symbol.asyncDispose]());

const get = (below: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  server.call('GET', `${plan.path}/${below}`, { query, headers });

/** A working path of each operation. */
const ADDRESSES: Readonly<Record<string, { below: string; query?: Record<string, string> }>> = {
  'workflows.plan.overview': { below: 'graph' },
  'workflows.plan.edges': { below: 'edges' },
  'workflows.plan.group': { below: 'groups/read' },
  'workflows.plan.step': { below: 'nodes/verdict' },
  'workflows.plan.lineage': { below: 'nodes/verdict/lineage', query: { direction: 'upstream' } },
};

describe('the plan of a workflow', () => {
  covers('workflows.plan.overview', 'returns phases, step counts and edges', async () => {
    const { data, status } = await get('graph');
    expect(status).toBe(200);
    expect(data).toEqual({
      schema: 'svc.workflow-graph-view.v2',
      runId: null,
      workflowId: plan.workflowId,
      version: 1,
      definitionHash: plan.definitionHash,
      graphVersion: null,
      lastSeq: 0,
      revision: plan.definitionHash,
      status: 'planned',
      phaseSource: 'explicit',
      total: 3,
      terminated: 0,
      attention: 0,
      groups: [
        expect.objectContaining({
          phaseId: 'read',
          label: 'Read',
          order: 0,
          total: 2,
          counts: { planned: 2 },
          progress: null,
        }),
        expect.objectContaining({ phaseId: 'judge', label: 'Judge', order: 1, total: 1, kinds: { agent: 1 } }),
      ],
      groupConnections: [{ fromPhaseId: 'read', toPhaseId: 'judge', total: 2, types: { data: 2 } }],
    });
  });

  covers('workflows.plan.edges', 'returns a page of edges, or those within open phases', async () => {
    const first = await get('edges', { limit: '1' });
    expect(first.data).toMatchObject({ offset: 0, limit: 1, total: 2, nextOffset: 1 });
    expect(first.data.items).toEqual([
      { edgeId: expect.any(String), fromNodeId: 'first', toNodeId: 'verdict', type: 'data' },
    ]);
    expect(first.data).not.toHaveProperty('phaseIds');
    expect((await get('edges', { phaseId: 'read' })).data).toMatchObject({ phaseIds: ['read'], total: 0, items: [] });
    const both = await server.call('GET', `${plan.path}/edges?phaseId=judge&phaseId=read`);
    expect(both.data).toMatchObject({ phaseIds: ['read', 'judge'], total: 2 });
  });

  covers('workflows.plan.group', 'returns a page of a phase in graph order', async () => {
    const { data } = await get('groups/read', { limit: '1', offset: '1', sort: 'stato' });
    expect(data).toMatchObject({ phaseId: 'read', sort: 'stato', total: 2, offset: 1, limit: 1, nextOffset: null });
    expect(data.items).toEqual([
      {
        nodeId: 'second',
        phaseId: 'read',
        label: 'Read the second',
        kind: 'agent',
        role: expect.any(String),
        state: 'planned',
        priority: 0,
        updatedAt: null,
        dependencyCount: 0,
        childCount: 0,
        attentionCount: 0,
        model: null,
        taskPreview: 'Read the second way.',
      },
    ]);
  });

  covers('workflows.plan.step', 'returns the instructions and predecessors of a step', async () => {
    const { data } = await get('nodes/verdict');
    expect(data).toMatchObject({
      nodeId: 'verdict',
      status: 'planned',
      state: 'planned',
      attempt: 0,
      totalOutputs: 0,
      instructions: 'Say which is better.',
      taskPreview: 'Say which is better.',
      capabilityProfile: 'read',
      model: null,
      dependsOn: ['first', 'second'],
    });
  });

  covers('workflows.plan.lineage', 'returns the steps before or after one', async () => {
    const up = await get('nodes/verdict/lineage', { direction: 'upstream', limit: '1000' });
    expect(up.data).toMatchObject({ nodeId: 'verdict', direction: 'upstream', total: 2, items: ['first', 'second'] });
    const down = await get('nodes/first/lineage', { direction: 'downstream' });
    expect(down.data).toMatchObject({ items: ['verdict'], limit: 50 });
  });

  test('answers 304 for an unchanged view, whose bytes never change', async () => {
    for (const { below, query } of Object.values(ADDRESSES)) {
      const first = await get(below, query);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"sha256:[0-9a-f]{64}"$/);
      const held = await get(below, query, { 'if-none-match': `"other", ${etag}` });
      expect([below, held.status, held.text, held.headers.get('etag')]).toEqual([below, 304, '', etag]);
      expect((await get(below, query)).text).toBe(first.text);
      const looked = await server.call('HEAD', `${plan.path}/${below}`, { query });
      expect([looked.status, looked.text, looked.headers.get('etag')]).toEqual([200, '', etag]);
    }
  });

  refusesEach(
    'NOT_FOUND',
    [
      'workflows.plan.overview',
      'workflows.plan.edges',
      'workflows.plan.group',
      'workflows.plan.step',
      'workflows.plan.lineage',
    ],
    async (operation) => {
      const { below, query = {} } = ADDRESSES[operation] ?? { below: '' };
      for (const version of ['2', '0', '01', 'one', '-1', '1e0', '9'.repeat(40)]) {
        const path = `/workflows/${plan.workflowId}/versions/${version}/${below}`;
        expect(await server.call('GET', path, { query })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      }
      const other = `/workflows/00000000-0000-8000-8000-000000000000/versions/1/${below}`;
      expect(await server.call('GET', other, { query })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    },
  );

  test('an unknown phase or step is NOT_FOUND', async () => {
    const absent = [
      get('groups/none'),
      get('edges', { phaseId: 'none' }),
      get('nodes/none'),
      get('nodes/none/lineage', { direction: 'upstream' }),
    ];
    for (const reply of await Promise.all(absent)) expect(reply).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  test('rejects an invalid query', async () => {
    const bad: [string, Record<string, string>][] = [
      ['graph', { offset: '0' }],
      ['edges', { limit: '101' }],
      ['edges', { limit: '0' }],
      ['edges', { offset: '-1' }],
      ['edges', { phaseId: '' }],
      ['edges', { phaseId: 'x'.repeat(129) }],
      ['groups/read', { limit: '51' }],
      ['groups/read', { sort: 'nome' }],
      ['nodes/verdict', { outputOffset: '0' }],
      ['nodes/verdict/lineage', {}],
      ['nodes/verdict/lineage', { direction: 'sideways' }],
      ['nodes/verdict/lineage', { direction: 'upstream', limit: '1001' }],
    ];
    for (const [below, query] of bad) {
      expect([below, query, (await get(below, query)).code]).toEqual([below, query, 'QUERY_INVALID']);
    }
    const many = Array.from({ length: 65 }, (_, at) => `phaseId=p${at}`).join('&');
    expect((await server.call('GET', `${plan.path}/edges?${many}`)).code).toBe('QUERY_INVALID');
  });
});

describe('a workflow store that cannot be opened', () => {
  let broken: TestServer;
  beforeAll(async () => {
    broken = await testServer();
    writeFileSync(join(broken.dataDir, 'workflows.db'), 'this is no database, and was never one'.repeat(200));
  });
  afterAll(async () => broken[Symbol.asyncDispose]());

  refusesEach(
    'WORKFLOW_STORE_UNAVAILABLE',
    [
      'workflows.plan.overview',
      'workflows.plan.edges',
      'workflows.plan.group',
      'workflows.plan.step',
      'workflows.plan.lineage',
    ],
    async (operation) => {
      const { below, query = {} } = ADDRESSES[operation] ?? { below: '' };
      const path = `/workflows/00000000-0000-8000-8000-000000000000/versions/1/${below}`;
      expect(await broken.call('GET', path, { query })).toMatchObject({
        status: 503,
        code: 'WORKFLOW_STORE_UNAVAILABLE',
      });
    },
  );
});
