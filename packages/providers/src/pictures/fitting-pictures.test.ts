import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { type ImagePart, type ModelMessage, systemAmbient } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import type { ModelServerRequest, Reply } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createHarness, failureIn, type Harness, textOf } from '../../test/harness.ts';
import type { ProvidersNeeds } from '../index.ts';
import { providerOf } from '../table/registry.ts';
import { createPictureFitting } from './fitting-pictures.ts';
import { pictureLimitsOf } from './picture-limits.ts';

const CLAUDE = 'anthropic:claude-sonnet-4-5';

interface Sent {
  mimeType: string;
  bytes: Buffer;
}

/** Pictures of a request, on any wire. */
function picturesIn({ body }: ModelServerRequest): Sent[] {
  const found: Sent[] = [];
  JSON.stringify(body, (_key, value: unknown) => {
    const { media_type: type, data } = (value ?? {}) as Record<string, string>;
    if (type && data) found.push({ mimeType: type, bytes: Buffer.from(data, 'base64') });
    const [, dataType, text] = /^data:(image\/\w+);base64,(.*)$/.exec(typeof value === 'string' ? value : '') ?? [];
    if (dataType && text) found.push({ mimeType: dataType, bytes: Buffer.from(text, 'base64') });
    return value;
  });
  return found;
}

const isWhole = (bytes: Buffer): Promise<boolean> =>
  sharp(bytes, { failOn: 'error' })
    .stats()
    .then(
      () => true,
      () => false,
    );

/** Judges pictures as api.anthropic.com does, and decodes each. */
async function asClaude(request: ModelServerRequest): Promise<Reply> {
  const pictures = picturesIn(request);
  const refused = (message: string): Reply => ({ fault: { kind: 'status', status: 400, message } });
  for (const { bytes, mimeType } of pictures) {
    const size = bytes.toString('base64').length;
    if (size > 5_242_880) return refused(`image exceeds 5 MB maximum: ${size} bytes > 5242880 bytes`);
    const { width, height, format } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (mimeType !== `image/${format}`) return refused('image does not match the provided media type');
    const limit = pictures.length > 20 ? 2000 : 8000;
    if (Math.max(width, height) > limit) return refused(`image dimensions exceed max allowed size: ${limit} pixels`);
    if (!(await isWhole(bytes))) return refused('Could not process image');
  }
  return { text: `saw ${pictures.length}` };
}

async function claude(needs: Partial<ProvidersNeeds> = {}): Promise<Harness> {
  const harness = await createHarness({ script: asClaude, needs });
  await harness.connect('anthropic');
  return harness;
}

const part = (bytes: Buffer, mimeType = 'image/png'): ImagePart => ({ type: 'image', mimeType, bytes });
const user = (...content: ImagePart[]): ModelMessage => ({
  role: 'user',
  content: [{ type: 'text', text: 'look' }, ...content],
});
const kindsIn = (request: ModelServerRequest): string[] => picturesIn(request).map(({ mimeType }) => mimeType);
const notesIn = ({ body }: ModelServerRequest): string[] => JSON.stringify(body).match(/\[Picture[^\]]*\]/g) ?? [];

/** Bytes that no encoder makes smaller, the same in every run: what repeats is farther apart than encoders look. */
function noise(size: number): Buffer {
  const block = Array.from({ length: 4096 }, (_, index) => createHash('sha256').update(`${index}`).digest());
  return Buffer.alloc(size, Buffer.concat(block));
}

/** A small file with a picture that takes gigabytes. */
function bomb(side: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  header.set([8, 2], 8);
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  const rows = chunk('IDAT', deflateSync(Buffer.alloc(1_000_000)));
  return Buffer.concat([start, chunk('IHDR', header), rows, chunk('IEND', Buffer.alloc(0))]);
}

const plain = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha } } });
const noisy = (side: number) => sharp(noise(side * side * 3), { raw: { width: side, height: side, channels: 3 } });

test('a picture larger than the limit of bytes is sent as a smaller copy, and its neighbor as it is', async () => {
  await using harness = await claude();
  const large = await noisy(1300).png().toBuffer();
  expect(large.length).toBeGreaterThan(5_000_000);
  const hash = createHash('sha256').update(large).digest('hex');
  const small = await plain(10, 10).png().toBuffer();
  const events = await harness.ask(CLAUDE, { messages: [user(part(large), part(small))] });
  expect(textOf(events)).toBe('saw 2');
  const [request] = harness.server.requests;
  const [copy, neighbor] = request ? picturesIn(request) : [];
  expect(neighbor?.bytes.equals(small)).toBe(true);
  expect(copy?.mimeType).toBe('image/jpeg');
  expect(createHash('sha256').update(large).digest('hex')).toBe(hash);
  // Only the encoding is another: nothing is said about it.
  expect(request && notesIn(request)).toEqual([]);
});

test('a picture is sent as it is at the limit of pixels, and smaller with a note above it', async () => {
  await using harness = await claude();
  const at = await plain(8000, 40).png().toBuffer();
  const above = await plain(8001, 40).png().toBuffer();
  expect(textOf(await harness.ask(CLAUDE, { messages: [user(part(at), part(above))] }))).toBe('saw 2');
  const [request] = harness.server.requests;
  const [same, copy] = request ? picturesIn(request) : [];
  expect(same?.bytes.equals(at)).toBe(true);
  expect(await sharp(copy?.bytes).metadata()).toMatchObject({ width: 8000, height: 39, format: 'png' });
  expect(request && notesIn(request)).toEqual([
    '[Picture: made smaller for this model: 8001 × 40 px became 8000 × 39 px, scale coordinates.]',
  ]);
});

test('twenty pictures are sent as they are, and a further one makes the large ones smaller', async () => {
  await using harness = await claude();
  const wide = part(await plain(2400, 20).png().toBuffer());
  const twenty = Array.from({ length: 20 }, (_, index) => ({ ...wide, bytes: Buffer.from(wide.bytes), index }));
  expect(textOf(await harness.ask(CLAUDE, { messages: [user(...twenty)] }))).toBe('saw 20');
  expect(textOf(await harness.ask(CLAUDE, { messages: [user(...twenty, { ...wide })] }))).toBe('saw 21');
  const notes = harness.server.requests.map((request) => notesIn(request).length);
  expect(notes).toEqual([0, 21]);
});

test('pictures of results are numbered in their notes', async () => {
  await using harness = await claude();
  const images = [part(await plain(5, 5).png().toBuffer()), part(await plain(9000, 9).png().toBuffer())];
  const messages: ModelMessage[] = [
    user(),
    { role: 'assistant', parts: [{ type: 'call', id: 'c1', name: 'leggi', arguments: '{}' }] },
    { role: 'tool', toolCallId: 'c1', toolName: 'leggi', content: 'a.png', isError: false, images },
  ];
  expect(textOf(await harness.ask(CLAUDE, { messages }))).toBe('saw 2');
  const [request] = harness.server.requests;
  expect(request && notesIn(request)).toEqual([
    '[Picture 2: made smaller for this model: 9000 × 9 px became 8000 × 8 px, scale coordinates.]',
  ]);
});

test('a turned photo is upright, one in print colors is in screen colors, and transparency stays', async () => {
  await using harness = await claude();
  const turned = await plain(9000, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const print = await plain(9000, 30).toColourspace('cmyk').jpeg().toBuffer();
  const clear = await plain(9000, 30, 0.5).png().toBuffer();
  const messages = [user(part(turned, 'image/jpeg'), part(print, 'image/jpeg'), part(clear))];
  expect(textOf(await harness.ask(CLAUDE, { messages }))).toBe('saw 3');
  const [request] = harness.server.requests;
  const copies = await Promise.all((request ? picturesIn(request) : []).map(({ bytes }) => sharp(bytes).metadata()));
  expect(copies).toMatchObject([
    { width: 26, height: 8000, format: 'jpeg', space: 'srgb' },
    { width: 8000, height: 26, format: 'jpeg', space: 'srgb' },
    { width: 8000, height: 26, format: 'png', hasAlpha: true },
  ]);
  const colors = await sharp(request && picturesIn(request)[1]?.bytes).stats();
  const [red = 0, green = 255] = colors.channels.map(({ mean }) => mean);
  expect([red > 150, green < 90]).toEqual([true, true]);
  expect(copies.map(({ orientation }) => orientation)).toEqual([undefined, undefined, undefined]);
  expect(request && notesIn(request)[0]).toContain('30 × 9000 px became 26 × 8000 px');
});

test('a large picture that cannot be read is left out with a note, and the rest is sent', async () => {
  await using harness = await claude();
  const whole = await plain(9000, 900).png().toBuffer();
  const broken = whole.subarray(0, whole.length / 2);
  const unnamed = Buffer.alloc(6_000_000, 7);
  const messages = [user(part(broken), part(bomb(60_000)), part(unnamed), part(whole))];
  expect(textOf(await harness.ask(CLAUDE, { messages }))).toBe('saw 1');
  const [request] = harness.server.requests;
  expect(request && notesIn(request)).toEqual([
    '[Picture: left out, it cannot be read.]',
    '[Picture: left out, 60000 × 60000 px is too large.]',
    '[Picture: left out, it cannot be read.]',
    '[Picture: made smaller for this model: 9000 × 900 px became 8000 × 800 px, scale coordinates.]',
  ]);
});

test('of refused pictures only those that cannot be read are left out, from the next request on at once', async () => {
  await using harness = await claude();
  const good = await plain(40, 40).png().toBuffer();
  const photo = await noisy(40).jpeg().toBuffer();
  const messages = [
    user(part(good), part(photo.subarray(0, photo.length / 2), 'image/jpeg'), part(photo, 'image/jpeg')),
  ];
  expect(textOf(await harness.ask(CLAUDE, { messages, cacheKey: 's' }))).toBe('saw 2');
  expect(textOf(await harness.ask(CLAUDE, { messages: [...messages, ...messages], cacheKey: 's' }))).toBe('saw 4');
  const { requests } = harness.server;
  expect(requests.map((request) => picturesIn(request).length)).toEqual([3, 2, 4]);
  expect(requests.map((request) => notesIn(request))).toEqual([
    [],
    ['[Picture: left out, it cannot be read.]'],
    ['[Picture: left out, it cannot be read.]', '[Picture: left out, it cannot be read.]'],
  ]);
  expect(requests.slice(1).every((request) => picturesIn(request)[0]?.bytes.equals(good))).toBe(true);
});

test('readable pictures that a model refuses are left out, all of them', async () => {
  const refused = { fault: { kind: 'status', status: 400, message: 'image input is not supported' } } as const;
  await using harness = await createHarness({ script: [refused, { text: 'a' }, { text: 'b' }] });
  await harness.connect('deepseek');
  const messages = [user(part(await plain(4, 4).png().toBuffer()))];
  for (const text of ['a', 'b'])
    expect(textOf(await harness.ask('deepseek:m', { messages, cacheKey: 's' }))).toBe(text);
  expect(harness.server.requests.map((request) => picturesIn(request).length)).toEqual([1, 0, 0]);
});

test.each([
  ['openai', 'image/png', 'first image of an animation of 3'],
  ['groq', 'image/png', 'first image of an animation of 3'],
  ['deepseek', 'image/gif', undefined],
])('an animation is sent to %s as %s', async (provider, mimeType, note) => {
  await using harness = await createHarness();
  await harness.connect(provider);
  const raw = { width: 8, height: 24, channels: 3 as const, pageHeight: 8 };
  const gif = await sharp(noise(8 * 24 * 3), { raw })
    .gif()
    .toBuffer();
  await harness.ask(`${provider}:m`, { messages: [user(part(gif, 'image/gif'))] });
  const [request] = harness.server.requests;
  expect(request && kindsIn(request)).toEqual([mimeType]);
  expect(request && notesIn(request)).toEqual(note ? [`[Picture: ${note}.]`] : []);
});

test('a still GIF is sent as it is where only animations are refused', async () => {
  await using harness = await createHarness();
  await harness.connect('openai');
  const gif = await plain(8, 8).gif().toBuffer();
  await harness.ask('openai:m', { messages: [user(part(gif, 'image/gif'))] });
  const [request] = harness.server.requests;
  expect(request && kindsIn(request)).toEqual(['image/gif']);
});

test('the newest five pictures are sent to a provider that takes five, within its bytes', async () => {
  await using harness = await createHarness();
  await harness.connect('groq');
  const large = await noisy(700).png().toBuffer();
  const pictures = Array.from({ length: 6 }, () => part(Buffer.from(large)));
  await harness.ask('groq:m', { messages: [user(...pictures)] });
  const [request] = harness.server.requests;
  const sent = request ? picturesIn(request) : [];
  expect(sent).toHaveLength(5);
  expect(sent.reduce((sum, { bytes }) => sum + bytes.toString('base64').length, 0)).toBeLessThan(3_900_000);
  expect(request && notesIn(request)[0]).toBe(
    '[Picture: left out, the model takes 5 at once and newer ones are sent.]',
  );
});

test('a copy is made once, also for turns at the same time', async () => {
  await using fitting = createPictureFitting({ ambient: fakeAmbient(), environment: {} });
  const bytes = await plain(9000, 30).png().toBuffer();
  const limits = pictureLimitsOf(providerOf('anthropic'), 'claude-sonnet-4-5');
  const ask = async (sidePx = 8000) => {
    const messages = [user(part(Buffer.from(bytes)))];
    const [message] = await fitting.fitted(messages, { formats: [], ...limits, sidePx }, new AbortController().signal);
    return message?.role === 'user' ? message.content.find(({ type }) => type === 'image') : undefined;
  };
  const [first, second, other] = await Promise.all([ask(), ask(), ask(7999)]);
  const third = await ask();
  const copy = (shown: typeof first) => (shown?.type === 'image' ? shown.bytes : undefined);
  expect(copy(first)).toBeDefined();
  expect(copy(second)).toBe(copy(first));
  expect(copy(third)).toBe(copy(first));
  expect(copy(other)).not.toBe(copy(first));
});

test('a stopped turn does not wait for a copy', async () => {
  await using harness = await claude({ ambient: systemAmbient('silent') });
  const stop = new AbortController();
  const asked = harness.ask(CLAUDE, { messages: [user(part(await noisy(1300).png().toBuffer()))] }, stop.signal);
  stop.abort();
  expect(failureIn(await asked).class).toBe('cancelled');
  expect(harness.server.requests).toEqual([]);
});
