import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, coversEach, refuses, refusesEach } from '../covers.ts';
import { type Reply, type TestServer, TOKEN, testServer } from '../harness.ts';

let server: TestServer;
let session: string;
let desktop: TempDir;
const path = process.env.PATH;
beforeAll(async () => {
  desktop = await tempDir();
  await mkdir(join(desktop.path, 'bin'));
  await writeFile(join(desktop.path, 'bin/xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > ${desktop.path}/opened\n`, {
    mode: 0o755,
  });
  server = await testServer({
    settings: { environment: { ...process.env, PATH: `${desktop.path}/bin:${path}`, DISPLAY: ':9' } },
    script: ({ lastRole }) =>
      lastRole === 'tool'
        ? { text: 'Made.' }
        : { toolCalls: [{ name: 'document_create', arguments: { format: 'pdf', title: 'Report', body: '# Heat' } }] },
  });
  session = await server.startSession();
  await server.settled(session);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await desktop[Symbol.asyncDispose]();
});

/** Attaches a file to the session; returns its library item. */
async function give(name: string, content: string): Promise<any> {
  const response = await fetch(`${server.url}api/v1/sessions/${session}/chat-files`, {
    method: 'POST',
    headers: {
      cookie: `svc_token=${TOKEN}`,
      'content-type': 'application/octet-stream',
      'x-svc-file-name': encodeURIComponent(name),
    },
    body: content,
  });
  expect(response.status).toBe(200);
  return (await list()).find(({ nome }) => nome === name);
}
const list = async (): Promise<any[]> => (await server.call('GET', `/sessions/${session}/library`)).data.voci;
const fileOf = (id: string, name: string): string => join(server.project.path, '.svc/library', id, name);

covers('library.list', 'lists items of the agent and of the user, newest first', async () => {
  await give('notes.txt', 'given');
  const { voci, errore } = (await server.call('GET', `/sessions/${session}/library`)).data;
  expect(errore).toBeNull();
  expect(voci).toEqual([
    {
      id: expect.stringMatching(/^lib-[0-9a-f-]{36}$/),
      nome: 'notes.txt',
      mediaType: 'text/plain',
      fileType: 'document',
      origine: 'uploaded',
      creatoIl: expect.any(String),
      aggiornatoIl: expect.any(String),
      modello: null,
      provider: null,
      cartella: 'allegati',
      percorso: 'allegati/notes.txt',
      creatoDa: null,
      sessione: session,
    },
    expect.objectContaining({
      nome: 'Report.pdf',
      origine: 'generated',
      creatoDa: 'document_create',
      modello: 'ollama:tiny',
      percorso: 'Report.pdf',
    }),
  ]);
});

const CALLS: Record<string, [method: string, tail: string, body?: unknown]> = {
  'library.download': ['GET', '/file'],
  'library.preview': ['GET', '/anteprima'],
  'library.reveal': ['POST', '/rivela'],
  'library.open': ['POST', '/apri'],
  'library.rename': ['PATCH', '', { nome: 'Other.txt' }],
  'library.delete': ['DELETE', ''],
};
const callOn = (operation: string, id: string, body?: unknown): Promise<Reply> => {
  const [method, tail, own] = CALLS[operation] as [string, string, unknown];
  return server.call(method, `/sessions/${session}/library/${id}${tail}`, { body: body ?? own });
};

covers('library.download', 'serves the unchanged bytes as an attachment', async () => {
  const { id } = await give('page.html', '<script>alert(1)</script>');
  const reply = await callOn('library.download', id);
  expect([reply.status, reply.text]).toEqual([200, '<script>alert(1)</script>']);
  expect(reply.headers.get('content-type')).toBe('application/octet-stream');
  expect(reply.headers.get('content-disposition')).toContain('attachment; filename="page.html"');
  expect(reply.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
});

covers('library.preview', 'serves a PDF inline with a policy that runs nothing', async () => {
  const { id } = (await list()).find(({ nome }) => nome === 'Report.pdf');
  const reply = await callOn('library.preview', id);
  expect([reply.status, reply.text.slice(0, 5)]).toEqual([200, '%PDF-']);
  expect(reply.headers.get('content-type')).toBe('application/pdf');
  expect(reply.headers.get('content-disposition')).toBeNull();
  expect(reply.headers.get('content-security-policy')).toBe(
    "default-src 'none'; sandbox; object-src 'none'; frame-ancestors 'self'",
  );
  const page = await give('other.html', '<b>');
  expect(await callOn('library.preview', page.id)).toMatchObject({ status: 404, code: 'LIBRARY_NOT_FOUND' });
});

coversEach(['library.reveal', 'library.open'], 'hands it to the desktop', async (operation) => {
  const item = await give(`${operation}.txt`, 'x');
  const { data } = await callOn(operation, item.id);
  const opened = await readFile(join(desktop.path, 'opened'), 'utf8');
  const folder = join(await realProject(), '.svc/library', item.id);
  const isOpen = operation === 'library.open';
  expect(data).toEqual(isOpen ? { aperto: true } : { rivelato: true });
  expect(opened).toBe(isOpen ? join(folder, 'contenuto.txt') : folder);
});

const realProject = async (): Promise<string> => server.host.services.sessions.folderOf(session);

covers('library.rename', 'sanitizes the name and keeps the file’s bytes', async () => {
  const { id } = await give('before.txt', 'same');
  const reply = await callOn('library.rename', id, { nome: ' ..a/b:\u0007ﬁn.txt ' });
  expect(reply.data).toEqual({ id, nomePrima: 'before.txt', nomeDopo: 'a b fin.txt' });
  expect((await list())[0]).toMatchObject({ id, nome: 'a b fin.txt' });
  expect((await callOn('library.download', id)).text).toBe('same');
});

refuses('library.rename', 'LIBRARY_NAME_EMPTY', 'for a name without a letter or digit', async () => {
  const { id } = await give('named.txt', 'x');
  for (const nome of ['', ' ?? ', '...', '\u0000']) {
    expect(await callOn('library.rename', id, { nome })).toMatchObject({ status: 400, code: 'LIBRARY_NAME_EMPTY' });
  }
  expect((await callOn('library.rename', id, {})).code).toBe('QUERY_INVALID');
});

covers('library.delete', 'returns the deleted item and removes all its files', async () => {
  const { id } = await give('gone.txt', 'x');
  expect((await callOn('library.delete', id)).data).toEqual({ eliminato: true, id, nome: 'gone.txt' });
  expect(await callOn('library.delete', id)).toMatchObject({ status: 404, code: 'LIBRARY_NOT_FOUND' });
});

refusesEach(
  'LIBRARY_NOT_FOUND',
  ['library.download', 'library.preview', 'library.reveal', 'library.open', 'library.rename', 'library.delete'],
  async (operation) => {
    expect(await callOn(operation, 'lib-absent')).toMatchObject({ status: 404, code: 'LIBRARY_NOT_FOUND' });
    const reply = await server.call('GET', `/sessions/absent/library/lib-absent/file`);
    expect(reply).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  },
);

refusesEach(
  'LIBRARY_INVALID',
  ['library.download', 'library.preview', 'library.reveal', 'library.open', 'library.rename', 'library.delete'],
  async (operation) => {
    for (const id of ['..%2f..', '.git', '%20', 'x'.repeat(65), 'x'.repeat(300)]) {
      expect(await callOn(operation, id)).toMatchObject({ status: 400, code: 'LIBRARY_INVALID' });
    }
  },
);

let damaged = 0;
refusesEach(
  'LIBRARY_MALFORMED',
  ['library.download', 'library.preview', 'library.reveal', 'library.open', 'library.rename', 'library.delete'],
  async (operation) => {
    const { id } = await give(`damaged-${++damaged}.txt`, 'x');
    await writeFile(fileOf(id, 'meta.json'), '{"id":');
    expect(await callOn(operation, id)).toMatchObject({ status: 500, code: 'LIBRARY_MALFORMED' });
    const answer = await server.call('GET', `/sessions/${session}/library`, { headers: { 'accept-language': 'en' } });
    expect(answer.data).toEqual({ voci: null, errore: expect.stringContaining('Could not read') });
    await rm(fileOf(id, ''), { recursive: true });
  },
);

refusesEach(
  'LIBRARY_READ_FAILED',
  ['library.download', 'library.preview', 'library.reveal', 'library.open', 'library.rename', 'library.delete'],
  async (operation) => {
    const { id } = await give(`unreadable-${++damaged}.txt`, 'x');
    await rm(fileOf(id, 'meta.json'));
    await mkdir(fileOf(id, 'meta.json'));
    expect(await callOn(operation, id)).toMatchObject({ status: 500, code: 'LIBRARY_READ_FAILED' });
    await rm(fileOf(id, ''), { recursive: true });
  },
);

refuses('library.download', 'LIBRARY_TOO_LARGE', 'for content above 100 MiB', async () => {
  const { id } = await give('large.txt', 'x');
  const meta = JSON.parse(await readFile(fileOf(id, 'meta.json'), 'utf8'));
  await writeFile(fileOf(id, 'meta.json'), JSON.stringify({ ...meta, sha256: undefined }));
  await writeFile(fileOf(id, 'contenuto.txt'), Buffer.alloc(100 * 1024 * 1024 + 1));
  expect(await callOn('library.download', id)).toMatchObject({ status: 413, code: 'LIBRARY_TOO_LARGE' });
  await rm(fileOf(id, ''), { recursive: true });
});

describe('opening on the desktop', () => {
  refuses('library.open', 'PLATFORM_UNSUPPORTED', 'for an executable file', async () => {
    const { id } = await give('run-me.desktop', '[Desktop Entry]');
    const reply = await callOn('library.open', id);
    expect([reply.status, reply.code, reply.reason]).toEqual([501, 'PLATFORM_UNSUPPORTED', 'could-be-run']);
  });

  refuses('library.reveal', 'PLATFORM_UNSUPPORTED', 'when the desktop program fails', async () => {
    const { id } = await give('shown.txt', 'x');
    await writeFile(join(desktop.path, 'bin/xdg-open'), '#!/bin/sh\nexit 3\n');
    expect(await callOn('library.reveal', id)).toMatchObject({ status: 501, code: 'PLATFORM_UNSUPPORTED' });
  });
});

test('serves an HTML item under a pass, and answers NOT_FOUND for other items', async () => {
  const { id } = await give('shown.html', '<h1>Shown</h1>');
  const ask = (voceId: string): Promise<Reply> =>
    server.call('POST', `/sessions/${session}/pagine`, {
      body: { voceId },
      headers: { origin: server.url.slice(0, -1), 'sec-fetch-site': 'same-origin' },
    });
  const { data } = await ask(id);
  const page = await fetch(new URL(data.indirizzo ?? data.url, server.url));
  expect(await page.text()).toContain('<h1>Shown</h1>');
  expect(await ask('lib-absent')).toMatchObject({ status: 404, code: 'LIBRARY_NOT_FOUND' });
});
