import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutboundHttp, type OutboundHttp, systemAmbient, type ToolContext } from '@fucina/shared';
import { redirectOrigins } from '@fucina/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createPageReader, PageError, type PageReader } from './page-reader.ts';
import { createReadPageTool } from './read-page-tool.ts';

let server: Server;
let http: OutboundHttp;
let reader: PageReader;
let answer: (response: ServerResponse, url: string) => void;
beforeEach(async () => {
  server = createServer((request, response) => answer(response, request.url ?? ''));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  http = createOutboundHttp({ ambient: systemAmbient('silent') });
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  reader = createPageReader({
    http: redirectOrigins(http, { 'https://forge.example': here }),
    readDocument: async ({ bytes }) => (bytes.includes('words') ? 'words of a paper' : undefined),
  });
});
afterEach(async () => {
  await http[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

const say = (body: string | Buffer, type = 'text/html; charset=utf-8') => {
  answer = (response) => void response.writeHead(200, { 'content-type': type }).end(body);
};
const read = (path = '/') => reader.read(`https://forge.example${path}`);
async function problemOf(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof PageError) return error.problem;
    throw error;
  }
  throw new Error('it was read');
}

const ARTICLE = `<!doctype html><html><head><title>Tempering – Forge</title>
<meta property="article:published_time" content="2025-03-04T10:00:00Z"></head><body>
<nav>Home About</nav><article><h1>Tempering</h1><p>${'Steel is heated slowly and cooled in oil. '.repeat(12)}</p>
<p>See <a href="/oil">oil</a>.</p><script>steal()</script><img src="https://track.example/x.png"></article>
<footer>Imprint</footer></body></html>`;

describe('a page', () => {
  test('is converted to Markdown from its article without scripts and resources', async () => {
    say(ARTICLE);
    const page = await read('/tempering');
    expect(page).toMatchObject({ url: expect.stringContaining('/tempering'), publishedAt: '2025-03-04' });
    expect(page.title).toContain('Tempering');
    expect(page.text).toContain('cooled in oil');
    expect(page.text).not.toMatch(/steal|track\.example|Imprint/);
  });

  test('without an article gives all its text', async () => {
    say('<p>Short <b>words</b></p>');
    expect((await read()).text).toBe('Short **words**');
  });

  test('is decoded with the declared or detected encoding', async () => {
    say(Buffer.from('<p>perché città più</p>', 'latin1'), 'text/html; charset=iso-8859-1');
    expect((await read()).text).toBe('perché città più');
    say(Buffer.from(`<meta charset="windows-1252"><p>${'perché città più '.repeat(5)}</p>`, 'latin1'), 'text/html');
    expect((await read()).text).toContain('perché città più');
  });

  test('accepts text and PDF and rejects other types', async () => {
    say('plain', 'text/plain');
    expect(await read('/notes.txt')).toMatchObject({ title: 'notes.txt', text: 'plain' });
    expect((await read('/100%.txt')).title).toBe('100%.txt');
    say('%PDF-1.7 words', 'application/pdf');
    expect((await read('/paper.pdf')).text).toBe('words of a paper');
    say('%PDF-1.7', 'application/pdf');
    expect(await problemOf(read)).toBe('unreadable');
    say('x', 'image/png');
    expect(await problemOf(read)).toBe('kind');
  });

  test('reports a refused, too large or missing page', async () => {
    answer = (response) => void response.writeHead(403).end('no');
    expect(await problemOf(read)).toBe('refused');
    say('x'.repeat(5 * 1024 * 1024 + 1));
    expect(await problemOf(read)).toBe('too-large');
    answer = (response) => void response.destroy();
    expect(await problemOf(read)).toBe('unreachable');
  });

  test.each(['file:///etc/passwd', 'ftp://x.example/', 'https://user:pass@x.example/', 'nothing'])(
    'at %s is an invalid address',
    async (url) => {
      expect(await problemOf(() => reader.read(url))).toBe('address');
    },
  );

  test.each(['http://127.0.0.1:1/', 'http://[::1]/', 'http://169.254.169.254/latest', 'http://localhost/'])(
    'at %s is not public and is not requested',
    async (url) => {
      expect(await problemOf(() => reader.read(url))).toBe('unreachable');
    },
  );

  test('with a million tags is read or rejected in bounded time', async () => {
    say(`<div>${'<p><i>'.repeat(400_000)}`);
    const outcome = await read().then(
      () => 'read',
      (error: unknown) => (error instanceof PageError ? error.problem : 'broken'),
    );
    expect(['read', 'unreadable']).toContain(outcome);
  }, 30_000);
});

test('the tool follows a redirect within a site, and asks nothing of another site', async () => {
  const { port } = server.address() as AddressInfo;
  const asked: string[] = [];
  const other = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/plain' }).end('of the other site');
  });
  await new Promise<void>((resolve) => other.listen({ port, host: '127.0.0.2' }, resolve));
  await using open = createOutboundHttp({ ambient: systemAmbient('silent'), isAllowedAddress: () => true });
  const plain = createPageReader({ http: open, readDocument: async () => undefined });
  const tool = createReadPageTool(plain);
  const context = { signal: new AbortController().signal } as ToolContext;
  const from = `http://127.0.0.1:${port}/`;
  const elsewhere = `http://127.0.0.2:${port}/?data=secret`;
  answer = (response, url) => {
    if (url === '/there') response.writeHead(200, { 'content-type': 'text/plain' }).end('of the same site');
    else response.writeHead(302, { location: url === '/' ? '/there' : elsewhere }).end();
  };
  expect((await tool.run({ url: from }, context)).content).toContain('of the same site');
  expect(await tool.run({ url: `${from}away` }, context)).toEqual({
    content: `The page was not read: it redirects to another site, ${elsewhere}. Read that address if you need it.`,
    isError: true,
  });
  expect(asked).toEqual([]);
  expect((await plain.read(`${from}away`)).text).toBe('of the other site');
  expect(asked).toEqual(['/?data=secret']);
  other.closeAllConnections();
  other.close();
});

test('the tool returns both ends of a long page and its errors as text', async () => {
  const tool = createReadPageTool(reader);
  const context = { signal: new AbortController().signal } as ToolContext;
  say(`first ${'x'.repeat(9_000)} last`, 'text/plain');
  const { content } = await tool.run({ url: 'https://forge.example/a' }, context);
  expect(content).toMatch(/first x+[\s\S]+characters left out[\s\S]+last$/);
  answer = (response) => void response.writeHead(500).end();
  expect(await tool.run({ url: 'https://forge.example/a' }, context)).toEqual({
    content: 'The page was not read: the site refused the page.',
    isError: true,
  });
  expect(tool.input.safeParse({ url: 'javascript:alert(1)' }).success).toBe(false);
});
