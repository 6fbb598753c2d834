import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, TOKEN, testServer, until } from '../harness.ts';

const LIMIT = 100_000;
let server: TestServer;
let session: string;
beforeAll(async () => {
  server = await testServer({ settings: { bodyLimit: LIMIT } });
  session = await server.startSession();
  await server.settled(session);
});
afterAll(async () => server[Symbol.asyncDispose]());

const at = (...parts: string[]): string => join(server.project.path, ...parts);
const present = async (): Promise<string[]> => readdir(at('allegati')).catch(() => []);

interface UploadOptions {
  name?: string | null;
  headers?: Record<string, string>;
  session?: string;
  to?: string;
}

async function upload(
  body: Uint8Array<ArrayBuffer> | string,
  { name = 'a.bin', headers = {}, ...options }: UploadOptions = {},
) {
  const response = await fetch(`${options.to ?? server.url}api/v1/sessions/${options.session ?? session}/chat-files`, {
    method: 'POST',
    headers: {
      cookie: `svc_token=${TOKEN}`,
      'content-type': 'application/octet-stream',
      ...(name !== null && { 'x-svc-file-name': name }),
      ...headers,
    },
    body,
  });
  const { data, error } = (await response.json()) as any;
  return { status: response.status, data, code: error?.code, reason: error?.reason };
}

covers('chat-files.upload', 'stores the bytes in allegati and returns their hash', async () => {
  const bytes = Buffer.from(Array.from({ length: LIMIT }, (_, index) => index % 256));
  const reply = await upload(bytes, { name: encodeURIComponent('perché no.bin') });
  expect(reply).toMatchObject({
    status: 200,
    data: {
      tipo: 'file',
      nome: 'perché no.bin',
      percorso: 'allegati/perché no.bin',
      bytes: LIMIT,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    },
  });
  expect((await readFile(at('allegati', 'perché no.bin'))).equals(bytes)).toBe(true);
  expect((await upload('', { name: 'empty' })).data).toMatchObject({ bytes: 0 });
});

covers('chat-files.upload', 'accepts the window and a program with the token', async () => {
  const origin = server.url.slice(0, -1);
  const window = { origin, 'sec-fetch-site': 'same-origin' };
  expect((await upload('x', { name: 'from-window', headers: window })).status).toBe(200);
});

refuses(
  'chat-files.upload',
  'CHAT_FILE_ORIGIN_FORBIDDEN',
  'for another origin, and for a program when no token is set',
  async () => {
    const foreign = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(await upload('x', { name: 'foreign', headers: foreign })).toMatchObject({
      status: 403,
      code: 'CHAT_FILE_ORIGIN_FORBIDDEN',
    });
    await using open = await testServer({ settings: { token: undefined } });
    const other = await open.startSession();
    await open.settled(other);
    expect((await upload('x', { to: open.url, session: other })).code).toBe('CHAT_FILE_ORIGIN_FORBIDDEN');
    expect(await present()).not.toContain('foreign');
  },
);

refuses('chat-files.upload', 'QUERY_INVALID', 'for another media type, a missing name or an invalid name', async () => {
  const before = await present();
  const bad: UploadOptions[] = [
    { headers: { 'content-type': 'application/json' } },
    { headers: { 'content-type': 'application/octet-stream; charset=x' } },
    { headers: { 'content-encoding': 'gzip' } },
    { name: null },
    { name: '' },
    { name: '%zz' },
    { name: encodeURIComponent('../a') },
    { name: encodeURIComponent('a/b') },
    { name: encodeURIComponent('a\0b') },
    { name: 'x'.repeat(241) },
  ];
  for (const options of bad) {
    const { status, code } = await upload('x', options);
    expect([options, status, code]).toEqual([options, 400, 'QUERY_INVALID']);
  }
  expect(await present()).toEqual(before);
});

refuses('chat-files.upload', 'NOT_FOUND', 'for an unknown session or one whose folder is gone', async () => {
  expect(await upload('x', { session: 'nope' })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  await mkdir(at('sub'));
  const sub = await server.startSession({ cartellaLibera: at('sub') });
  await server.settled(sub);
  await rm(at('sub'), { recursive: true });
  expect((await upload('x', { session: sub })).code).toBe('NOT_FOUND');
});

refuses('chat-files.upload', 'FILE_EXISTS', 'for an existing name, and keeps the existing file', async () => {
  await upload('first', { name: 'same' });
  expect(await upload('second', { name: 'same' })).toMatchObject({ status: 409, code: 'FILE_EXISTS' });
  expect(await readFile(at('allegati', 'same'), 'utf8')).toBe('first');
});

refuses(
  'chat-files.upload',
  'PAYLOAD_LIMIT',
  'one byte above the body limit, with and without content-length, and keeps nothing',
  async () => {
    const before = await present();
    const large = Buffer.alloc(LIMIT + 1);
    expect(await upload(large, { name: 'large' })).toMatchObject({ status: 413, code: 'PAYLOAD_LIMIT' });
    expect(await chunked(Array.from({ length: 11 }, () => Buffer.alloc(10_000)))).toContain('PAYLOAD_LIMIT');
    expect(await present()).toEqual(before);
  },
);

test('an upload that the client aborts leaves no file', async () => {
  const before = await present();
  const sending = send('cut');
  sending.write(Buffer.alloc(10_000));
  await until(async () => ((await present()).length > before.length ? true : undefined));
  sending.destroy();
  await until(async () => ((await present()).length === before.length ? true : undefined));
  expect(await present()).toEqual(before);
});

function send(name: string) {
  const request = httpRequest(`${server.url}api/v1/sessions/${session}/chat-files`, {
    method: 'POST',
    headers: {
      cookie: `svc_token=${TOKEN}`,
      'content-type': 'application/octet-stream',
      'x-svc-file-name': name,
    },
  });
  request.on('error', () => undefined);
  return request;
}

/** Sends chunks without a content length. */
function chunked(pieces: readonly Buffer[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = send('chunked');
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (part) => (text += part))
        .on('end', () => resolve(text));
    });
    for (const piece of pieces) request.write(piece);
    request.end();
  });
}
