import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { StatePatch } from '@fucina/shared';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestServer, testServer, until } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const at = (path: string): string => join(server.project.path, path);
const text = (path: string): Promise<string> => readFile(at(path), 'utf8');

/** A turn per list of command lines. */
async function turn(id: string | undefined, ...commands: string[]): Promise<string> {
  let step = 0;
  server.model.script(() => {
    const comando = commands[step++];
    return comando ? { toolCalls: [{ name: 'shell', arguments: { comando } }] } : { text: 'Done.' };
  });
  if (id) await say(id, 'Go on.');
  const sessionId = id ?? (await server.startSession({ permessi: 'Workspace write' }));
  await server.settled(sessionId);
  return sessionId;
}

async function say(id: string, consegna: string): Promise<string> {
  const reply = await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: consegna } });
  expect([reply.status, reply.code]).toEqual([expect.any(Number), undefined]);
  await server.settled(id);
  return (
    (await server.events(id)).flatMap((one) => (one.type === 'TextMessageContent' ? [one.delta] : [])).at(-1) ?? ''
  );
}

async function patches(id: string): Promise<StatePatch[]> {
  // The end of a turn waits for a scan for three seconds at most; this waits as long as it takes.
  await server.host.services.sessions.branches.preview(id, 'giro:1');
  const events = await server.events(id);
  return events.flatMap((event) => (event.type === 'StateDelta' && event.giro ? event.delta : []));
}

describe('undoing the effects of commands', () => {
  test('restores changed, deleted, moved and chmodded files and deletes new ones, and redo repeats it', async () => {
    await server.project.write({ 'u/a.txt': 'one\n', 'u/b.txt': 'two\n', 'u/c.txt': 'three\n', 'u/run.sh': 'echo\n' });
    await chmod(at('u/run.sh'), 0o644);
    const id = await turn(
      undefined,
      'sed -i s/one/ONE/ u/a.txt && rm u/b.txt && mv u/c.txt u/moved.txt && chmod +x u/run.sh',
      'mkdir -p u/deep/er && echo new > u/deep/er/new.txt && printf "a\\0b" > u/bin.dat && echo more >> u/a.txt',
    );
    const patchOf = new Map((await patches(id)).map((patch) => [patch.path, patch]));
    expect(patchOf.get('/file/u/b.txt')).toMatchObject({ op: 'remove', prima: 'two\n' });
    expect(patchOf.get('/file/u/moved.txt')).toMatchObject({ op: 'add', value: 'three\n' });
    expect(patchOf.get('/file/u/run.sh')).toMatchObject({ primaModo: 0o644, dopoModo: 0o755 });
    expect(patchOf.get('/file/u/bin.dat')).toMatchObject({
      op: 'add',
      value: null,
      dopoBlob: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(patchOf.get('/file/u/a.txt')).toMatchObject({ prima: 'ONE\n', value: 'ONE\nmore\n' });

    expect(await say(id, '/diff')).toMatch(/Il turno 1 ha modificato 7 file[^]*-one\n\+ONE\n\+more/);
    expect(await say(id, '/undo')).toContain('Annullato il turno 1.');
    expect([await text('u/a.txt'), await text('u/b.txt'), await text('u/c.txt')]).toEqual([
      'one\n',
      'two\n',
      'three\n',
    ]);
    expect((await stat(at('u/run.sh'))).mode & 0o777).toBe(0o644);
    expect((await readdir(at('u'))).sort()).toEqual(['a.txt', 'b.txt', 'c.txt', 'run.sh']);

    expect(await say(id, '/redo')).toContain('Ripetuto il turno 1.');
    expect([await text('u/a.txt'), await text('u/moved.txt')]).toEqual(['ONE\nmore\n', 'three\n']);
    expect(await readFile(at('u/bin.dat'))).toEqual(Buffer.from('a\0b'));
    expect((await stat(at('u/run.sh'))).mode & 0o777).toBe(0o755);
    expect([existsSync(at('u/b.txt')), existsSync(at('u/c.txt'))]).toEqual([false, false]);
  });

  test('finds the changes among many files, and those that the user made in between', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `many/d${index % 7}/f${index}.txt`);
    await server.project.write(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
    const id = await turn(undefined, 'true');
    await server.project.write({ 'many/d1/f1.txt': 'by the user\n' });
    // The clock of a file system has steps: a change right before a command could be the command's.
    await pause(100);
    await turn(id, 'echo changed >> many/d1/f1.txt; rm many/d2/f2.txt; echo new > many/d3/new.txt');
    const found = (await patches(id)).filter(({ path }) => path.startsWith('/file/many/'));
    expect(Object.fromEntries(found.map(({ op, path, prima }) => [path, [op, prima]]))).toEqual({
      '/file/many/d1/f1.txt': ['replace', 'by the user\n'],
      '/file/many/d2/f2.txt': ['remove', 'many/d2/f2.txt\n'],
      '/file/many/d3/new.txt': ['add', undefined],
    });
  });

  test('leaves files that the user changed before, during or after, and files too large to keep', async () => {
    await server.project.write({ 'p/a.txt': 'a\n', 'p/b.txt': 'b\n', 'p/large.bin': Buffer.alloc(700 * 1024, 1) });
    const id = await turn(undefined, 'true');
    await writeFile(at('p/a.txt'), 'by the user\n');
    await turn(
      id,
      'echo agent > p/b.txt; head -c 700000 /dev/zero > p/large.bin; head -c 700000 /dev/zero > p/big-new.bin',
    );
    expect((await patches(id)).map(({ path }) => path)).toEqual([
      '/file/p/b.txt',
      '/file/p/big-new.bin',
      '/file/p/large.bin',
    ]);
    await writeFile(at('p/b.txt'), 'mine\n');
    const answer = await say(id, '/undo');
    expect(answer).toMatch(
      /`p\/b\.txt`: modificato nel frattempo[^]*`p\/large\.bin`: il contenuto precedente non è stato salvato/,
    );
    expect(answer).toMatch(/-agent\n\+mine/);
    expect([await text('p/a.txt'), await text('p/b.txt')]).toEqual(['by the user\n', 'mine\n']);
    expect([existsSync(at('p/big-new.bin')), (await stat(at('p/large.bin'))).size]).toEqual([false, 700_000]);
    await say(id, '/redo');
    expect((await stat(at('p/big-new.bin'))).size).toBe(700_000);
  });

  test('covers files in other encodings, documents and background commands', async () => {
    await server.project.write({ 'w/latin.txt': Buffer.from('perch\xe9\r\n', 'latin1') });
    let step = 0;
    const calls = [
      { name: 'file_edit', arguments: { percorso: 'w/latin.txt', vecchio: 'perché', nuovo: 'poiché' } },
      { name: 'document_create', arguments: { format: 'docx', title: 'Undone', body: '# Title' } },
      { name: 'shell', arguments: { comando: 'sleep 1.3; echo late > w/late.txt', sfondo: true } },
    ];
    server.model.script(() => {
      const call = calls[step++];
      return call ? { toolCalls: [call] } : { text: 'Done.' };
    });
    const id = await server.startSession({ permessi: 'Workspace write' });
    await server.settled(id);
    await until(async () => (await patches(id)).some(({ path }) => path === '/file/w/late.txt') || undefined);
    expect(await readFile(at('w/latin.txt'), 'latin1')).toBe('poich\xe9\r\n');
    await say(id, '/undo');
    expect(await readFile(at('w/latin.txt'), 'latin1')).toBe('perch\xe9\r\n');
    expect([existsSync(at('Undone.docx')), existsSync(at('w/late.txt'))]).toEqual([false, false]);
    await say(id, '/redo');
    expect(await readFile(at('w/latin.txt'), 'latin1')).toBe('poich\xe9\r\n');
    expect((await readFile(at('Undone.docx'))).subarray(0, 2).toString()).toBe('PK');
    expect(await text('w/late.txt')).toBe('late\n');
  });

  test('of hundreds of files stays bounded in the journal and complete on disk', async () => {
    await mkdir(at('many'), { recursive: true });
    for (let file = 0; file < 600; file += 1) await writeFile(at(`many/${file}.txt`), `before ${file} `.repeat(80));
    const id = await turn(undefined, 'true');
    await turn(id, 'for f in many/*; do echo after > $f; done');
    let all: StatePatch[] = [];
    // Polling without pauses would keep the in-process server busy.
    for (; all.length < 600; all = await patches(id)) await new Promise((resolve) => setTimeout(resolve, 200));
    expect(all).toHaveLength(600);
    expect(JSON.stringify(all).length).toBeLessThan(700_000);
    expect(await say(id, '/undo')).toMatch(/- … \+550/);
    expect(await text('many/599.txt')).toBe('before 599 '.repeat(80));
    expect(await text('many/0.txt')).toBe('before 0 '.repeat(80));
  });

  test('never touches the repository and puts no files into the folder', async () => {
    const before = [await server.project.git('rev-parse', 'HEAD'), await server.project.git('count-objects', '-v')];
    await turn(undefined, 'echo x > untouched.txt');
    expect([await server.project.git('rev-parse', 'HEAD'), await server.project.git('count-objects', '-v')]).toEqual(
      before,
    );
    expect((await readdir(server.project.path)).filter((name) => name.includes('fucina'))).toEqual([]);
  });
});
