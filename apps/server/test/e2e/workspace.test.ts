import { readdir, realpath, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { projectPlace, type Reply, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let place: TempDir;
let project: string;
const at = (...parts: string[]): string => join(place.path, ...parts);
const get = (path: string, query: Record<string, string> = {}): Promise<Reply> => server.call('GET', path, { query });

beforeAll(async () => {
  place = await projectPlace({ 'twin/alpha/x': '', 'file.txt': '' });
  server = await testServer({ settings: { projects: [at('alpha')] } });
  project = (await get('/projects')).data.items[0].id;
  await server.settled(await server.startSession({ cartellaLibera: at('twin', 'alpha') }));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

describe('browsing folders', () => {
  covers('workspace.browse', 'lists folders with their projects and suggested start folders', async () => {
    const { data } = await get('/workspace-browser', { path: place.path });
    expect(data).toEqual({
      root: '/',
      path: place.path,
      parent: dirname(place.path),
      items: [
        { name: 'alpha', path: at('alpha'), projectId: project },
        { name: 'outside', path: at('outside'), projectId: null },
        { name: 'twin', path: at('twin'), projectId: null },
      ],
      recommended: expect.any(Array),
    });
    expect(data.recommended.slice(0, 2)).toEqual([
      { label: `alpha (${basename(place.path)})`, path: at('alpha'), kind: 'project', projectId: project },
      { label: 'alpha (twin)', path: at('twin', 'alpha'), kind: 'recent', projectId: expect.any(String) },
    ]);
    const kinds = data.recommended.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(
      ['project', 'recent', 'known'].flatMap((kind) => kinds.filter((one: string) => one === kind)),
    );
    expect(data.recommended).toContainEqual({
      label: basename(homedir()),
      path: homedir(),
      kind: 'known',
      projectId: null,
    });
    const root = (await get('/workspace-browser', { path: '/' })).data;
    expect([root.path, root.parent]).toEqual(['/', null]);
    expect((await get('/workspace-browser')).data.path).toBe(homedir());
  });

  refuses('workspace.browse', 'WORKSPACE_NOT_AVAILABLE', 'for a missing folder and for a file', async () => {
    for (const path of [at('nowhere'), at('alpha', 'README.md')]) {
      expect(await get('/workspace-browser', { path })).toMatchObject({ status: 422, code: 'WORKSPACE_NOT_AVAILABLE' });
    }
  });

  refuses('workspace.browse', 'QUERY_INVALID', 'for a relative, parent, long or repeated path', async () => {
    const bad = ['', 'alpha', './x', `${place.path}/../x`, '//host/share', '\\\\host\\share', '/a\0b', '~/x'];
    for (const path of [...bad, `/${'x/'.repeat(512)}`]) {
      const { status, code } = await get('/workspace-browser', { path });
      expect([path, status, code]).toEqual([path, 400, 'QUERY_INVALID']);
    }
    expect((await get('/workspace-browser?path=/tmp&path=/')).code).toBe('QUERY_INVALID');
    expect((await get('/workspace-browser', { percorso: '/' })).code).toBe('QUERY_INVALID');
  });
});

describe('creating a folder', () => {
  const create = (body: unknown) => server.call('POST', '/workspace-browser/folders', { body });

  covers('workspace.create-folder', 'creates an empty folder at the given path', async () => {
    const reply = await create({ parentPath: at('outside'), name: 'Nuova cartella' });
    expect([reply.status, reply.data]).toEqual([
      200,
      { name: 'Nuova cartella', path: at('outside', 'Nuova cartella') },
    ]);
    expect(await readdir(at('outside', 'Nuova cartella'))).toEqual([]);
  });

  refuses(
    'workspace.create-folder',
    'WORKSPACE_ALREADY_EXISTS',
    'when a folder or file of that name exists',
    async () => {
      for (const [parentPath, name] of [
        [place.path, 'alpha'],
        [at('alpha'), 'README.md'],
      ]) {
        expect(await create({ parentPath, name })).toMatchObject({ status: 409, code: 'WORKSPACE_ALREADY_EXISTS' });
      }
      expect(await readdir(at('alpha'))).toEqual(expect.arrayContaining(['src', 'README.md']));
    },
  );

  refuses('workspace.create-folder', 'WORKSPACE_NOT_AVAILABLE', 'for a missing parent and for a file', async () => {
    for (const parentPath of [at('nowhere'), at('alpha', 'README.md')]) {
      expect(await create({ parentPath, name: 'x' })).toMatchObject({ status: 422, code: 'WORKSPACE_NOT_AVAILABLE' });
    }
    expect(await readdir(place.path)).not.toContain('nowhere');
  });

  refuses('workspace.create-folder', 'QUERY_INVALID', 'for invalid names and bodies, and creates nothing', async () => {
    const before = await readdir(place.path, { recursive: true });
    const names = ['', '.', '..', 'a/b', '../x', '/x', 'a\\b', 'a\0b', '-rf', '\u202ex'];
    const bad: unknown[] = [
      ...[...names, 'x'.repeat(256)].map((name) => ({ parentPath: place.path, name })),
      ...['', 'alpha', `${place.path}/../x`, '//host/x'].map((parentPath) => ({ parentPath, name: 'x' })),
      {},
      { name: 'x' },
      { parentPath: place.path },
      { parentPath: place.path, name: 7 },
      { parentPath: place.path, name: 'x', other: 1 },
      '[]',
      '{"parentPath"',
    ];
    for (const body of bad) {
      const { status, code } = await create(body);
      expect([body, status, code]).toEqual([body, 400, 'QUERY_INVALID']);
    }
    expect(await readdir(place.path, { recursive: true })).toEqual(before);
  });
});

describe('folder details', () => {
  covers('workspace.frequent', 'returns at most six existing folders, most used first', async () => {
    await using own = await testServer();
    await using folders = await tempDir();
    const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    expect((await own.call('GET', '/frequent-dirs')).data).toEqual({ items: [] });
    for (const name of names) await folders.write({ [`${name}/x`]: '' });
    for (const name of [...names, 'three', 'one', 'three']) {
      await own.settled(await own.startSession({ cartellaLibera: join(folders.path, name) }));
    }
    const frequent = async (): Promise<{ etichetta: string; percorso: string }[]> =>
      (await own.call('GET', '/frequent-dirs')).data.items;
    const items = await frequent();
    expect(items).toHaveLength(6);
    expect(items.slice(0, 2)).toEqual([
      { etichetta: 'three', percorso: join(folders.path, 'three') },
      { etichetta: 'one', percorso: join(folders.path, 'one') },
    ]);
    await rm(join(folders.path, 'three'), { recursive: true });
    expect((await frequent())[0]?.etichetta).toBe('one');
    expect(await frequent()).toHaveLength(6);
  });

  covers(
    'workspace.portrait',
    'describes a repository: counts, branch, uncommitted files and nested repositories',
    async () => {
      await server.project.write({ 'AGENTS.md': 'x', 'src/AGENTS.md': 'x' });
      await server.project.git('init', 'nested');
      const { data } = await get('/workspace-info', { path: server.project.path });
      expect(data).toEqual({
        percorso: server.project.path,
        leggibile: true,
        radice: false,
        file: 7,
        cartelle: 3,
        oltreIlTetto: false,
        tetto: 20_000,
        git: {
          ramo: 'main',
          cartellaEradiceRepo: true,
          nonSalvate: 3,
          repoAnnidati: ['nested'],
        },
        istruzioni: ['AGENTS.md'],
      });
      const inner = (await get('/workspace-info', { path: join(server.project.path, 'src') })).data;
      expect(inner.git).toMatchObject({ ramo: 'main', cartellaEradiceRepo: false });
    },
  );

  covers('workspace.portrait', 'describes a plain folder without Git, and an unreadable one', async () => {
    expect((await get('/workspace-info', { path: at('alpha') })).data).toMatchObject({
      leggibile: true,
      file: 3,
      cartelle: 1,
      git: null,
      istruzioni: [],
    });
    for (const percorso of [at('nowhere'), at('alpha', 'README.md')]) {
      expect((await get('/workspace-info', { path: percorso })).data).toEqual({ percorso, leggibile: false });
    }
    expect((await get('/workspace-info', { path: await realpath(homedir()) })).data.radice).toBe(true);
  });

  refuses('workspace.portrait', 'QUERY_INVALID', 'for a missing, relative, parent or repeated path', async () => {
    for (const path of ['', 'alpha', `${place.path}/../x`, '//host/x', '/a\0b']) {
      expect((await get('/workspace-info', { path })).code).toBe('QUERY_INVALID');
    }
    expect((await get('/workspace-info')).code).toBe('QUERY_INVALID');
    expect((await get('/workspace-info?path=/tmp&path=/')).code).toBe('QUERY_INVALID');
    expect((await get('/workspace-info', { path: `/${'x'.repeat(4_100)}` })).code).toBe('PAYLOAD_LIMIT');
  });
});
