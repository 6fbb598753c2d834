import { readdir, readFile, realpath } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createOutboundHttp, systemAmbient, type Tool, type ToolContext } from '@fucina/shared';
import { redirectOrigins, tempDir } from '@fucina/testkit';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createHarness, type Harness } from '../../test/harness.ts';

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('pixels')]);
const base64 = PNG.toString('base64');

/** Responses of each provider, written by us according to its documentation. */
const ANSWERS: Record<string, unknown> = {
  openai: { data: [{ b64_json: base64 }] },
  gemini: {
    candidates: [{ content: { parts: [{ text: 'Here.' }, { inlineData: { mimeType: 'image/png', data: base64 } }] } }],
  },
  aggregator: { choices: [{ message: { images: [{ image_url: { url: `data:image/png;base64,${base64}` } }] } }] },
};

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Place extends AsyncDisposable {
  harness: Harness;
  tool: Tool;
  folder: string;
  asked: { path: string; body: Record<string, unknown>; headers: Record<string, unknown> }[];
  run(input?: unknown): ReturnType<Tool['run']>;
}

async function place(provider: string | undefined, answer: (response: ServerResponse) => void): Promise<Place> {
  const dir = await tempDir();
  const folder = await realpath(dir.path);
  const asked: Place['asked'] = [];
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    asked.push({ path: request.url ?? '', body: JSON.parse(text), headers: request.headers });
    answer(response);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const out = createOutboundHttp({ ambient: systemAmbient('silent') });
  const http = redirectOrigins(out, { 'https://generativelanguage.googleapis.com': url });
  const harness = await createHarness({ needs: { http } });
  if (provider && provider !== 'gemini') harness.providers.runtime.change(provider, { endpoint: `${url}/v1` });
  if (provider) await harness.providers.keys.add(provider, { key: 'painter-key-000' });
  const tool = (await harness.providers.tools()).find(({ name }) => name === 'generate_image') as Tool;
  const context = { folder, signal: new AbortController().signal } as ToolContext;
  return {
    harness,
    tool,
    folder,
    asked,
    run: (input = { prompt: 'Un cavallo è blu!' }) => tool.run(input, context),
    async [Symbol.asyncDispose]() {
      await harness[Symbol.asyncDispose]();
      await out[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const say = (value: unknown) => (response: ServerResponse) => void response.end(JSON.stringify(value));

describe('generating an image', () => {
  test.each([
    ['openai', '/v1/images/generations', { prompt: 'a horse', size: '1536x1024' }],
    [
      'gemini',
      '/v1beta/models/gemini-2.5-flash-image:generateContent',
      { contents: [{ parts: [{ text: 'a horse' }] }] },
    ],
    ['aggregator', '/v1/chat/completions', { modalities: ['image', 'text'] }],
  ])('uses %s and saves the file in the folder', async (provider, path, body) => {
    await using at = await place(provider, say(ANSWERS[provider]));
    const result = await at.run({ prompt: 'a horse', shape: 'landscape' });
    expect(result).toMatchObject({
      content: 'Saved immagini/a-horse.png (1 KiB).',
      changes: [{ path: 'immagini/a-horse.png', before: null, attachment: { formato: 'png', byte: PNG.length } }],
      images: [{ mimeType: 'image/png' }],
    });
    expect(await readFile(join(at.folder, 'immagini/a-horse.png'))).toEqual(PNG);
    expect(at.asked[0]).toMatchObject({ path, body });
    expect(JSON.stringify(at.asked[0]?.headers)).toContain('painter-key-000');
  });

  test('uses a unique ASCII file name', async () => {
    await using at = await place('openai', say(ANSWERS['openai']));
    await at.run();
    await at.run();
    await at.run({ prompt: '???' });
    expect((await readdir(join(at.folder, 'immagini'))).sort()).toEqual([
      'immagine.png',
      'un-cavallo-e-blu-2.png',
      'un-cavallo-e-blu.png',
    ]);
  });

  test('has its own permission and names the provider', async () => {
    await using at = await place('gemini', say({}));
    expect(at.tool).toMatchObject({ effect: 'write', gate: 'generate_image' });
    expect(at.tool.action({ prompt: 'a horse' }, { folder: at.folder, testCommand: null })).toEqual({
      tipo: 'generate_image',
      titolo: 'a horse',
      formato: 'square',
      percorso: 'immagini/a-horse',
    });
    expect(await at.tool.dependency?.()).toEqual({ state: 'ready', detail: 'Gemini' });
    for (const bad of [{}, { prompt: ' ' }, { prompt: 'x', shape: 'round' }]) {
      expect(at.tool.input.safeParse(bad).success).toBe(false);
    }
  });

  test('is unavailable without an image model', async () => {
    await using at = await place(undefined, say({}));
    expect(await at.run()).toMatchObject({ isError: true, content: expect.stringContaining('not configured') });
    expect(await at.tool.dependency?.()).toMatchObject({ state: 'missing' });
    expect(at.asked).toEqual([]);
  });

  test.each([
    ['a refusal', (response: ServerResponse) => void response.writeHead(400).end('{}'), 'refused to make'],
    ['a refused key', (response: ServerResponse) => void response.writeHead(401).end('{}'), 'refused the key'],
    ['a busy provider', (response: ServerResponse) => void response.writeHead(429).end('{}'), 'right now'],
    ['a dropped connection', (response: ServerResponse) => void response.socket?.destroy(), 'cannot be reached'],
    ['an answer without one', say({ data: [] }), 'without a picture'],
    [
      'what is no picture',
      say({ data: [{ b64_json: Buffer.from('<html>').toString('base64') }] }),
      'without a picture',
    ],
    ['a page', (response: ServerResponse) => void response.end('<html>'), 'without a picture'],
  ])('fails when the provider returns %s', async (_name, answer, words) => {
    await using at = await place('openai', answer);
    expect(await at.run()).toMatchObject({ isError: true, content: expect.stringContaining(words) });
    expect(await readdir(at.folder)).toEqual([]);
  });
});
