import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, TOKEN, testServer, until } from '../harness.ts';

const WHOLE = Array.from({ length: 30_000 }, (_, index) => `${index + 1} è\n`).join('');
const SIZE = Buffer.byteLength(WHOLE);
let server: TestServer;
let session: string;
beforeAll(async () => {
  const calls = [
    { id: 'big', name: 'shell', arguments: { comando: "seq 1 30000 | sed 's/$/ è/'; printf 'wrong\\0' >&2" } },
    { id: 'flood', name: 'shell', arguments: { comando: 'yes | head -c 20000000' } },
  ];
  let step = 0;
  server = await testServer({ script: () => (step++ === 0 ? { toolCalls: calls } : { text: 'Done.' }) });
  session = await server.startSession();
  await server.settled(session);
});
afterAll(async () => server[Symbol.asyncDispose]());

type Query = Record<string, string>;
const get = (id: string, query: Query = {}, of = session) =>
  server.call('GET', `/sessions/${of}/process-outputs/${id}`, { query });
async function raw(id: string, query: Query, method = 'GET'): Promise<{ headers: Headers; bytes: Buffer }> {
  const response = await fetch(
    `${server.url}api/v1/sessions/${session}/process-outputs/${id}?${new URLSearchParams(query)}`,
    { method, headers: { cookie: `svc_token=${TOKEN}` } },
  );
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

covers('sessions.process-output', 'returns the whole text in windows, even beyond what the model saw', async () => {
  const first = (await get('big')).data;
  expect(first).toEqual({
    outputId: 'big',
    stream: 'stdout',
    offset: 0,
    bytes: first.nextOffset,
    nextOffset: expect.any(Number),
    availableBytes: SIZE,
    state: 'complete',
    text: expect.stringMatching(/^1 è\n/),
  });
  let text = '';
  for (let offset: number | null = 0; offset !== null; ) {
    const { data } = await get('big', { offset: String(offset), limit: '9999' });
    expect([data.offset, Buffer.byteLength(data.text)]).toEqual([offset, data.bytes]);
    text += data.text;
    offset = data.nextOffset;
  }
  expect(text).toBe(WHOLE);
  expect((await get('big', { stream: 'stderr' })).data).toMatchObject({ text: 'wrong\0', nextOffset: null });
  expect((await get('flood', { limit: '2' })).data).toMatchObject({
    state: 'truncated',
    availableBytes: 8 * 1024 * 1024,
  });
});

covers('sessions.process-output', 'returns raw bytes with their range in the headers', async () => {
  const { headers, bytes } = await raw('big', { format: 'raw', offset: '2', limit: '3' });
  expect(bytes).toEqual(Buffer.from(WHOLE).subarray(2, 5));
  expect(headers.get('content-type')).toBe('application/octet-stream');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  const named = ['offset', 'next-offset', 'available-bytes', 'state'].map((name) =>
    headers.get(`x-svc-output-${name}`),
  );
  expect(named).toEqual(['2', '5', String(SIZE), 'complete']);
  const end = await raw('big', { format: 'raw', offset: String(SIZE) });
  expect([end.bytes.length, end.headers.has('x-svc-output-next-offset')]).toEqual([0, false]);
  const head = await raw('big', { format: 'raw', limit: '7' }, 'HEAD');
  expect([head.bytes.length, head.headers.get('content-length')]).toEqual([0, '7']);
});

covers('sessions.process-output', 'returns the whole stream as a download', async () => {
  const { headers, bytes } = await raw('big', { format: 'download' });
  expect(bytes.equals(Buffer.from(WHOLE))).toBe(true);
  expect(headers.get('content-disposition')).toContain('attachment; filename="big.stdout.txt"');
  expect((await raw('flood', { format: 'download', stream: 'stderr' })).bytes).toHaveLength(0);
  expect((await raw('big', { format: 'download' }, 'HEAD')).headers.get('content-length')).toBe(String(SIZE));
});

covers('sessions.process-output', 'returns the available output of a running command', async () => {
  let step = 0;
  const comando = 'echo begun; while ! [ -e go ]; do sleep 0.02; done; echo over';
  server.model.script(() =>
    step++ === 0 ? { toolCalls: [{ id: 'slow', name: 'shell', arguments: { comando } }] } : { text: 'Done.' },
  );
  const own = await server.startSession();
  const begun = await until(async () => {
    const { data } = await get('slow', {}, own);
    return data?.text === 'begun\n' ? data : undefined;
  });
  expect(begun).toMatchObject({ state: 'running', nextOffset: 6, availableBytes: 6 });
  expect((await get('slow', { offset: '6' }, own)).data).toMatchObject({ bytes: 0, nextOffset: 6 });
  await server.project.write({ go: '' });
  await server.settled(own);
  expect((await get('slow', { offset: '6' }, own)).data).toMatchObject({
    text: 'over\n',
    nextOffset: null,
    state: 'complete',
  });
  await server.call('POST', `/sessions/${own}/delete`);
  expect((await get('slow', {}, own)).status).toBe(404);
});

refuses(
  'sessions.process-output',
  'NOT_FOUND',
  'for an unknown session or output, one of another session, and a path',
  async () => {
    const other = await server.startSession();
    await server.settled(other);
    const asked: [string, string][] = [
      ['none', session],
      ['big', 'none'],
      ['big', other],
      ['..%2F..%2Fsessions.db', session],
      ['big.stdout', session],
    ];
    for (const [id, of] of asked)
      expect([id, await get(id, {}, of)]).toMatchObject([id, { status: 404, code: 'NOT_FOUND' }]);
  },
);

refuses('sessions.process-output', 'QUERY_INVALID', 'for an invalid stream, offset, size or format', async () => {
  const bad: Query[] = [
    { stream: 'stdin' },
    { offset: '-1' },
    { offset: '1e3' },
    { limit: '0' },
    { limit: String(8 * 1024 * 1024 + 1) },
    { limit: '' },
    { format: 'json' },
    { format: 'download', offset: '1' },
    { other: '1' },
  ];
  for (const query of bad)
    expect([query, await get('big', query)]).toMatchObject([query, { status: 400, code: 'QUERY_INVALID' }]);
  const twice = await server.call('GET', `/sessions/${session}/process-outputs/big?offset=1&offset=2`);
  expect([twice.status, twice.code]).toEqual([400, 'QUERY_INVALID']);
});

test('an aborted download does no harm', async () => {
  const cut = new AbortController();
  const response = await fetch(`${server.url}api/v1/sessions/${session}/process-outputs/flood?format=download`, {
    headers: { cookie: `svc_token=${TOKEN}` },
    signal: cut.signal,
  });
  await response.body?.getReader().read();
  cut.abort();
  expect((await get('big')).status).toBe(200);
});
