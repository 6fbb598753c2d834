import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { disposition } from '../../src/http/bytes.ts';
import { covers, refuses } from '../covers.ts';
import { type TestServer, TOKEN, testServer } from '../harness.ts';

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

covers('sessions.download', 'the bytes as they are, as an attachment that runs nothing', async () => {
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

covers('sessions.download', 'an empty file is an empty answer; HEAD tells the size and sends nothing', async () => {
  await writeFile(at('empty'), '');
  expect((await bytesOf('empty')).bytes).toHaveLength(0);
  const head = await get('src/pages.js', 'HEAD');
  expect([head.status, head.text, Number(head.headers.get('content-length')) > 100]).toEqual([200, '', true]);
});

refuses('sessions.download', 'FILE_TOO_LARGE', 'one byte above 64 MiB', async () => {
  await writeFile(at('large'), '');
  await truncate(at('large'), 64 * 1024 * 1024 + 1);
  expect(await get('large')).toMatchObject({ status: 413, code: 'FILE_TOO_LARGE' });
  await truncate(at('large'), 64 * 1024 * 1024);
  expect((await bytesOf('large')).bytes).toHaveLength(64 * 1024 * 1024);
});

refuses('sessions.download', 'FILE_NOT_FOUND', 'no such file', async () => {
  expect(await get('nope')).toMatchObject({ status: 404, code: 'FILE_NOT_FOUND' });
});

test('nothing outside the folder, no folder and no link that leads out is carried away', async () => {
  await symlink('/etc/passwd', at('out'));
  for (const percorso of ['..', '../x', '/etc/passwd', 'src/../../x', 'out', 'src', 'a\0b']) {
    expect([percorso, (await get(percorso)).code]).toEqual([percorso, 'QUERY_INVALID']);
  }
});

test('a name never breaks out of its header', () => {
  expect(disposition('a\r\nSet-Cookie: x".txt')).not.toMatch(/[\r\n]|"[^"]*"[^"]*"/);
});
