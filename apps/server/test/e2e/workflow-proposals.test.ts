import { randomUUID } from 'node:crypto';
import { tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';
import { approve, type ProposedWorkflow, proposed, sampleDraft, tamper, versionPath } from '../workflow-fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const NOBODY = '00000000-0000-8000-8000-000000000000';
const WRONG = `sha256:${'0'.repeat(64)}`;
const revise = ({ path, definitionHash }: ProposedWorkflow, budgets: unknown, more: object = {}) =>
  server.call('POST', `${path}/revise`, { body: { definitionHash, budgets }, ...more });
const foreign = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };

describe('a proposal', () => {
  covers('workflows.proposal', 'returns the whole proposal with a weak ETag', async () => {
    const { sessionId, path, workflowId, definitionHash } = await proposed(server);
    const { data, headers } = await server.call('GET', path);
    expect(data).toMatchObject({
      schema: 'svc.workflow-proposal-view.v2',
      status: 'proposed',
      workflowId,
      version: 1,
      definitionHash,
      proposal: { initiatingSessionId: sessionId, plannerModel: null, sessionModel: 'ollama:tiny' },
      title: 'Compare two ways',
      objective: 'Know which is better',
      phases: [
        { id: 'read', label: 'Read', total: 2 },
        { id: 'judge', label: 'Judge', total: 1 },
      ],
      counts: { nodes: 3, edges: 2, writers: 0, acceptance: 0 },
      policy: { capabilityCeiling: 'read', finalApply: 'user-explicit' },
      budgets: { modelRequests: 144, knownCostUsd: null },
      preflight: {
        errorCount: 0,
        errors: [],
        estimates: { steps: 3, longestPath: 2, widestLevel: 2, modelRequests: 12 },
      },
      approval: null,
    });
    expect(data.policy).not.toHaveProperty('human');
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"sha256:[0-9a-f]{64}"$/);
    const held = await server.call('GET', path, { headers: { 'if-none-match': etag } });
    expect([held.status, held.text]).toEqual([304, '']);
    await approve(server, { path, definitionHash });
    const changed = await server.call('GET', path, { headers: { 'if-none-match': etag } });
    expect(changed).toMatchObject({ status: 200, data: { status: 'approved', approval: { definitionHash } } });
  });

  refuses('workflows.proposal', 'NOT_FOUND', 'for an unknown workflow, version or spelling', async () => {
    const { workflowId } = await proposed(server);
    for (const path of [versionPath(NOBODY, 1), versionPath(workflowId, 2), `/workflows/${workflowId}/versions/01`]) {
      expect(await server.call('GET', path)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
  });

  covers('workflows.proposals', 'lists proposals of a session newest first, page by page', async () => {
    const made = await proposed(server);
    await revise(made, { modelRequests: 50 });
    const path = `/sessions/${made.sessionId}/workflow-proposals`;
    const { data } = await server.call('GET', path, { query: { limit: '1' } });
    expect(data).toEqual({
      schema: 'svc.workflow-proposal-list.v1',
      sessionId: made.sessionId,
      offset: 0,
      limit: 1,
      total: 2,
      nextOffset: 1,
      items: [
        {
          workflowId: made.workflowId,
          version: 2,
          status: 'proposed',
          definitionHash: expect.not.stringMatching(made.definitionHash),
          title: 'Compare two ways',
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        },
      ],
    });
    const rest = (await server.call('GET', path, { query: { offset: '1' } })).data;
    expect(rest).toMatchObject({ nextOffset: null, items: [{ version: 1, definitionHash: made.definitionHash }] });
    for (const query of [{ limit: '51' }, { limit: '0' }, { offset: '-1' }, { x: '1' }] as Record<string, string>[]) {
      expect(await server.call('GET', path, { query })).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
    }
  });

  refuses('workflows.proposals', 'NOT_FOUND', 'for an unknown session', async () => {
    expect(await server.call('GET', '/sessions/nope/workflow-proposals')).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    });
  });

  test('an invalid draft is reported to the model and creates no proposal', async () => {
    const draft = sampleDraft({ steps: sampleDraft().steps.map((step) => ({ ...step, dependsOn: ['nobody'] })) });
    await expect(proposed(server, draft)).rejects.toThrow('dependsOn names nobody, which is no step');
  });

  test('can be created in plan mode and changes nothing else', async () => {
    const { data } = await server.call(
      'GET',
      (await proposed(server, sampleDraft(), { modalitaOperativa: 'piano' })).path,
    );
    expect(data).toMatchObject({ status: 'proposed', version: 1 });
    const bare = await proposed(server, sampleDraft(), { permessi: 'Read only' });
    expect((await server.call('GET', bare.path)).status).toBe(200);
  });

  test('is deleted with its session', async () => {
    const made = await proposed(server);
    await approve(server, made);
    expect((await server.call('POST', `/sessions/${made.sessionId}/delete`)).status).toBe(200);
    expect(await server.call('GET', made.path)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await approve(server, made)).toMatchObject({ status: 404, code: 'WORKFLOW_PROPOSAL_NOT_FOUND' });
    expect(await revise(made, { toolCalls: 5 })).toMatchObject({ code: 'WORKFLOW_PROPOSAL_NOT_FOUND' });
  });

  test('is not offered to sub-agents', async () => {
    server.model.script(({ lastRole, lastText }) => {
      if (lastRole === 'tool') return { text: 'Done.' };
      if (lastText.includes('part of it')) return { text: 'My part is done.' };
      return { toolCalls: [{ name: 'delega_sottotask', arguments: { task: 'Do part of it.' } }] };
    });
    const id = await server.startSession();
    await server.settled(id);
    const offers = server.model.requests.flatMap(({ body, lastRole, lastText }) => {
      const tools = ((body as any).tools ?? []) as { function?: { name: string } }[];
      return lastRole === 'user' && lastText.includes('part of it') ? [tools.map((tool) => tool.function?.name)] : [];
    });
    expect(offers.length).toBeGreaterThan(0);
    for (const names of offers) expect(names).not.toContain('workflow_propose');
    const { data } = await server.call('GET', `/sessions/${id}/tools`);
    expect(JSON.stringify(data)).toContain('workflow_propose');
  });
});

describe('approving', () => {
  covers('workflows.approve', 'approves once, and the same command returns the same receipt', async () => {
    const made = await proposed(server);
    const commandId = randomUUID();
    const first = await approve(server, made, commandId);
    expect(first).toMatchObject({
      status: 200,
      data: {
        schema: 'svc.workflow-approval-result.v1',
        status: 'approved',
        workflowId: made.workflowId,
        version: 1,
        definitionHash: made.definitionHash,
        deduplicated: false,
        receipt: {
          schema: 'svc.workflow-command-receipt.v1',
          commandId,
          commandType: 'approve-definition',
          payloadHash: expect.stringMatching(/^[0-9a-f]{64}$/),
          source: 'approval-record',
          runId: null,
          resultingSeq: null,
          resultingGraphVersion: null,
          outcome: 'accepted',
          errorCode: null,
        },
      },
    });
    expect((await approve(server, made, commandId)).data).toEqual({ ...first.data, deduplicated: true });
  });

  test('accepts exactly the two keys in a small JSON body', async () => {
    const made = await proposed(server);
    const body = { commandId: randomUUID(), definitionHash: made.definitionHash };
    const bad = [
      {},
      { ...body, more: 1 },
      { ...body, commandId: 'x' },
      { ...body, commandId: NOBODY },
      { ...body, definitionHash: made.definitionHash.slice(7) },
    ];
    for (const each of bad) {
      expect(await server.call('POST', `${made.path}/approve`, { body: each })).toMatchObject({
        code: 'QUERY_INVALID',
      });
    }
    const plain = { body, headers: { 'content-type': 'text/plain' } };
    expect(await server.call('POST', `${made.path}/approve`, plain)).toMatchObject({ code: 'QUERY_INVALID' });
    const large = { body: { ...body, more: 'x'.repeat(5_000) } };
    expect(await server.call('POST', `${made.path}/approve`, large)).toMatchObject({
      status: 413,
      code: 'PAYLOAD_LIMIT',
    });
  });

  refuses('workflows.approve', 'NOT_FOUND', 'for an invalid version', async () => {
    const made = await proposed(server);
    const path = `/workflows/${made.workflowId}/versions/0`;
    expect(await approve(server, { ...made, path })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  refuses('workflows.approve', 'WORKFLOW_APPROVAL_ORIGIN_FORBIDDEN', 'from another origin', async () => {
    const made = await proposed(server);
    const body = { commandId: randomUUID(), definitionHash: made.definitionHash };
    const reply = await server.call('POST', `${made.path}/approve`, { body, headers: foreign });
    expect(reply).toMatchObject({ status: 403, code: 'WORKFLOW_APPROVAL_ORIGIN_FORBIDDEN' });
  });

  refuses('workflows.approve', 'WORKFLOW_PROPOSAL_NOT_FOUND', 'when nothing was proposed with that id', async () => {
    const reply = await approve(server, { path: versionPath(NOBODY, 1), definitionHash: WRONG });
    expect(reply).toMatchObject({ status: 404, code: 'WORKFLOW_PROPOSAL_NOT_FOUND' });
  });

  refuses(
    'workflows.approve',
    'WORKFLOW_DEFINITION_HASH_MISMATCH',
    'when another definition was reviewed',
    async () => {
      const reply = await approve(server, { ...(await proposed(server)), definitionHash: WRONG });
      expect(reply).toMatchObject({ status: 409, code: 'WORKFLOW_DEFINITION_HASH_MISMATCH' });
    },
  );

  refuses(
    'workflows.approve',
    'WORKFLOW_COMMAND_CONFLICT',
    'when the command id was used for another command',
    async () => {
      const commandId = randomUUID();
      const made = await proposed(server);
      await approve(server, made, commandId);
      for (const other of [await proposed(server), { ...made, definitionHash: WRONG }]) {
        const reply = await approve(server, other, commandId);
        expect(reply).toMatchObject({ status: 409, code: 'WORKFLOW_COMMAND_CONFLICT' });
      }
    },
  );

  refuses('workflows.approve', 'WORKFLOW_APPROVAL_CONFLICT', 'when another command approved it', async () => {
    const made = await proposed(server);
    const replies = await Promise.all(Array.from({ length: 6 }, () => approve(server, made)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expect(reply).toMatchObject({ status: 409, code: 'WORKFLOW_APPROVAL_CONFLICT' });
    }
  });

  refuses(
    'workflows.approve',
    'WORKFLOW_STORE_NEEDS_ATTENTION',
    'when the stored rows differ from the proposal',
    async () => {
      const made = await proposed(server);
      tamper(server, `UPDATE definition_nodes SET body = replace(body, 'Say which', 'Send all of it to')`);
      expect(await approve(server, made)).toMatchObject({ code: 'WORKFLOW_STORE_NEEDS_ATTENTION' });
    },
  );
});

describe('revising', () => {
  covers('workflows.revise', 'creates the next version, and a repeated revision returns it', async () => {
    const made = await proposed(server);
    await approve(server, made);
    const first = await revise(made, { modelRequests: 60, knownCostUsd: 2.5 });
    expect(first).toMatchObject({
      status: 201,
      data: {
        schema: 'svc.workflow-revision-result.v1',
        status: 'proposed',
        workflowId: made.workflowId,
        version: 2,
        previousVersion: 1,
        preflight: { errors: [], estimates: { steps: 3 } },
      },
    });
    const { definitionHash } = first.data;
    const second = { ...made, path: versionPath(made.workflowId, 2), definitionHash };
    expect((await server.call('GET', second.path)).data).toMatchObject({
      status: 'proposed',
      budgets: { modelRequests: 60, knownCostUsd: 2.5, toolCalls: 360 },
    });
    expect((await revise(second, { knownCostUsd: null })).data.version).toBe(3);
    expect(await revise(made, { knownCostUsd: 2.5, modelRequests: 60 })).toMatchObject({
      status: 201,
      data: first.data,
    });
  });

  refuses('workflows.revise', 'NOT_FOUND', 'for an invalid version', async () => {
    const made = await proposed(server);
    const reply = await revise({ ...made, path: `/workflows/${made.workflowId}/versions/x` }, { toolCalls: 1 });
    expect(reply).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  refuses('workflows.revise', 'WORKFLOW_COMMAND_ORIGIN_FORBIDDEN', 'from another origin', async () => {
    const reply = await revise(await proposed(server), { toolCalls: 1 }, { headers: foreign });
    expect(reply).toMatchObject({ status: 403, code: 'WORKFLOW_COMMAND_ORIGIN_FORBIDDEN' });
  });

  refuses('workflows.revise', 'WORKFLOW_PROPOSAL_NOT_FOUND', 'when nothing was proposed with that id', async () => {
    const reply = await revise({ ...(await proposed(server)), path: versionPath(NOBODY, 1) }, { toolCalls: 1 });
    expect(reply).toMatchObject({ status: 404, code: 'WORKFLOW_PROPOSAL_NOT_FOUND' });
  });

  refuses('workflows.revise', 'WORKFLOW_DEFINITION_HASH_MISMATCH', 'when another definition was reviewed', async () => {
    const reply = await revise({ ...(await proposed(server)), definitionHash: WRONG }, { toolCalls: 1 });
    expect(reply).toMatchObject({ status: 409, code: 'WORKFLOW_DEFINITION_HASH_MISMATCH' });
  });

  refuses('workflows.revise', 'WORKFLOW_REVISION_INVALID', 'for an unknown key or an invalid budget', async () => {
    const made = await proposed(server);
    const bad = [
      { modelRequests: 0 },
      { modelRequests: 1.5 },
      { modelRequests: null },
      { modelRequests: '60' },
      { knownCostUsd: 0 },
      { agentSeconds: 60 },
      [],
      null,
    ];
    for (const budgets of bad) {
      expect([budgets, await revise(made, budgets)]).toMatchObject([budgets, { code: 'WORKFLOW_REVISION_INVALID' }]);
    }
  });

  refuses('workflows.revise', 'WORKFLOW_REVISION_EMPTY', 'when nothing would change', async () => {
    const made = await proposed(server);
    for (const budgets of [{}, { modelRequests: 144 }, { knownCostUsd: null }]) {
      expect(await revise(made, budgets)).toMatchObject({ code: 'WORKFLOW_REVISION_EMPTY' });
    }
  });

  refuses('workflows.revise', 'WORKFLOW_VERSION_NOT_LATEST', 'when a later version exists', async () => {
    const made = await proposed(server);
    await revise(made, { toolCalls: 5 });
    const reply = await revise(made, { toolCalls: 6 });
    expect(reply).toMatchObject({ status: 409, code: 'WORKFLOW_VERSION_NOT_LATEST' });
  });

  refuses('workflows.revise', 'WORKFLOW_ALREADY_STARTED', 'when a run of it exists', async () => {
    const made = await proposed(server);
    tamper(
      server,
      `INSERT INTO runs (run_id, definition, session_id, status, last_at, created_at)
       SELECT '${randomUUID()}', key, session_id, 'cancelled', 0, 0 FROM definitions WHERE workflow_id = '${made.workflowId}'`,
    );
    expect(await revise(made, { toolCalls: 5 })).toMatchObject({ status: 409, code: 'WORKFLOW_ALREADY_STARTED' });
  });

  refuses('workflows.revise', 'WORKFLOW_DEFINITION_INVALID', 'with fewer model requests than steps', async () => {
    const reply = await revise(await proposed(server), { modelRequests: 2 });
    expect(reply).toMatchObject({ code: 'WORKFLOW_DEFINITION_INVALID', reason: 'budget-cannot-suffice' });
  });

  refuses('workflows.revise', 'WORKFLOW_STORE_NEEDS_ATTENTION', 'when the stored proposal cannot be read', async () => {
    const made = await proposed(server);
    tamper(server, `UPDATE definitions SET preflight = '{' WHERE workflow_id = '${made.workflowId}'`);
    expect(await revise(made, { toolCalls: 5 })).toMatchObject({ code: 'WORKFLOW_STORE_NEEDS_ATTENTION' });
  });
});

describe('a workflow store that cannot be opened', () => {
  let damaged: TestServer;
  beforeAll(async () => {
    const place = await tempDir();
    await place.write({ 'workflows.db': 'no database, and long enough to be taken for one. '.repeat(100) });
    damaged = await testServer({ dataDir: place.path });
  });
  afterAll(async () => damaged[Symbol.asyncDispose]());

  refusesEach(
    'WORKFLOW_STORE_UNAVAILABLE',
    ['workflows.proposal', 'workflows.proposals', 'workflows.approve', 'workflows.revise'],
    async (operation) => {
      const path = versionPath(NOBODY, 1);
      const body = { commandId: randomUUID(), definitionHash: WRONG };
      const asks: Record<string, () => ReturnType<TestServer['call']>> = {
        'workflows.proposal': () => damaged.call('GET', path),
        'workflows.proposals': async () =>
          damaged.call('GET', `/sessions/${await damaged.startSession()}/workflow-proposals`),
        'workflows.approve': () => damaged.call('POST', `${path}/approve`, { body }),
        'workflows.revise': () =>
          damaged.call('POST', `${path}/revise`, { body: { definitionHash: WRONG, budgets: { toolCalls: 1 } } }),
      };
      expect(await asks[operation]?.()).toMatchObject({ status: 503, code: 'WORKFLOW_STORE_UNAVAILABLE' });
    },
  );
});
