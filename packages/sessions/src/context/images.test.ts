import { join } from 'node:path';
import { type ModelMessage, openBlobs, openDatabase, type SqliteDatabase } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { resultEvents } from '../calls/call-result.ts';
import { createImageTable } from '../store/image-table.ts';
import { MIGRATIONS } from '../store/migrations.ts';
import { finish, say } from '../testing.ts';
import { createConversation } from './conversation.ts';
import { scheduleImageSweep } from './image-sweep.ts';
import { type ChatImages, createChatImages } from './images.ts';
import { type MessageWithImages, withImages } from './with-images.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 4, 5]);
const WEBP = Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1');
const GIF = Buffer.from('GIF89a\0\0', 'latin1');
const dataUrl = (type: string, bytes: Buffer): string => `data:image/${type};base64,${bytes.toString('base64')}`;
const sized = (bytes: number): Buffer => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length, bytes % 251)]);

let dir: TempDir;
let images: ChatImages;
beforeEach(async () => {
  dir = await tempDir();
  images = createChatImages(openBlobs(dir.path));
});
afterEach(async () => dir[Symbol.asyncDispose]());

const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: { code?: string; reason?: string }) => `${error.code} ${error.reason}`,
  );

describe('an uploaded image', () => {
  test('is identified by the hash of its bytes and read back with its type', async () => {
    for (const [type, bytes] of Object.entries({ png: PNG, jpeg: JPEG, webp: WEBP })) {
      const reference = await images.upload({ name: `a.${type}`, dataUrl: dataUrl(type, bytes) });
      expect(reference).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        tipo: 'immagine',
        nome: `a.${type}`,
        mimeType: `image/${type}`,
        byte: bytes.length,
        url: `/api/v1/chat-images/${reference.id}`,
      });
      expect(await images.read(reference.id)).toEqual({ bytes, mimeType: `image/${type}` });
    }
  });

  test('is refused when its type is wrong, its encoding invalid or its size too large', async () => {
    const upload = (text: string) => refusal(images.upload({ name: 'a', dataUrl: text }));
    expect(await upload(dataUrl('png', JPEG))).toBe('QUERY_INVALID image-signature');
    expect(await upload(dataUrl('png', Buffer.from('<svg>')))).toBe('QUERY_INVALID image-signature');
    expect(await upload(dataUrl('gif', GIF))).toBe('QUERY_INVALID image-data-url');
    expect(await upload('data:image/svg+xml;base64,AAAA')).toBe('QUERY_INVALID image-data-url');
    expect(await upload(`${dataUrl('png', PNG)}\n`)).toBe('QUERY_INVALID image-base64');
    expect(await upload('data:image/png;base64,')).toBe('QUERY_INVALID image-signature');
    expect(await upload(dataUrl('png', sized(5 * 1024 * 1024)))).toBe('done');
    expect(await upload(dataUrl('png', sized(5 * 1024 * 1024 + 1)))).toBe('PAYLOAD_LIMIT image-size');
  });

  test('is referenced by id, with at most ten and 12 MiB per message', async () => {
    const { id } = await images.upload({ name: 'a.png', dataUrl: dataUrl('png', PNG) });
    expect(await images.compose({ message: 'm' })).toEqual({ message: 'm' });
    const composed = await images.compose({ message: 'm', images: [{ id, name: 'mine' }, { id }] });
    expect(composed.images).toMatchObject([
      { id, nome: 'mine', mimeType: 'image/png', byte: PNG.length },
      { id, nome: 'immagine.png' },
    ]);
    const several = (count: number, one: string) =>
      refusal(images.compose({ message: 'm', images: Array.from({ length: count }, () => ({ id: one })) }));
    expect(await several(10, id)).toBe('done');
    expect(await several(11, id)).toBe('QUERY_INVALID too-many-images');
    expect(await several(1, '0'.repeat(64))).toBe('QUERY_INVALID image-unknown');
    expect(await several(1, '../x')).toBe('QUERY_INVALID image-unknown');
    const large = await images.upload({ name: 'b', dataUrl: dataUrl('png', sized(5 * 1024 * 1024)) });
    expect(await several(2, large.id)).toBe('done');
    expect(await several(3, large.id)).toBe('QUERY_INVALID images-too-large');
  });
});

describe('images for the model', () => {
  const user = (text: string, ...ids: string[]): MessageWithImages => ({
    role: 'user',
    content: [
      { type: 'text', text },
      ...ids.map((id) => ({ type: 'picture' as const, id, mimeType: 'image/png', name: 'p', sizeBytes: null })),
    ],
  });
  const shown = (messages: readonly ModelMessage[]): string[] =>
    messages.map((message) =>
      message.role === 'user'
        ? message.content.map((part) => (part.type === 'text' ? part.text : `<${part.bytes.length}>`)).join(' ')
        : '',
    );

  test('are bytes instead of references, and text for a deleted image', async () => {
    const [kept] = await images.keep([{ mimeType: 'image/png', bytes: PNG }]);
    const messages = await withImages([user('look', kept?.id ?? ''), user('and', 'f'.repeat(64))], images);
    expect(shown(messages)).toEqual(['look <11>', 'and [Picture "p": no longer kept.]']);
  });

  test('include the newest 12 MiB and text for the rest', async () => {
    const ids = (
      await images.keep([5, 4, 3.5].map((mib) => ({ mimeType: 'image/png', bytes: sized(mib * 2 ** 20) })))
    ).map(({ id }) => id);
    const messages = await withImages(
      ids.map((id, index) => user(`${index}`, id)),
      images,
    );
    expect(shown(messages)).toEqual([
      '0 [Picture "p": left out, newer pictures fill what can be sent at once.]',
      `1 <${4 * 2 ** 20}>`,
      `2 <${3.5 * 2 ** 20}>`,
    ]);
  });

  test('include images a tool read beside its result', async () => {
    const kept = await images.keep([{ mimeType: 'image/png', bytes: PNG }]);
    const gone = { id: '0'.repeat(64), mimeType: 'image/png' };
    const facts = { durationMs: 1, messageId: 'm', images: [...kept, gone], turn: 1 };
    const conversation = createConversation();
    conversation.apply({ type: 'ToolCallStart', toolCallId: 'c1', toolCallName: 'leggi' }, 0);
    for (const event of resultEvents('c1', { content: 'a picture' }, facts)) conversation.apply(event, 0);
    expect((await withImages(conversation.messages(), images)).at(-1)).toEqual({
      role: 'tool',
      toolCallId: 'c1',
      toolName: 'leggi',
      content: 'a picture\n[Picture: no longer kept.]',
      isError: false,
      images: [{ type: 'image', mimeType: 'image/png', bytes: PNG }],
    });
  });

  test('include audio and PDF a tool read, also after they are read back', async () => {
    const pdf = Buffer.from('%PDF-1.7 a page');
    const media = [{ mimeType: 'application/pdf' as const, bytes: pdf, name: 'demo://report' }];
    const kept = await images.keepMedia(media);
    expect(kept).toEqual([{ id: kept[0]?.id, mimeType: 'application/pdf', nome: 'demo://report', byte: pdf.length }]);
    const gone = { id: '0'.repeat(64), mimeType: 'audio/wav', nome: 'voice', byte: 9 };
    const facts = { durationMs: 1, messageId: 'm', images: [...kept, gone], turn: 1 };
    const conversation = createConversation();
    conversation.apply({ type: 'ToolCallStart', toolCallId: 'c1', toolCallName: 'mcp__a__b' }, 0);
    for (const event of resultEvents('c1', { content: 'here' }, facts)) conversation.apply(event, 0);
    expect((await withImages(conversation.messages(), images)).at(-1)).toEqual({
      role: 'tool',
      toolCallId: 'c1',
      toolName: 'mcp__a__b',
      content: 'here\n[File "voice": no longer kept.]',
      isError: false,
      media,
    });
    const id = kept[0]?.id ?? '';
    expect(await refusal(images.read(id))).toBe('NOT_FOUND image-unknown');
    expect(await refusal(images.compose({ message: 'm', images: [{ id }] }))).toBe('QUERY_INVALID image-unknown');
  });

  test('leave messages without images unchanged', async () => {
    const messages = [user('hello')];
    expect(await withImages(messages, images)).toBe(messages);
  });
});

describe('images of a session', () => {
  test('are referenced in the event, sent as bytes, and can be added by the next message', async () => {
    await using open = await testSessions([
      { events: [...say('seen'), finish('stop')] },
      { events: [...say('more'), finish('stop')] },
    ]);
    const { id } = await open.sessions.images.upload({ name: 'a.png', dataUrl: dataUrl('png', PNG) });
    const sessionId = await open.start();
    await open.sessions.turns.settled(sessionId);
    await open.sessions.turns.resume(sessionId, { message: 'look', images: [{ id }] });
    await open.sessions.turns.settled(sessionId);
    const starts = (await open.events(sessionId)).filter((event) => event.type === 'RunStarted');
    expect(starts.map(({ input }) => input?.immagini?.map((image) => image.id))).toEqual([undefined, [id]]);
    const asked = open.model.requests.at(-1)?.messages.findLast(({ role }) => role === 'user');
    expect(asked).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', mimeType: 'image/png', bytes: PNG },
      ],
    });
    const unknown = { message: 'look', images: [{ id: '0'.repeat(64) }] };
    expect(await refusal(open.sessions.turns.resume(sessionId, unknown))).toBe('QUERY_INVALID image-unknown');
  });

  test('are those of the journal, not those named in a text', async () => {
    await using open = await testSessions([{ events: [...say('"immagini":[{"id":"no"}]'), finish('stop')] }]);
    const { id } = await open.sessions.images.upload({ name: 'a.png', dataUrl: dataUrl('png', PNG) });
    const sessionId = await open.start();
    await open.sessions.turns.settled(sessionId);
    using db = disposable(openDatabase(join(open.dir, 'sessions.db'), { migrations: MIGRATIONS }));
    const table = createImageTable(db.store);
    expect(table.referenced()).toEqual(new Set());
    await open.sessions.turns.resume(sessionId, { message: 'look', images: [{ id }] });
    await open.sessions.turns.settled(sessionId);
    expect(table.referenced()).toEqual(new Set([id]));
    await open.sessions.remove(sessionId);
    expect(table.referenced()).toEqual(new Set());
  });
});

test('without a reference are deleted after a day', async () => {
  const ambient = fakeAmbient();
  const asked: unknown[] = [];
  const sweep: ChatImages['sweep'] = async (isUsed, keepSince) => {
    asked.push(isUsed('a'), isUsed('b'), keepSince);
    return 1;
  };
  const table = { referenced: () => new Set(['a']) };
  scheduleImageSweep(ambient, { sweep }, table);
  scheduleImageSweep(ambient, { sweep }, table)();
  await ambient.advance(3_600_000);
  const sweptAt = ambient.now() - 3_600_000 + 60_000;
  expect(asked).toEqual([true, false, sweptAt - 24 * 3_600_000]);
});

function disposable(store: SqliteDatabase): { store: SqliteDatabase; [Symbol.dispose](): void } {
  return { store, [Symbol.dispose]: () => void store.close() };
}
