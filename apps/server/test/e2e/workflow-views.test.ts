import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refusesEach } from '../covers.ts';
import { type TestServer, TOKEN, testServer, until } from '../harness.ts';
import { approve, proposed } from '../workflow-fixture.ts';

const RESULT = `# Città\n${'è'.repeat(3_000)}`;

let server: TestServer;
let sessionId: string;
let runId: string;
let run: string;
beforeAll(async () => {
  server = await testServer();
  ({ sessionId, runId, run } = await finished());
});
afterAll(async () => server[Symbol.asyncDispose]());

async function start(text = RESULT): Promise<{ sessionId: string; runId: string; run: string }> {
  const made = await proposed(server);
  await approve(server, made);
  server.model.script(() => ({ text }));
  const body = { commandId: randomUUID(), definitionHash: made.definitionHash };
  const { data } = await server.call('POST', `${made.path}/start`, { body });
  return { ...made, runId: data.runId, run: `/sessions/${made.sessionId}/workflows/${data.runId}` };
}

async function finished(text?: string) {
  const started = await start(text);
  await until(async () => (await server.call('GET', `${started.run}/graph`)).data.status === 'succeeded' || undefined);
  return started;
}

const get = (below: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  server.call('GET', `${run}/${below}`, { query, headers });

const ADDRESSES: Readonly<Record<string, { below: string; query?: Record<string, string> }>> = {
  'workflows.run.overview': { below: 'graph' },
  'workflows.run.edges': { below: 'edges' },
  'workflows.run.group': { below: 'groups/read', query: { sort: 'stato' } },
  'workflows.run.history': { below: 'history' },
  'workflows.run.step': { below: 'nodes/verdict' },
  'workflows.run.lineage': { below: 'nodes/verdict/lineage', query: { direction: 'upstream' } },
  'workflows.run.output': { below: 'nodes/verdict/output' },
  'workflows.run.events': { below: 'events' },
};

describe('a run', () => {
  covers('workflows.run.overview', 'returns the phases with their step states', async () => {
    const { data } = await get('graph');
    expect(data).toEqual({
      schema: 'svc.workflow-graph-view.v2',
      runId,
      graphVersion: 1,
      lastSeq: expect.any(Number),
      revision: `1:${data.lastSeq}`,
      status: 'succeeded',
      pauseRequested: false,
      cancelRequested: false,
      stato: 'succeeded',
      phaseSource: 'explicit',
      total: 3,
      terminated: 3,
      attention: 0,
      groups: [
        expect.objectContaining({ phaseId: 'read', total: 2, terminated: 2, counts: { succeeded: 2 }, progress: 1 }),
        expect.objectContaining({ phaseId: 'judge', total: 1, terminated: 1 }),
      ],
      groupConnections: [{ fromPhaseId: 'read', toPhaseId: 'judge', total: 2, types: { data: 2 } }],
    });
  });

  covers('workflows.runs', 'lists runs of a session by state and text', async () => {
    const list = (query: Record<string, string>) => server.call('GET', `/sessions/${sessionId}/workflows`, { query });
    const { data, headers } = await list({});
    expect(data).toMatchObject({
      schema: 'svc.workflow-run-list.v1',
      sessionId,
      offset: 0,
      limit: 50,
      total: 1,
      nextOffset: null,
    });
    expect(data.items).toEqual([
      {
        runId,
        createdAt: expect.stringMatching(/Z$/),
        workflowId: expect.any(String),
        version: 1,
        stato: 'succeeded',
        status: 'succeeded',
        title: 'Compare two ways',
        startedAt: expect.stringMatching(/Z$/),
        finishedAt: expect.stringMatching(/Z$/),
        durationMs: expect.any(Number),
        steps: { total: 3, terminal: 3, failed: 0, active: 0 },
        model: expect.stringContaining('tiny'),
      },
    ]);
    expect(headers.get('etag')).toMatch(/^W\//);
    expect((await list({ stato: 'failed' })).data.total).toBe(0);
    expect((await list({ q: ' COMPARE ' })).data.total).toBe(1);
    expect((await list({ q: 'other' })).data.total).toBe(0);
    const bad: Record<string, string>[] = [
      { stato: 'done' },
      { q: '  ' },
      { q: 'a\nb' },
      { q: 'x'.repeat(257) },
      { limit: '51' },
      { sort: 'x' },
    ];
    for (const query of bad) {
      expect([query, (await list(query)).code]).toEqual([query, 'QUERY_INVALID']);
    }
  });

  covers('workflows.run.edges', 'returns the planned edges', async () => {
    expect((await get('edges', { phaseId: 'judge' })).data).toMatchObject({ runId, phaseIds: ['judge'], total: 0 });
    expect((await get('edges', { limit: '1', offset: '1' })).data).toMatchObject({ total: 2, nextOffset: null });
  });

  covers('workflows.run.group', 'returns the steps of a phase with times and agents', async () => {
    const { data } = await get('groups/judge');
    expect(data).toMatchObject({ phaseId: 'judge', total: 1, runId });
    expect(data.items).toEqual([
      {
        nodeId: 'verdict',
        phaseId: 'judge',
        label: 'Judge',
        kind: 'agent',
        role: expect.any(String),
        state: 'succeeded',
        priority: 0,
        updatedAt: expect.stringMatching(/Z$/),
        dependencyCount: 2,
        childCount: 0,
        attentionCount: 0,
        startedAt: expect.stringMatching(/Z$/),
        finishedAt: expect.stringMatching(/Z$/),
        durationMs: expect.any(Number),
        stepSessionId: expect.any(String),
        effectiveModel: { provider: 'ollama', model: 'tiny' },
      },
    ]);
  });

  covers('workflows.run.history', 'returns every state in order, page by page', async () => {
    const { data } = await get('history', { limit: '1000' });
    expect(data).toMatchObject({ initialState: 'pending', nextOffset: null });
    expect(data.items[0]).toMatchObject({ seq: 1, scope: 'run', state: 'created' });
    expect(data.items.at(-1)).toMatchObject({ scope: 'run', state: 'succeeded' });
    const page = await get('history', { offset: String(data.total - 1), limit: '5' });
    expect(page.data).toMatchObject({ total: data.total, nextOffset: null, items: [{ state: 'succeeded' }] });
  });

  covers('workflows.run.step', 'returns a step with the beginning of its result', async () => {
    const { data } = await get('nodes/verdict');
    expect(data).toMatchObject({ nodeId: 'verdict', attempt: 1, totalOutputs: 1, outputOffset: 0 });
    expect(data).not.toHaveProperty('instructions');
    const [output] = data.outputs;
    expect(data.resultRefIds).toEqual([output.resultId]);
    expect(output).toMatchObject({ kind: 'text', truncated: true, bytes: Buffer.byteLength(RESULT) });
    expect([...output.preview]).toHaveLength(2_000);
    const rest = await get('nodes/verdict', { outputOffset: String(data.nextOutputOffset) });
    expect(output.preview + rest.data.outputs[0].preview).toBe(RESULT);
    expect(rest.data.nextOutputOffset).toBeNull();
    expect((await get('nodes/verdict', { outputOffset: '2000001' })).code).toBe('QUERY_INVALID');
  });

  covers('workflows.run.lineage', 'returns the steps before or after one', async () => {
    const { data } = await get('nodes/verdict/lineage', { direction: 'upstream' });
    expect(data).toMatchObject({ runId, nodeId: 'verdict', total: 2, items: ['first', 'second'] });
  });

  covers('workflows.run.output', 'returns results as text, as a byte range or raw', async () => {
    const { data } = await get('nodes/verdict/output');
    expect(data).toMatchObject({
      schema: 'svc.workflow-node-output.v1',
      runId,
      sessionId,
      nodeId: 'verdict',
      kind: 'text',
      bytes: Buffer.byteLength(RESULT),
      totalCharacters: [...RESULT].length,
      offset: 0,
      shownCharacters: [...RESULT].length,
      content: RESULT,
    });
    const part = await get('nodes/verdict/output', { resultId: data.resultId, offset: '3', limit: '7' });
    expect(part.data).toMatchObject({ offset: 3, content: 'ittà\n', shownCharacters: 5 });
    const raw = await get('nodes/verdict/output', { resultId: data.resultId, format: 'raw' });
    expect([raw.status, raw.text]).toEqual([200, RESULT]);
    expect(raw.headers.get('content-disposition')).toContain('attachment');
    const bad: Record<string, string>[] = [
      { format: 'raw' },
      { format: 'raw', resultId: data.resultId, offset: '0' },
      { format: 'raw', resultId: data.resultId, limit: '1' },
      { format: 'xml' },
      { limit: '0' },
      { offset: '-1' },
    ];
    for (const query of bad)
      expect([query, (await get('nodes/verdict/output', query)).code]).toEqual([query, 'QUERY_INVALID']);
  });

  test('answers 304 for an unchanged view, whose bytes never change', async () => {
    for (const [id, { below, query }] of Object.entries(ADDRESSES)) {
      if (id === 'workflows.run.events' || id === 'workflows.run.output') continue;
      const first = await get(below, query);
      const etag = first.headers.get('etag') ?? '';
      expect([below, etag]).toEqual([below, expect.stringMatching(/^"sha256:[0-9a-f]{64}"$/)]);
      const held = await get(below, query, { 'if-none-match': etag });
      expect([below, held.status, held.text]).toEqual([below, 304, '']);
      expect((await get(below, query)).text).toBe(first.text);
      // Not cached by proxies, like all responses.
      for (const { headers } of [first, held])
        expect([below, headers.get('cache-control')]).toEqual([below, 'no-store']);
    }
  });

  refusesEach(
    'NOT_FOUND',
    [
      'workflows.run.overview',
      'workflows.run.edges',
      'workflows.run.group',
      'workflows.run.history',
      'workflows.run.step',
      'workflows.run.lineage',
      'workflows.run.output',
      'workflows.run.events',
    ],
    async (operation) => {
      const { below, query = {} } = ADDRESSES[operation] ?? { below: '' };
      const other = await server.startSession();
      for (const base of [
        `/sessions/${sessionId}/workflows/${randomUUID()}`,
        `/sessions/${other}/workflows/${runId}`,
        `/sessions/nobody/workflows/${runId}`,
      ]) {
        expect(await server.call('GET', `${base}/${below}`, { query })).toMatchObject({
          status: 404,
          code: 'NOT_FOUND',
        });
      }
    },
  );

  test('never serves a stored result whose bytes changed', async () => {
    // Large enough to be stored in its own file.
    const large = RESULT.repeat(3);
    const broken = await finished(large);
    const path = `${broken.run}/nodes/verdict/output`;
    const { data } = await server.call('GET', path);
    const file = join(server.dataDir, 'blobs', 'workflows', data.sha256.slice(0, 2), data.sha256);
    await writeFile(file, large.replace('Città', 'città'));
    const asked: Record<string, string>[] = [{}, { format: 'raw', resultId: data.resultId }];
    for (const query of asked) {
      expect(await server.call('GET', path, { query })).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
    }
    await writeFile(file, large);
    expect((await server.call('GET', path)).data.content).toBe(large);
  });
});

/** The raw text of a stream until `enough` returns true, and its headers; `events` of a run. */
function follow(
  path: string,
  enough: (text: string) => boolean,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpGet(
      `${server.url}api/v1${path}`,
      { headers: { cookie: `svc_token=${TOKEN}`, ...headers } },
      (response) => {
        let text = '';
        const done = () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
          response.destroy();
        };
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          text += piece;
          if (enough(text)) done();
        });
        response.on('end', done);
      },
    );
    request.on('error', reject);
  });
}

const frames = (text: string) =>
  text
    .split('\n\n')
    .filter((part) => part.includes('data: '))
    .map((part) => {
      const lines = Object.fromEntries(
        part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      return { id: Number(lines.id), event: lines.event, data: JSON.parse(lines.data ?? 'null') };
    });

describe('following a run', () => {
  covers('workflows.run.events', 'streams changes until the run ends, then answers 204', async () => {
    const started = await start();
    const streamed = await follow(`${started.run}/events`, () => false);
    expect(streamed.status).toBe(200);
    expect(streamed.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    });
    expect(streamed.text.startsWith(':ok\n\n')).toBe(true);
    const updates = frames(streamed.text);
    expect(updates.every(({ event }) => event === 'run-update')).toBe(true);
    const last = updates.at(-1);
    expect(last?.data).toMatchObject({
      schema: 'svc.workflow-graph-view.v2',
      status: 'succeeded',
      total: 3,
      terminated: 3,
      resync: false,
      resyncReason: null,
    });
    expect(last?.id).toBe(last?.data.lastSeq);
    expect(new Set(updates.flatMap(({ data }) => data.nodes.map(({ nodeId }: { nodeId: string }) => nodeId)))).toEqual(
      new Set(['first', 'second', 'verdict']),
    );
    const ended = await server.call('GET', `${started.run}/events`, { query: { after: String(last?.id) } });
    expect([ended.status, ended.text]).toEqual([204, '']);
    const byHeader = await server.call('GET', `${started.run}/events`, {
      query: { after: '0' },
      headers: { 'last-event-id': String(last?.id) },
    });
    expect(byHeader.status).toBe(204);
  });

  test('asks a client with a future cursor to reload, and answers HEAD with headers', async () => {
    const ahead = await follow(`${run}/events?after=999999`, () => false);
    expect(frames(ahead.text)).toMatchObject([{ data: { resync: true, resyncReason: 'cursor_ahead', nodes: [] } }]);
    const looked = await server.call('HEAD', `${run}/events`);
    expect([looked.status, looked.text, looked.headers.get('content-type')]).toEqual([
      200,
      '',
      'text/event-stream; charset=utf-8',
    ]);
  });

  test('rejects an invalid cursor and any other query', async () => {
    const bad = [
      get('events', { after: '-1' }),
      get('events', { after: 'x' }),
      get('events', { limit: '1' }),
      server.call('GET', `${run}/events?after=1&after=2`),
      get('events', {}, { 'last-event-id': 'one' }),
    ];
    for (const reply of await Promise.all(bad)) expect(reply.code).toBe('QUERY_INVALID');
  });
});

describe('a workflow store that cannot be opened', () => {
  let broken: TestServer;
  beforeAll(async () => {
    broken = await testServer();
    await writeFile(join(broken.dataDir, 'workflows.db'), 'this is no database, and was never one'.repeat(200));
  });
  afterAll(async () => broken[Symbol.asyncDispose]());

  refusesEach(
    'WORKFLOW_STORE_UNAVAILABLE',
    [
      'workflows.runs',
      'workflows.run.overview',
      'workflows.run.edges',
      'workflows.run.group',
      'workflows.run.history',
      'workflows.run.step',
      'workflows.run.lineage',
      'workflows.run.output',
      'workflows.run.events',
    ],
    async (operation) => {
      const { below, query = {} } = ADDRESSES[operation] ?? { below: '' };
      const known = await broken.startSession();
      const path =
        operation === 'workflows.runs'
          ? `/sessions/${known}/workflows`
          : `/sessions/${known}/workflows/${runId}/${below}`;
      expect(await broken.call('GET', path, { query })).toMatchObject({
        status: 503,
        code: 'WORKFLOW_STORE_UNAVAILABLE',
      });
    },
  );
});
