import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let place: TempDir;
let id: string;

beforeAll(async () => {
  place = await tempDir();
  await place.write({
    'work/site/index.html': '<h1>Site</h1>',
    'work/site/style.css': 'h1{}',
    'work/site/inner/index.html': 'inner',
    'work/site/.env': 'SECRET=1',
    'work/secret.txt': 'secret',
    'work/notes.md': '# no page',
    'outside/far.txt': 'far',
  });
  await symlink(join(place.path, 'outside/far.txt'), join(place.path, 'work/site/far.txt'));
  await symlink('../secret.txt', join(place.path, 'work/site/near.txt'));
  server = await testServer();
  id = await server.startSession({ cartellaLibera: join(place.path, 'work') });
  await server.settled(id);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

const open = (body: unknown, headers: Record<string, string> = {}, session = id) =>
  server.call('POST', `/sessions/${session}/pagine`, { body, headers });

/** Without a cookie, as a sandboxed frame requests it. */
const read = (address: string) =>
  server.call('GET', address.replace('/api/v1', ''), {
    isAnonymous: true,
    headers: { 'sec-fetch-site': 'cross-site' },
  });

async function base(): Promise<string> {
  const { data } = await open({ percorso: 'site/index.html' });
  return data.indirizzo.replace('index.html', '');
}

describe('opening a page', () => {
  covers('pages.open', 'creates a new pass for a page inside the folder on each call', async () => {
    const first = (await open({ percorso: 'site/index.html' })).data.indirizzo;
    expect(first).toMatch(/^\/api\/v1\/pagine\/[A-Za-z0-9_-]{43}\/index\.html$/);
    expect((await open({ percorso: 'site/index.html' })).data.indirizzo).not.toBe(first);
    for (const body of [
      {},
      { percorso: 'notes.md' },
      { percorso: '../outside/far.txt' },
      { percorso: '/etc/x.html' },
    ]) {
      expect((await open(body)).code).toBe('QUERY_INVALID');
    }
  });

  refuses('pages.open', 'FILE_NOT_FOUND', 'for a missing page', async () => {
    expect((await open({ percorso: 'site/gone.html' })).code).toBe('FILE_NOT_FOUND');
  });

  refuses('pages.open', 'LIBRARY_NOT_FOUND', 'for an unknown library item', async () => {
    expect(await open({ voceId: 'x' })).toMatchObject({ status: 404, code: 'LIBRARY_NOT_FOUND' });
    expect((await open({ voceId: 'x', percorso: 'site/index.html' })).code).toBe('QUERY_INVALID');
  });

  refuses('pages.open', 'PAGE_ORIGIN_FORBIDDEN', 'from another origin', async () => {
    const foreign = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(await open({ percorso: 'site/index.html' }, foreign)).toMatchObject({
      status: 403,
      code: 'PAGE_ORIGIN_FORBIDDEN',
    });
  });
});

describe('serving pages', () => {
  covers('pages.read', 'serves the page and its neighbours sandboxed, with any query', async () => {
    const at = await base();
    const page = await read(`${at}index.html?x=1`);
    expect([page.status, page.text, page.headers.get('content-type')]).toEqual([
      200,
      '<h1>Site</h1>',
      'text/html; charset=utf-8',
    ]);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' http:\/\/127\.0\.0\.1:/,
    );
    expect(policy).toContain("frame-ancestors 'self'");
    expect(page.headers.get('set-cookie')).toBeNull();
    expect((await read(`${at}style.css`)).headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect((await read(`${at}inner`)).text).toBe('inner');
    expect((await read(`${at}inner/`)).text).toBe('inner');
  });

  refuses('pages.read', 'FILE_NOT_FOUND', 'for hidden files, paths above, and links that lead out', async () => {
    const at = await base();
    for (const path of ['gone.html', '.env', '..%2Fsecret.txt', 'far.txt', 'near.txt', 'a%5Cb', 'c%3Ax']) {
      const reply = await read(`${at}${path}`);
      expect([path, reply.status, reply.text.includes('secret')]).toEqual([path, 404, false]);
    }
  });

  refuses('pages.read', 'FILE_TOO_LARGE', 'above 64 MiB', async () => {
    await writeFile(join(place.path, 'work/site/big.mp4'), '');
    await truncate(join(place.path, 'work/site/big.mp4'), 64 * 1024 * 1024 + 1);
    expect((await read(`${await base()}big.mp4`)).code).toBe('FILE_TOO_LARGE');
  });

  covers('pages.read', 'stops with its session, and an unknown pass serves nothing', async () => {
    const other = await server.startSession({ cartellaLibera: join(place.path, 'work') });
    await server.settled(other);
    const { data } = await open({ percorso: 'site/index.html' }, {}, other);
    expect((await read(data.indirizzo)).status).toBe(200);
    await server.call('POST', `/sessions/${other}/delete`);
    expect(await read(data.indirizzo)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await read(`/api/v1/pagine/${'x'.repeat(43)}/index.html`)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
});
