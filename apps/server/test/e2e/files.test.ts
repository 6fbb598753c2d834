import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { projectPlace, type Reply, type TestServer, testServer } from '../harness.ts';

/** Paths that leave a folder, or would on some system; none may be accessed. */
const ESCAPES = [
  '..',
  '../outside',
  'src/../../outside',
  '/etc/passwd',
  '//server/share',
  '\\\\server\\share',
  '..\\outside',
  'C:\\x',
  'a\0b',
  'src\u2028x',
  'x'.repeat(300),
  `${'x/'.repeat(512)}x`,
];

let server: TestServer;
let place: TempDir;
let session: string;
let project: string;
const at = (...parts: string[]): string => join(place.path, ...parts);
const get = (path: string, query: Record<string, string> = {}): Promise<Reply> => server.call('GET', path, { query });

beforeAll(async () => {
  place = await projectPlace();
  await mkdir(at('gone'));
  server = await testServer({ settings: { projects: [at('alpha'), at('gone')] } });
  await rm(at('gone'), { recursive: true });
  await server.project.write({
    'docs/guide.md': 'grüße\n',
    'docs/z/y.txt': '',
    'bytes.bin': new Uint8Array([0, 1, 2, 3]),
    'exact.txt': 'x'.repeat(512 * 1024),
    'long.txt': 'x'.repeat(512 * 1024 + 1),
    'latin.txt': Buffer.from('perché no', 'latin1'),
  });
  await symlink(at('outside'), join(server.project.path, 'out'));
  await symlink(at('outside', 'secret.txt'), join(server.project.path, 'out.txt'));
  await symlink('docs', join(server.project.path, 'inside'));
  session = await server.startSession();
  await server.settled(session);
  project = (await get('/projects')).data.items[0].id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

describe('projects', () => {
  covers('projects.list', 'lists configured folders, then used ones, by id and name without paths', async () => {
    const { data, text } = await get('/projects');
    expect(data).toEqual({
      items: [
        { id: expect.stringMatching(/^[0-9a-f]{32}$/), nome: 'alpha' },
        { id: expect.stringMatching(/^[0-9a-f]{32}$/), nome: 'gone' },
        { id: expect.stringMatching(/^[0-9a-f]{32}$/), nome: basename(server.project.path) },
      ],
    });
    expect(text).not.toContain(place.path);
    expect(text).not.toContain(dirname(server.project.path));
    expect((await get('/projects', { x: '1' })).code).toBe('QUERY_INVALID');
  });

  covers('projects.list', 'starts a session on a project by its id', async () => {
    const body = { cartellaId: project, consegna: 'Look.', modello: 'ollama:tiny' };
    const { data } = await server.call('POST', '/sessions/custom', { body });
    expect(await server.settled(data.sessionId)).toMatchObject({ taskId: `libero:${project}`, progetto: 'alpha' });
    expect((await get(`/sessions/${data.sessionId}/tree`)).data.voci).toContainEqual({
      nome: 'README.md',
      cartella: false,
    });
  });

  covers('projects.tree', 'lists one level: folders first, then files, alphabetically', async () => {
    expect((await get(`/projects/${project}/tree`)).data).toEqual({
      voci: [
        { nome: 'src', cartella: true },
        { nome: '.hidden', cartella: false },
        { nome: 'README.md', cartella: false },
      ],
    });
    expect((await get(`/projects/${project}/tree`, { percorso: 'src' })).data).toEqual({
      voci: [{ nome: 'a.ts', cartella: false }],
    });
  });

  refuses('projects.tree', 'WORKSPACE_NOT_AVAILABLE', 'for a configured folder that is gone', async () => {
    const { id } = (await get('/projects')).data.items.find(({ nome }: { nome: string }) => nome === 'gone');
    expect(await get(`/projects/${id}/tree`)).toMatchObject({ status: 422, code: 'WORKSPACE_NOT_AVAILABLE' });
  });

  refuses('projects.tree', 'FILE_NOT_FOUND', 'for a missing subfolder', async () => {
    const reply = await get(`/projects/${project}/tree`, { percorso: 'nowhere/at/all' });
    expect(reply).toMatchObject({ status: 404, code: 'FILE_NOT_FOUND' });
  });

  refuses('projects.tree', 'NOT_FOUND', 'for an unknown project', async () => {
    for (const id of ['0'.repeat(32), 'x', encodeURIComponent('../alpha')]) {
      expect(await get(`/projects/${id}/tree`)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
  });

  refuses('projects.tree', 'QUERY_INVALID', 'for a path that leads out, a file, or an unknown query key', async () => {
    for (const percorso of [...ESCAPES, 'README.md']) {
      const { status, code } = await get(`/projects/${project}/tree`, { percorso });
      expect([percorso, status, code]).toEqual([percorso, 400, 'QUERY_INVALID']);
    }
    for (const search of ['percorso=src&percorso=src', 'path=src', 'percorso=src&x=1']) {
      expect((await get(`/projects/${project}/tree?${search}`)).code).toBe('QUERY_INVALID');
    }
  });
});

describe('the files of a session', () => {
  covers('sessions.tree', 'lists one level and marks links', async () => {
    const { data } = await get(`/sessions/${session}/tree`);
    expect(data.voci.map((entry: any) => `${entry.nome}${entry.cartella ? '/' : ''}`)).toEqual([
      '.git/',
      'docs/',
      'inside/',
      'src/',
      'test/',
      '.gitignore',
      'bytes.bin',
      'exact.txt',
      'latin.txt',
      'long.txt',
      'out',
      'out.txt',
      'package.json',
      'README.md',
    ]);
    for (const percorso of ['docs', 'docs/', './docs', 'inside']) {
      expect((await get(`/sessions/${session}/tree`, { percorso })).data).toEqual({
        voci: [
          { nome: 'z', cartella: true },
          { nome: 'guide.md', cartella: false },
        ],
      });
    }
    expect((await get(`/sessions/${session}/tree`, { percorso: '' })).data).toEqual(data);
  });

  refuses('sessions.tree', 'FILE_NOT_FOUND', 'for a missing subfolder', async () => {
    expect(await get(`/sessions/${session}/tree`, { percorso: 'nope' })).toMatchObject({
      status: 404,
      code: 'FILE_NOT_FOUND',
    });
  });

  refuses('sessions.tree', 'FILE_NOT_FOUND', 'when the session folder is gone', async () => {
    await using folder = await tempDir();
    await folder.write({ 'work/x.txt': 'x' });
    const id = await server.startSession({ cartellaLibera: join(folder.path, 'work') });
    await server.settled(id);
    await rm(join(folder.path, 'work'), { recursive: true });
    expect((await get(`/sessions/${id}/tree`)).code).toBe('FILE_NOT_FOUND');
    expect((await get(`/sessions/${id}/tree/file`, { percorso: 'x.txt' })).code).toBe('FILE_NOT_FOUND');
  });

  refuses('sessions.tree', 'QUERY_INVALID', 'for a path or link that leads out', async () => {
    for (const percorso of [...ESCAPES, 'out', 'out/', 'inside/../../outside', 'README.md']) {
      const { status, code, text } = await get(`/sessions/${session}/tree`, { percorso });
      expect([percorso, status, code]).toEqual([percorso, 400, 'QUERY_INVALID']);
      expect(text).not.toContain('secret');
    }
  });

  test('lists and reads files whose names Windows reserves', async () => {
    const names = ['aux.c', 'log:10.txt', 'NUL.ts', 'trail.'];
    await server.project.write(Object.fromEntries(names.map((name) => [`names/${name}`, `in ${name}`])));
    const listed = await get(`/sessions/${session}/tree`, { percorso: 'names' });
    expect(listed.data.voci.map(({ nome }: { nome: string }) => nome)).toEqual(names);
    for (const name of names) {
      const { data } = await get(`/sessions/${session}/tree/file`, { percorso: `names/${name}` });
      expect(data.contenuto).toBe(`in ${name}`);
    }
    await rm(join(server.project.path, 'names'), { recursive: true });
  });

  covers('sessions.file', 'returns path, text and size in bytes', async () => {
    const read = async (percorso: string) => (await get(`/sessions/${session}/tree/file`, { percorso })).data;
    expect(await read('docs/guide.md')).toEqual({ percorso: 'docs/guide.md', contenuto: 'grüße\n', dimensione: 8 });
    expect(await read('./docs//guide.md')).toMatchObject({ percorso: 'docs/guide.md' });
    expect(await read('inside/guide.md')).toMatchObject({ percorso: 'inside/guide.md', contenuto: 'grüße\n' });
    expect(await read('latin.txt')).toMatchObject({ contenuto: 'perché no', dimensione: 9 });
    expect(await read('docs/z/y.txt')).toEqual({ percorso: 'docs/z/y.txt', contenuto: '', dimensione: 0 });
    expect((await read('exact.txt')).dimensione).toBe(512 * 1024);
  });

  refuses('sessions.file', 'FILE_TOO_LARGE', 'one byte above 512 KiB', async () => {
    expect(await get(`/sessions/${session}/tree/file`, { percorso: 'long.txt' })).toMatchObject({
      status: 413,
      code: 'FILE_TOO_LARGE',
    });
  });

  refuses('sessions.file', 'FILE_NOT_FOUND', 'for a missing file or a broken link', async () => {
    await symlink('nowhere', join(server.project.path, 'dangling'));
    for (const percorso of ['nope.txt', 'docs/nope.txt', 'dangling']) {
      expect(await get(`/sessions/${session}/tree/file`, { percorso })).toMatchObject({
        status: 404,
        code: 'FILE_NOT_FOUND',
      });
    }
    await rm(join(server.project.path, 'dangling'));
  });

  refuses(
    'sessions.file',
    'QUERY_INVALID',
    'for a path outside, a folder, a pipe, a binary file or no path',
    async () => {
      execFileSync('mkfifo', [join(server.project.path, 'pipe')]);
      for (const percorso of [...ESCAPES, 'out.txt', 'out/secret.txt', 'docs', 'pipe', 'bytes.bin', '', '.']) {
        const { status, code, text } = await get(`/sessions/${session}/tree/file`, { percorso });
        expect([percorso, status, code]).toEqual([percorso, 400, 'QUERY_INVALID']);
        // The answer contains the requested path, and nothing about what exists.
        expect(text.replaceAll(percorso, '')).not.toContain('secret');
      }
      await rm(join(server.project.path, 'pipe'));
      expect((await get(`/sessions/${session}/tree/file`, { percorso: 'bytes.bin' })).reason).toBe('not-text');
      for (const search of ['', '?percorso=a&percorso=b', '?percorso=README.md&x=1']) {
        expect((await get(`/sessions/${session}/tree/file${search}`)).code).toBe('QUERY_INVALID');
      }
    },
  );

  test('file responses never contain the path of the folder', async () => {
    const paths = ['docs', 'nope', '../x', 'out', 'README.md'];
    const replies = await Promise.all(
      paths.flatMap((percorso) => [
        get(`/sessions/${session}/tree`, { percorso }),
        get(`/sessions/${session}/tree/file`, { percorso }),
      ]),
    );
    for (const { text } of replies) expect(text).not.toContain(server.project.path);
  });
});
