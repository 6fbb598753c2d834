import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { disposition } from '../../src/http/bytes.ts';
import { covers, refuses } from '../covers.ts';
import { type TestServer, TOKEN, testServer, until } from '../harness.ts';

let server: TestServer;
let session: string;
beforeAll(async () => {
  server = await testServer();
  session = await server.startSession();
  await server.settled(session);
});
afterAll(async () => server[Symbol.asyncDispose]());

const at = (name: string): string => join(server.project.path, name);
const get = (percorso: string, method = 'GET') =>
  server.call(method, `/sessions/${session}/file`, { query: { percorso } });

async function bytesOf(percorso: string): Promise<{ headers: Headers; bytes: Buffer }> {
  const response = await fetch(`${server.url}api/v1/sessions/${session}/file?${new URLSearchParams({ percorso })}`, {
    headers: { cookie: `svc_token=${TOKEN}` },
  });
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

covers('sessions.download', 'returns the raw bytes as an attachment', async () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
  await writeFile(at('perché "no".html'), bytes);
  const answer = await bytesOf('perché "no".html');
  expect(answer.bytes.equals(bytes)).toBe(true);
  expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  expect(answer.headers.get('content-length')).toBe('300000');
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="perch_ _no_.html"; filename*=UTF-8''perch%C3%A9%20%22no%22.html`,
  );
});

covers('sessions.download', 'returns an empty file, and HEAD returns only the size', async () => {
  await writeFile(at('empty'), '');
  expect((await bytesOf('empty')).bytes).toHaveLength(0);
  const head = await get('src/pages.js', 'HEAD');
  expect([head.status, head.text, Number(head.headers.get('content-length')) > 100]).toEqual([200, '', true]);
});

refuses('sessions.download', 'FILE_TOO_LARGE', 'one byte above 64 MiB', async () => {
  await writeFile(at('large'), '');
  await truncate(at('large'), 64 * 1024 * 1024 + 1);
  const refused = await get('large');
  expect(refused).toMatchObject({ status: 413, code: 'FILE_TOO_LARGE', reason: 'download-limit' });
  expect(refused.error).toMatchObject({
    params: { limitBytes: 67_108_864, sizeBytes: 67_108_865 },
    message: expect.stringContaining('64 MiB'),
  });
  await truncate(at('large'), 64 * 1024 * 1024);
  expect((await bytesOf('large')).bytes).toHaveLength(64 * 1024 * 1024);
});

refuses('sessions.download', 'FILE_NOT_FOUND', 'for a missing file', async () => {
  expect(await get('nope')).toMatchObject({ status: 404, code: 'FILE_NOT_FOUND' });
});

test('never serves a path outside the folder, a folder, or a link that leads out', async () => {
  await symlink('/etc/passwd', at('out'));
  for (const percorso of ['..', '../x', '/etc/passwd', 'src/../../x', 'out', 'src', 'a\0b']) {
    expect([percorso, (await get(percorso)).code]).toEqual([percorso, 'QUERY_INVALID']);
  }
});

test('escapes the file name in its header', () => {
  expect(disposition('a\r\nSet-Cookie: x".txt')).not.toMatch(/[\r\n]|"[^"]*"[^"]*"/);
});

describe('a byte range', () => {
  const part = async (percorso: string, headers: Record<string, string>, method = 'GET') => {
    const response = await fetch(`${server.url}api/v1/sessions/${session}/file?${new URLSearchParams({ percorso })}`, {
      method,
      headers: { cookie: `svc_token=${TOKEN}`, ...headers },
    });
    const text = await response.text();
    const { status } = response;
    return { status, text, range: response.headers.get('content-range'), headers: response.headers };
  };
  /** The strong ETag of a file whose last change is long enough ago. */
  const versionOf = (percorso: string) =>
    until(async () => (await part(percorso, {}, 'HEAD')).headers.get('etag') ?? undefined);

  beforeAll(() => writeFile(at('digits'), '0123456789'));

  covers('sessions.download', 'answers 206 with the range and the total size', async () => {
    for (const [range, text, place] of [
      ['bytes=0-0', '0', '0-0'],
      ['bytes=2-4', '234', '2-4'],
      ['bytes=7-', '789', '7-9'],
      ['bytes=-3', '789', '7-9'],
      ['bytes=-99', '0123456789', '0-9'],
      ['bytes=5-99', '56789', '5-9'],
    ] as const) {
      expect([range, await part('digits', { range })]).toMatchObject([
        range,
        { status: 206, text, range: `bytes ${place}/10` },
      ]);
    }
    const { headers } = await part('digits', { range: 'bytes=2-4' });
    expect([headers.get('content-length'), headers.get('accept-ranges')]).toEqual(['3', 'bytes']);
  });

  test('ignores an invalid range, and HEAD reports the whole file', async () => {
    for (const range of ['bytes=4-2', 'bytes=', 'bytes=-', 'lines=1-2', 'bytes=0-1,4-5', 'bytes=a-b', 'bytes=1e1-']) {
      expect([range, await part('digits', { range })]).toMatchObject([
        range,
        { status: 200, text: '0123456789', range: null },
      ]);
    }
    const head = await part('digits', { range: 'bytes=2-4' }, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.range]).toEqual([200, '10', null]);
  });

  test('answers 416 with the size when the range starts after the end', async () => {
    await writeFile(at('nothing'), '');
    for (const [name, range, size] of [
      ['digits', 'bytes=10-', 10],
      ['digits', 'bytes=-0', 10],
      ['nothing', 'bytes=0-0', 0],
    ] as const) {
      const answer = await part(name, { range });
      expect([answer.status, answer.range]).toEqual([416, `bytes */${size}`]);
      expect(JSON.parse(answer.text)).toMatchObject({
        ok: false,
        error: { code: 'QUERY_INVALID', reason: 'range-not-satisfiable' },
      });
    }
  });

  test('continues a range only for an unchanged file', async () => {
    const version = await versionOf('digits');
    expect(version).toMatch(/^"[\w-]{32}"$/);
    const same = { range: 'bytes=5-', 'if-range': version };
    expect((await part('digits', same)).status).toBe(206);
    for (const other of ['"other"', `W/${version}`, 'Wed, 21 Oct 2015 07:28:00 GMT']) {
      expect((await part('digits', { range: 'bytes=5-', 'if-range': other })).status).toBe(200);
    }
    await writeFile(at('digits'), 'abcdefghij');
    expect(await part('digits', same)).toMatchObject({ status: 200, text: 'abcdefghij' });
    // Just changed: there is no ETag yet, because another change may have the same timestamp.
    expect((await part('digits', {})).headers.get('etag')).toBeNull();
  });

  test('serves ranges of a file above the size limit', async () => {
    await writeFile(at('huge'), 'begin');
    await truncate(at('huge'), 500 * 1024 * 1024);
    expect((await part('huge', {})).status).toBe(413);
    expect((await part('huge', { range: 'bytes=0-' })).status).toBe(413);
    expect(await part('huge', { range: 'bytes=0-4' })).toMatchObject({
      text: 'begin',
      range: `bytes 0-4/${500 * 1024 * 1024}`,
    });
  });
});

test('refuses a link that leads outside or to itself', async () => {
  await symlink('/etc', at('outside-link'));
  await symlink('loop-b', at('loop-a'));
  await symlink('loop-a', at('loop-b'));
  const english = { headers: { 'accept-language': 'en' } };
  const of = (percorso: string) =>
    server.call('GET', `/sessions/${session}/tree/file`, { query: { percorso }, ...english });
  const outside = await of('outside-link');
  expect(outside).toMatchObject({ status: 400, code: 'QUERY_INVALID', reason: 'path-outside' });
  expect(outside.error).toMatchObject({ params: { path: 'outside-link' }, title: 'Link outside the folder' });
  const loop = await of('loop-a');
  expect(loop).toMatchObject({ status: 400, code: 'QUERY_INVALID', reason: 'path-loop' });
  expect(loop.error).toMatchObject({ params: { path: 'loop-a' }, title: 'Link loop' });
});
