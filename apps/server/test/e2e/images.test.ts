import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createModelServer } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, TOKEN, testServer } from '../harness.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]);

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const dataUrl = (type: string, bytes: Buffer): string => `data:image/${type};base64,${bytes.toString('base64')}`;
const upload = (body: unknown) => server.call('POST', '/chat-images', { body });
const image = async (bytes: Buffer = PNG): Promise<any> =>
  (await upload({ nome: 'a.png', dataUrl: dataUrl('png', bytes) })).data;
const raw = (path: string, method = 'GET') =>
  fetch(`${server.url}api/v1${path}`, { method, headers: { cookie: `svc_token=${TOKEN}` } });
const large = (bytes: number): Buffer => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]);

/** The picture in a file of this size: a chunk that no decoder looks at comes before its last one. */
function paddedPng(sizeBytes: number): Buffer {
  const chunk = Buffer.alloc(sizeBytes - PNG.length);
  chunk.writeUInt32BE(chunk.length - 12);
  chunk.write('prIv', 4);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return Buffer.concat([PNG.subarray(0, -12), chunk, PNG.subarray(-12)]);
}

/** The first picture of a request to Claude. */
function pictureOf(body: unknown): { media_type: string; data: string } {
  const { messages } = body as { messages: { content: { type: string; source: never }[] }[] };
  return messages.flatMap(({ content }) => content).find(({ type }) => type === 'image')?.source as never;
}

describe('images of messages', () => {
  covers('chat-images.upload', 'returns the hash of the bytes as id, the same for equal bytes', async () => {
    const { status, data } = await upload({ nome: 'perché no.png', dataUrl: dataUrl('png', PNG) });
    expect([status, data]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        tipo: 'immagine',
        nome: 'perché no.png',
        mimeType: 'image/png',
        byte: PNG.length,
        url: `/api/v1/chat-images/${data.id}`,
      },
    ]);
    expect((await image()).id).toBe(data.id);
    expect((await upload({ nome: 'x', dataUrl: dataUrl('png', large(5 * 1024 * 1024)) })).data.byte).toBe(
      5 * 1024 * 1024,
    );
  });

  refuses('chat-images.upload', 'QUERY_INVALID', 'for another media type, name or field', async () => {
    const url = dataUrl('png', PNG);
    const bad = [
      {},
      { nome: 'x' },
      { dataUrl: url },
      { nome: '', dataUrl: url },
      { nome: 'x'.repeat(241), dataUrl: url },
      { nome: 'a\nb', dataUrl: url },
      { nome: 'x', dataUrl: url, altro: 1 },
      { nome: 'x', dataUrl: dataUrl('png', JPEG) },
      { nome: 'x', dataUrl: dataUrl('gif', PNG) },
      { nome: 'x', dataUrl: `${url} ` },
      { nome: 'x', dataUrl: 'https://example.org/a.png' },
    ];
    for (const body of bad) expect([body, (await upload(body)).code]).toEqual([body, 'QUERY_INVALID']);
  });

  refuses('chat-images.upload', 'PAYLOAD_LIMIT', 'one byte above 5 MiB, or for a body above 7 MB', async () => {
    const over = { nome: 'x', dataUrl: dataUrl('png', large(5 * 1024 * 1024 + 1)) };
    expect(await upload(over)).toMatchObject({ status: 413, code: 'PAYLOAD_LIMIT', reason: 'image-size' });
    expect((await upload(JSON.stringify({ nome: 'x', dataUrl: 'x'.repeat(7_000_000) }))).code).toBe('PAYLOAD_LIMIT');
  });

  covers('chat-images.read', 'returns the bytes with a policy that runs nothing', async () => {
    const { url, id } = await image();
    const answer = await fetch(new URL(url, server.url), { headers: { cookie: `svc_token=${TOKEN}` } });
    expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'cache-control': 'private, no-store',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers.get('content-disposition')).toBeNull();
    const head = await raw(`/chat-images/${id}`, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(PNG.length), '']);
  });

  refuses('chat-images.read', 'NOT_FOUND', 'for any id that is not the hash of a stored image', async () => {
    const { id } = await image();
    for (const hash of ['0'.repeat(64), id.toUpperCase(), id.slice(1), `${id}0`, '..%2f..%2fsessions.db', 'x']) {
      const reply = await server.call('GET', `/chat-images/${hash}`);
      expect([hash, reply.status, reply.code]).toEqual([hash, 404, 'NOT_FOUND']);
    }
  });

  test('a message stores image references in its event and sends the bytes to the model', async () => {
    const sent = await image();
    const sessionId = await server.startSession({ immagini: [sent] });
    await server.settled(sessionId);
    const [started] = await server.events(sessionId);
    expect(started).toMatchObject({ type: 'RunStarted', input: { immagini: [sent] } });
    const asked = JSON.stringify(server.model.requests.at(-1)?.body);
    expect(asked).toContain(dataUrl('png', PNG));
    const resumed = await server.call('POST', `/sessions/${sessionId}/resume`, {
      body: { messaggio: 'Again.', immagini: [{ id: sent.id }] },
    });
    expect(resumed.ok).toBe(true);
    await server.settled(sessionId);
    const again = (await server.events(sessionId)).filter(({ type }) => type === 'RunStarted').at(-1);
    expect(again).toMatchObject({ input: { seguito: true, immagini: [{ id: sent.id, nome: 'immagine.png' }] } });
  });

  test('a model whose limit is lower gets a smaller copy, and the uploaded bytes stay', async () => {
    await using model = await createModelServer({ script: () => ({ text: 'Seen.' }) });
    await server.call('POST', '/ext/providers/anthropic/connection', { body: { endpoint: `${model.url}/v1` } });
    await server.call('POST', '/providers/anthropic/key', { body: { key: 'sk-pictures' } });
    const bytes = paddedPng(4_000_000);
    const sent = await image(bytes);
    const sessionId = await server.startSession({ immagini: [sent], modello: 'anthropic:claude-sonnet-4-5' });
    await server.settled(sessionId);
    const { media_type: type, data } = pictureOf(model.requests.find(({ wire }) => wire === 'anthropic')?.body);
    expect([type, data.length < 5_242_880]).toEqual(['image/png', true]);
    const kept = Buffer.from(await (await raw(`/chat-images/${sent.id}`)).arrayBuffer());
    expect(kept.equals(bytes)).toBe(true);
    expect(sent.id).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  test('the agent is shown a copy of a picture of more than 5 MiB in the folder', async () => {
    await server.project.write({ 'large.png': paddedPng(5 * 1024 * 1024 + 1) });
    const read = { toolCalls: [{ name: 'leggi', arguments: { percorso: 'large.png' } }] };
    server.model.script([read, { text: 'Seen.' }]);
    const sessionId = await server.startSession();
    await server.settled(sessionId);
    server.model.script(() => ({ text: 'Hello.' }));
    const asked = JSON.stringify(server.model.requests.at(-1)?.body);
    expect(asked).toContain('large.png: PNG image, 1 × 1 pixels, 5.0 MiB. Shown as a copy of 1 × 1 pixels.');
    expect(asked).toMatch(/data:image\/png;base64,[\w+/=]{10,1000}"/);
  });

  refuses(
    'sessions.resume',
    'QUERY_INVALID',
    'for too many or unknown images, or images without a message',
    async () => {
      const sent = await image();
      const sessionId = await server.startSession();
      await server.settled(sessionId);
      const before = (await server.events(sessionId)).length;
      const bad = [
        { messaggio: 'x', immagini: Array.from({ length: 11 }, () => sent) },
        { messaggio: 'x', immagini: [{ ...sent, id: 'f'.repeat(64) }] },
        { messaggio: 'x', immagini: [{ ...sent, altro: 1 }] },
        { immagini: [sent] },
      ];
      for (const body of bad) {
        const reply = await server.call('POST', `/sessions/${sessionId}/resume`, { body });
        expect([reply.status, reply.code]).toEqual([400, 'QUERY_INVALID']);
      }
      expect(await server.events(sessionId)).toHaveLength(before);
    },
  );
});

describe('artifacts', () => {
  async function made(html: string): Promise<{ sessionId: string; id: string }> {
    server.model.script(({ lastRole }) =>
      lastRole === 'tool'
        ? { text: 'There it is.' }
        : { toolCalls: [{ name: 'artifact_create', arguments: { titolo: 'Chart', html } }] },
    );
    const sessionId = await server.startSession({ permessi: 'Read only' });
    await server.settled(sessionId);
    server.model.script(() => ({ text: 'Hello.' }));
    const events = await server.events(sessionId);
    const at = events.findIndex(({ type }) => type === 'ArtifactCreated');
    expect(events[at]).toEqual({
      type: 'ArtifactCreated',
      messageId: expect.any(String),
      id: expect.any(String),
      titolo: 'Chart',
      _sequenza: at + 1,
    });
    expect(events[at + 1]).toMatchObject({ type: 'ToolCallResult' });
    return { sessionId, id: (events[at] as { id: string }).id };
  }

  covers('artifacts.read', 'returns the page with isolation headers, framed only by the window', async () => {
    const { id } = await made('<h1>perché</h1><script>1</script>');
    const answer = await raw(`/artifacts/${id}`);
    expect(await answer.text()).toBe('<h1>perché</h1><script>1</script>');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'self'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });

  refuses('artifacts.read', 'NOT_FOUND', 'for an unknown artifact and one of a deleted session', async () => {
    expect(await server.call('GET', '/artifacts/nope')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    const { sessionId, id } = await made('<p>gone</p>');
    await server.call('POST', `/sessions/${sessionId}/delete`);
    expect((await server.call('GET', `/artifacts/${id}`)).code).toBe('NOT_FOUND');
  });
});
