import { chmod, lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { readStream, type TestServer, testServer } from '../harness.ts';

let desktop: TempDir;
let place: TempDir;
let server: TestServer;
let id: string;

beforeAll(async () => {
  desktop = await tempDir();
  place = await tempDir();
  // Simulates the desktop's program: records what it should show.
  await desktop.write({ 'bin/xdg-open': `#!/bin/sh\nprintf '%s' "$1" > ${desktop.path}/shown\n` });
  await chmod(join(desktop.path, 'bin/xdg-open'), 0o755);
  const PATH = `${join(desktop.path, 'bin')}:${process.env['PATH']}`;
  server = await testServer({ settings: { environment: { ...process.env, PATH, DISPLAY: ':77' } } });
  await place.write({
    'work/src/a.ts': 'a',
    'work/src/b.ts': 'b',
    'work/.hidden': 'h',
    'work/archive.tar.gz': 'z',
    'work/deep/er/x.txt': 'x',
    'work/node_modules/dep/a.ts': 'dep',
    'work/paper.pdf': '%PDF-1.4 not much of one',
    'outside/secret.txt': 'secret',
  });
  await symlink(join(place.path, 'outside'), join(place.path, 'work/out'));
  id = await server.startSession({ cartellaLibera: join(place.path, 'work') });
  await server.settled(id);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
  await desktop[Symbol.asyncDispose]();
});

const at = (path: string): string => join(place.path, 'work', path);
const post = (what: string, body: unknown, session = id) =>
  server.call('POST', `/sessions/${session}/tree/${what}`, { body });
const get = (what: string, query: Record<string, string>) => server.call('GET', `/sessions/${id}/${what}`, { query });
const there = (path: string): Promise<boolean> =>
  lstat(at(path)).then(
    () => true,
    () => false,
  );

/** Invalid and outside paths for any path field. */
const BAD = ['../outside/secret.txt', '/etc/passwd', 'a\0b', 'src/../../outside', 'C:\\x'];

test('rejects an invalid path or name before it looks up the session', async () => {
  const none = 'no-such-session';
  for (const path of BAD) {
    const refused = [
      await post('create', { percorsoBase: path, nome: 'x', tipo: 'file' }, none),
      await post('create', { percorsoBase: '', nome: path, tipo: 'file' }, none),
      await post('rename', { percorso: path, nuovoNome: 'x' }, none),
      await post('rename', { percorso: 'a', nuovoNome: path }, none),
      await post('move', { percorso: path, cartellaDestinazione: '' }, none),
      await post('move', { percorso: 'a', cartellaDestinazione: path }, none),
      ...(await Promise.all(['copy', 'delete', 'reveal', 'open'].map((what) => post(what, { percorso: path }, none)))),
      ...(await Promise.all(
        ['tree', 'tree/file', 'file', 'file/anteprima'].map((what) =>
          server.call('GET', `/sessions/${none}/${what}`, { query: { percorso: path } }),
        ),
      )),
      await server.call('GET', '/projects/no-such-project/tree', { query: { percorso: path } }),
      await server.call('POST', `/sessions/${none}/pagine`, { body: { percorso: path } }),
    ];
    expect([path, ...refused.map(({ code }) => code)]).toEqual([path, ...refused.map(() => 'QUERY_INVALID')]);
  }
  expect((await post('copy', { percorso: 'a' }, none)).code).toBe('NOT_FOUND');
});

describe('creating', () => {
  covers('tree.create', 'creates a file and a folder at the given path', async () => {
    expect((await post('create', { percorsoBase: '', nome: 'new.txt', tipo: 'file' })).data).toEqual({
      percorso: 'new.txt',
    });
    expect((await post('create', { percorsoBase: 'src', nome: 'inner', tipo: 'cartella' })).data).toEqual({
      percorso: 'src/inner',
    });
    expect((await lstat(at('src/inner'))).isDirectory()).toBe(true);
    for (const body of [
      {},
      { percorsoBase: '', nome: 'x', tipo: 'link' },
      { percorsoBase: '', nome: '', tipo: 'file' },
      { percorsoBase: '', nome: 'a/b', tipo: 'file' },
      { percorsoBase: '', nome: '..', tipo: 'file' },
      { percorsoBase: 'out', nome: 'x', tipo: 'file' },
    ]) {
      expect([body, (await post('create', body)).code]).toEqual([body, 'QUERY_INVALID']);
    }
    expect(await readdir(join(place.path, 'outside'))).toEqual(['secret.txt']);
  });

  refuses('tree.create', 'FILE_EXISTS', 'when a file or folder has that name', async () => {
    for (const tipo of ['file', 'cartella']) {
      for (const nome of ['src', '.hidden']) {
        expect((await post('create', { percorsoBase: '', nome, tipo })).code).toBe('FILE_EXISTS');
      }
    }
    expect(await readFile(at('.hidden'), 'utf8')).toBe('h');
  });

  refuses('tree.create', 'FILE_NOT_FOUND', 'when the parent folder is missing', async () => {
    expect((await post('create', { percorsoBase: 'gone', nome: 'x', tipo: 'file' })).code).toBe('FILE_NOT_FOUND');
  });
});

describe('renaming and moving', () => {
  covers('tree.rename', 'renames in place, and renames a link instead of its target', async () => {
    expect((await post('rename', { percorso: 'src/a.ts', nuovoNome: 'c.ts' })).data).toEqual({
      nuovoPercorso: 'src/c.ts',
    });
    expect([await there('src/a.ts'), await there('src/c.ts')]).toEqual([false, true]);
    expect((await post('rename', { percorso: 'out', nuovoNome: 'away' })).ok).toBe(true);
    expect(await readlink(at('away'))).toBe(join(place.path, 'outside'));
    await post('rename', { percorso: 'away', nuovoNome: 'out' });
    for (const nuovoNome of ['', '.', '..', 'a/b', 'x'.repeat(256), 'a\0b']) {
      expect((await post('rename', { percorso: 'src/c.ts', nuovoNome })).code).toBe('QUERY_INVALID');
    }
    for (const percorso of BAD) expect((await post('rename', { percorso, nuovoNome: 'x' })).code).toBe('QUERY_INVALID');
  });

  refuses('tree.rename', 'FILE_EXISTS', 'when the new name exists, and replaces nothing', async () => {
    expect((await post('rename', { percorso: 'src/c.ts', nuovoNome: 'b.ts' })).code).toBe('FILE_EXISTS');
    expect((await post('rename', { percorso: 'src', nuovoNome: 'deep' })).code).toBe('FILE_EXISTS');
    expect(await readFile(at('src/b.ts'), 'utf8')).toBe('b');
  });

  refuses('tree.rename', 'FILE_NOT_FOUND', 'for a missing path', async () => {
    expect((await post('rename', { percorso: 'gone', nuovoNome: 'x' })).code).toBe('FILE_NOT_FOUND');
  });

  covers('tree.move', 'moves into another folder and back to the root', async () => {
    const moved = await post('move', { percorso: 'src/c.ts', cartellaDestinazione: 'deep/er' });
    expect(moved.data).toEqual({ nuovoPercorso: 'deep/er/c.ts' });
    expect((await post('move', { percorso: 'deep/er/c.ts', cartellaDestinazione: '' })).data).toEqual({
      nuovoPercorso: 'c.ts',
    });
    expect((await post('move', { percorso: 'deep', cartellaDestinazione: 'deep/er' })).code).toBe('QUERY_INVALID');
    expect((await post('move', { percorso: 'c.ts', cartellaDestinazione: 'out' })).code).toBe('QUERY_INVALID');
    expect((await post('move', { percorso: 'out/secret.txt', cartellaDestinazione: '' })).code).toBe('QUERY_INVALID');
    for (const path of BAD) {
      expect((await post('move', { percorso: path, cartellaDestinazione: '' })).code).toBe('QUERY_INVALID');
      expect((await post('move', { percorso: 'c.ts', cartellaDestinazione: path })).code).toBe('QUERY_INVALID');
    }
  });

  refuses('tree.move', 'FILE_EXISTS', 'when the target name exists', async () => {
    await writeFile(at('b.ts'), 'other');
    expect((await post('move', { percorso: 'b.ts', cartellaDestinazione: 'src' })).code).toBe('FILE_EXISTS');
    expect(await readFile(at('src/b.ts'), 'utf8')).toBe('b');
  });

  refuses('tree.move', 'FILE_NOT_FOUND', 'for a missing source or target folder', async () => {
    expect((await post('move', { percorso: 'gone', cartellaDestinazione: '' })).code).toBe('FILE_NOT_FOUND');
    expect((await post('move', { percorso: 'c.ts', cartellaDestinazione: 'gone' })).code).toBe('FILE_NOT_FOUND');
  });
});

describe('copying', () => {
  covers('tree.copy', 'copies beside the original under the next free name, and a link as a link', async () => {
    const copies = async (percorso: string, count: number) => {
      const names: string[] = [];
      for (let index = 0; index < count; index += 1) names.push((await post('copy', { percorso })).data.nuovoPercorso);
      return names;
    };
    expect(await copies('src/b.ts', 3)).toEqual(['src/b (copia).ts', 'src/b (copia 2).ts', 'src/b (copia 3).ts']);
    expect(await copies('.hidden', 1)).toEqual(['.hidden (copia)']);
    expect(await copies('deep', 1)).toEqual(['deep (copia)']);
    expect(await readFile(at('deep (copia)/er/x.txt'), 'utf8')).toBe('x');
    expect(await copies('out', 1)).toEqual(['out (copia)']);
    expect(await readlink(at('out (copia)'))).toBe(join(place.path, 'outside'));
    for (const percorso of BAD) expect((await post('copy', { percorso })).code).toBe('QUERY_INVALID');
  });

  refuses('tree.copy', 'FILE_NOT_FOUND', 'for a missing path', async () => {
    expect((await post('copy', { percorso: 'gone' })).code).toBe('FILE_NOT_FOUND');
  });
});

describe('deleting', () => {
  covers('tree.delete', 'deletes a folder recursively and a link without its target', async () => {
    expect((await post('delete', { percorso: 'deep (copia)' })).data).toMatchObject({ eliminato: true });
    expect((await post('delete', { percorso: 'out (copia)' })).data.eliminato).toBe(true);
    expect([await there('deep (copia)'), await there('out (copia)')]).toEqual([false, false]);
    expect(await readFile(join(place.path, 'outside/secret.txt'), 'utf8')).toBe('secret');
    await mkdir(at('holds'));
    await symlink(join(place.path, 'outside'), at('holds/link'));
    expect((await post('delete', { percorso: 'holds' })).ok).toBe(true);
    expect(await readdir(join(place.path, 'outside'))).toEqual(['secret.txt']);
    for (const percorso of [...BAD, '']) expect((await post('delete', { percorso })).code).toBe('QUERY_INVALID');
    expect((await post('delete', { percorso: 'out/secret.txt' })).code).toBe('QUERY_INVALID');
  });

  refuses('tree.delete', 'FILE_NOT_FOUND', 'for a missing path', async () => {
    expect((await post('delete', { percorso: 'gone' })).code).toBe('FILE_NOT_FOUND');
  });
});

describe('searching', () => {
  covers('tree.search', 'finds by part of the path, names first, and skips ignored folders', async () => {
    const { data } = await get('tree/search', { q: ' B.TS ' });
    expect(data).toMatchObject({ troncato: false, motivo: null, saltate: ['node_modules'] });
    expect(data.risultati.map(({ percorso }: any) => percorso).slice(0, 2)).toEqual(['b.ts', 'src/b.ts']);
    expect(data.visitate).toBeGreaterThan(8);
    for (const query of [{}, { q: ' ' }, { q: 'x', z: '1' }]) {
      expect((await get('tree/search', query as Record<string, string>)).code).toBe('QUERY_INVALID');
    }
  });

  refuses('tree.search', 'PAYLOAD_LIMIT', 'for a query of more than 256 characters', async () => {
    expect((await get('tree/search', { q: 'x'.repeat(257) })).code).toBe('PAYLOAD_LIMIT');
  });

  test('reports the limit that truncated a search', async () => {
    const names = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`work/many/file-${index}.log`, '']));
    await place.write(names);
    const { data } = await get('tree/search', { q: 'file-' });
    expect([data.risultati.length, data.troncato, data.motivo]).toEqual([200, true, 'risultati']);
  });
});

describe('previewing and opening', () => {
  covers('sessions.pdf', 'serves a PDF inline without allowing scripts', async () => {
    const reply = await get('file/anteprima', { percorso: 'paper.pdf' });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(reply.headers.get('content-security-policy')).toContain('sandbox');
    expect(reply.headers.get('content-disposition')).toBeNull();
    for (const percorso of BAD) {
      if (!percorso.includes('\0')) expect((await get('file/anteprima', { percorso })).code).toBe('QUERY_INVALID');
    }
  });

  refuses('sessions.pdf', 'FILE_NOT_FOUND', 'for a missing file and a file that is not a PDF', async () => {
    for (const percorso of ['gone.pdf', 'b.ts']) {
      expect(await get('file/anteprima', { percorso })).toMatchObject({ status: 404, code: 'FILE_NOT_FOUND' });
    }
  });

  refuses('sessions.pdf', 'FILE_TOO_LARGE', 'above 64 MiB', async () => {
    await writeFile(at('huge.pdf'), '%PDF-');
    const { truncate } = await import('node:fs/promises');
    await truncate(at('huge.pdf'), 64 * 1024 * 1024 + 1);
    expect((await get('file/anteprima', { percorso: 'huge.pdf' })).code).toBe('FILE_TOO_LARGE');
  });

  const shown = () => readFile(join(desktop.path, 'shown'), 'utf8');

  covers('tree.reveal', 'asks the desktop to show the parent folder', async () => {
    expect((await post('reveal', { percorso: 'src/b.ts' })).data).toEqual({ rivelato: true });
    expect(await shown()).toBe(at('src'));
    expect((await post('reveal', { percorso: 'out' })).code).toBe('QUERY_INVALID');
  });

  covers('tree.open', 'opens a folder or the root', async () => {
    expect((await post('open', { percorso: '' })).data).toEqual({ aperto: true });
    expect(await shown()).toBe(at('').replace(/\/$/, ''));
    expect((await post('open', { percorso: 'src/b.ts' })).code).toBe('QUERY_INVALID');
  });

  refuses('tree.reveal', 'FILE_NOT_FOUND', 'for a missing path', async () => {
    expect((await post('reveal', { percorso: 'gone' })).code).toBe('FILE_NOT_FOUND');
  });

  refuses('tree.open', 'FILE_NOT_FOUND', 'for a missing path', async () => {
    expect((await post('open', { percorso: 'gone' })).code).toBe('FILE_NOT_FOUND');
  });

  const withoutDesktop = async (what: string): Promise<unknown> => {
    const { DISPLAY: _d, WAYLAND_DISPLAY: _w, ...environment } = process.env;
    await using plain = await testServer({ settings: { environment } });
    const session = await plain.startSession();
    await plain.settled(session);
    return await plain.call('POST', `/sessions/${session}/tree/${what}`, { body: { percorso: 'README.md' } });
  };

  refuses('tree.reveal', 'PLATFORM_UNSUPPORTED', 'without a desktop', async () => {
    expect(await withoutDesktop('reveal')).toMatchObject({ status: 501, code: 'PLATFORM_UNSUPPORTED' });
  });

  refuses('tree.open', 'PLATFORM_UNSUPPORTED', 'when the desktop program fails', async () => {
    await writeFile(join(desktop.path, 'bin/xdg-open'), '#!/bin/sh\nexit 3\n');
    expect(await post('open', { percorso: 'src' })).toMatchObject({ status: 501, code: 'PLATFORM_UNSUPPORTED' });
  });
});

test('streams changes from outside while a client listens, and reports agent changes once', async () => {
  let count = 0;
  const touch = setInterval(() => void writeFile(at('from-outside.txt'), String((count += 1))), 300);
  const seen = await readStream(server, id, {
    isDone: (event) => event.type === 'WorkspaceChanged' && event.percorsi.includes('from-outside.txt'),
  });
  clearInterval(touch);
  expect(seen.at(-1)?.id).toBeGreaterThan(0);
  server.model.script((request) =>
    request.lastRole === 'tool'
      ? { text: 'Written.' }
      : { toolCalls: [{ name: 'scrivi', arguments: { percorso: 'by-agent.txt', contenuto: 'x' } }] },
  );
  const following = readStream(server, id, {
    isDone: (event) => event.type === 'WorkspaceChanged' && event.percorsi.includes('last.txt'),
  });
  await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'write' } });
  await server.settled(id);
  const last = setInterval(() => void writeFile(at('last.txt'), String((count += 1))), 300);
  const changedPaths = (await following).flatMap(({ event }) =>
    event.type === 'WorkspaceChanged' ? event.percorsi : [],
  );
  clearInterval(last);
  expect(changedPaths).not.toContain('by-agent.txt');
});
