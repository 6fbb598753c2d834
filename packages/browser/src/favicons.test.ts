import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Ambient, createOutboundHttp, type OutboundHttp, systemAmbient } from '@fucina/shared';
import { redirectOrigins, type TempDir, tempDir } from '@fucina/testkit';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createFavicons, type Favicons } from './favicons.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
const DAY = 86_400_000;

let server: Server;
let http: OutboundHttp;
let place: TempDir;
let icons: Favicons;
let asked: string[];
let nowMs: number;
let answer: (response: ServerResponse, path: string) => void;
beforeEach(async () => {
  asked = [];
  nowMs = 1_000;
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(response, request.url ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  http = createOutboundHttp({ ambient: systemAmbient('silent') });
  place = await tempDir();
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ambient: Ambient = { ...systemAmbient('silent'), now: () => nowMs };
  icons = createFavicons({
    ambient,
    http: redirectOrigins(http, { 'https://forge.example': here }),
    folder: `${place.path}/favicons`,
  });
});
afterEach(async () => {
  await icons[Symbol.asyncDispose]();
  await http[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
  await place[Symbol.asyncDispose]();
});

const site = (files: Record<string, string | Buffer>) => {
  answer = (response, path) => {
    const body = files[path];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body);
  };
};

test('detects the type of the linked icon by its bytes and caches it for a week', async () => {
  site({ '/': '<link rel="icon" href="/i">', '/i': PNG });
  expect(await icons.read('Forge.Example')).toEqual({ mediaType: 'image/png', bytes: PNG });
  expect(asked).toEqual(['/', '/i']);
  nowMs += 7 * DAY - 1;
  expect((await icons.read('forge.example'))?.bytes).toEqual(PNG);
  expect(asked).toHaveLength(2);
  nowMs += 1;
  await icons.read('forge.example');
  expect(asked).toHaveLength(4);
});

test('falls back to /favicon.ico and caches its absence for a day', async () => {
  site({ '/favicon.ico': Buffer.from('\0\0\x01\0ico', 'latin1') });
  expect((await icons.read('forge.example'))?.mediaType).toBe('image/x-icon');
  nowMs += 8 * DAY;
  site({ '/': '<link rel="icon" href="/i">', '/i': '<svg onload="x"/>', '/favicon.ico': Buffer.alloc(300_000, PNG) });
  expect(await icons.read('forge.example')).toBeUndefined();
  const count = asked.length;
  nowMs += DAY - 1;
  expect(await icons.read('forge.example')).toBeUndefined();
  expect(asked).toHaveLength(count);
  nowMs += 1;
  await icons.read('forge.example');
  expect(asked.length).toBeGreaterThan(count);
});

test('joins concurrent requests for the same site', async () => {
  site({ '/favicon.ico': PNG });
  const answers = await Promise.all(Array.from({ length: 8 }, () => icons.read('forge.example')));
  expect(answers.every((icon) => icon?.mediaType === 'image/png')).toBe(true);
  expect(asked).toEqual(['/', '/favicon.ico']);
});

test('requests no icon of this computer or of an invalid host', async () => {
  for (const domain of ['127.0.0.1', 'localhost', '[::1]']) expect(await icons.read(domain)).toBeUndefined();
  for (const domain of ['', 'a b', 'a/b', 'a:80', 'u@a', 'a?b', 'https://a', 'a\\b', '..', `${'a'.repeat(254)}`]) {
    await expect(icons.read(domain)).rejects.toMatchObject({ code: 'QUERY_INVALID' });
  }
  expect(asked).toEqual([]);
});

test('fetches a damaged cached icon again', async () => {
  site({ '/favicon.ico': PNG });
  await icons.read('forge.example');
  const [name] = await (await import('node:fs/promises')).readdir(`${place.path}/favicons`);
  await place.write({ [`favicons/${name}`]: '{"at":' });
  expect((await icons.read('forge.example'))?.mediaType).toBe('image/png');
  expect(asked).toHaveLength(4);
});
