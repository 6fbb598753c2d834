import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { conflicted, type GitFixture, type GitServer, gitServer, refusedAsIs } from '../git-fixture.ts';

let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const BAD_PATHS = ['../x', '/etc/passwd', ':(top)', '', '.', '.git/config', 'a/../b', 'nowhere.txt'];

describe('staging', () => {
  covers('git.stage', 'stages changed, new and deleted files with any name', async () => {
    const repo = await server.fixture({ 'a.txt': 'one\n', '[x]*.txt': '1', 'gone.txt': 'g', 'x1.txt': '1' });
    await repo.write({ 'a.txt': 'two\n', '[x]*.txt': '2', 'x1.txt': '2', 'é ü.txt': 'new', 'dir/n.txt': '' });
    await rm(join(repo.path, 'gone.txt'));
    const percorsi = ['a.txt', '[x]*.txt', 'gone.txt', 'é ü.txt', 'dir/'];
    const { data } = await repo.post('git/stage', { percorsi });
    expect(data).toMatchObject({ ok: true, percorsi: ['a.txt', '[x]*.txt', 'gone.txt', 'é ü.txt', 'dir'] });
    expect(data.stato.riepilogo).toEqual({ totale: 6, staged: 5, nonStaged: 1, nonTracciati: 0, conflitti: 0 });
    expect(await repo.git('diff', '--name-only')).toBe('x1.txt');
  });
  refuses('git.stage', 'GIT_PATHS_REQUIRED', 'without paths', async () => {
    const repo = await server.fixture();
    for (const body of [{ percorsi: [] }, { percorsi: 'a.txt' }, {}])
      expect(await repo.post('git/stage', body)).toMatchObject({ status: 422, code: 'GIT_PATHS_REQUIRED' });
    expect((await repo.post('git/stage', { percorsi: ['a.txt'], x: 1 })).code).toBe('QUERY_INVALID');
  });
  refuses('git.stage', 'GIT_PATH_INVALID', 'for an outside, unknown or ignored path, and stages nothing', async () => {
    const repo = await server.fixture({ 'a.txt': 'one\n', '.gitignore': 'no.txt\n' });
    await repo.write({ 'a.txt': 'two\n', 'no.txt': '' });
    for (const bad of [...BAD_PATHS, 'no.txt'])
      expect([bad, await refusedAsIs(repo, 'git/stage', { percorsi: ['a.txt', bad] })]).toEqual([
        bad,
        'GIT_PATH_INVALID',
      ]);
  });

  covers('git.unstage', 'unstages, even before the first commit', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': 'two\n', 'n.txt': '' });
    await repo.git('add', '-A');
    const { data } = await repo.post('git/unstage', { percorsi: ['a.txt', 'n.txt'] });
    expect(data.stato.riepilogo).toMatchObject({ staged: 0, nonStaged: 1, nonTracciati: 1 });
    const fresh = await server.fixture();
    await fresh.git('update-ref', '-d', 'HEAD');
    expect((await fresh.post('git/unstage', { percorsi: ['a.txt'] })).data.stato.riepilogo).toMatchObject({
      staged: 2,
    });
  });
  refuses('git.unstage', 'GIT_PATHS_REQUIRED', 'without paths', async () => {
    const repo = await server.fixture();
    expect((await repo.post('git/unstage', { percorsi: [] })).code).toBe('GIT_PATHS_REQUIRED');
  });
  refuses('git.unstage', 'GIT_PATH_INVALID', 'for an outside or unknown path, and unstages nothing', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': 'two\n' });
    await repo.git('add', 'a.txt');
    for (const bad of BAD_PATHS)
      expect([bad, await refusedAsIs(repo, 'git/unstage', { percorsi: ['a.txt', bad] })]).toEqual([
        bad,
        'GIT_PATH_INVALID',
      ]);
  });

  covers('git.discard', 'restores the staged content and deletes new files', async () => {
    const repo = await server.fixture({ 'a.txt': 'one\r\n', 'b.txt': 'b\n', 'gone.txt': 'g\n' });
    await repo.write({ 'b.txt': 'staged\n' });
    await repo.git('add', 'b.txt');
    await repo.write({ 'a.txt': 'two\r\n', 'b.txt': 'later\n', 'dir/new.txt': 'n', 'kept.txt': '' });
    await rm(join(repo.path, 'gone.txt'));
    const { data } = await repo.post('git/discard', { percorsi: ['a.txt', 'b.txt', 'gone.txt', 'dir'] });
    expect(data).toMatchObject({ riportati: ['a.txt', 'b.txt', 'gone.txt'], eliminati: ['dir/new.txt'] });
    expect(await repo.git('show', ':b.txt')).toBe('staged');
    expect(await repo.git('status', '--porcelain')).toBe('M  b.txt\n?? kept.txt');
  });
  refuses('git.discard', 'GIT_PATHS_REQUIRED', 'without paths', async () => {
    const repo = await server.fixture();
    expect((await repo.post('git/discard', { percorsi: [] })).code).toBe('GIT_PATHS_REQUIRED');
  });
  refuses('git.discard', 'GIT_PATH_INVALID', 'for a path outside the folder', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': 'two\n' });
    for (const bad of BAD_PATHS.slice(0, -1))
      expect(await refusedAsIs(repo, 'git/discard', { percorsi: ['a.txt', bad] })).toBe('GIT_PATH_INVALID');
  });
  refuses(
    'git.discard',
    'GIT_NOTHING_TO_DISCARD',
    'for unchanged files and files with only staged changes',
    async () => {
      const repo = await server.fixture();
      await repo.write({ 'a.txt': 'two\n' });
      await repo.git('add', 'a.txt');
      for (const path of ['a.txt', 'b.txt', 'nowhere'])
        expect(await refusedAsIs(repo, 'git/discard', { percorsi: [path] })).toBe('GIT_NOTHING_TO_DISCARD');
    },
  );
  refuses('git.discard', 'GIT_CONFLICTS', 'for a file with conflicts', async () => {
    const repo = await conflicted(await server.fixture());
    await repo.write({ 'b.txt': 'x' });
    expect(await refusedAsIs(repo, 'git/discard', { percorsi: ['b.txt', 'a.txt'] })).toBe('GIT_CONFLICTS');
  });
  refuses('git.discard', 'GIT_NESTED_REPO', 'for a nested repository', async () => {
    const repo = await server.fixture();
    await repo.write({ 'inner/x.txt': '', 'b.txt': 'x' });
    await gitIn(join(repo.path, 'inner'))('init', '-q');
    expect(await refusedAsIs(repo, 'git/discard', { percorsi: ['b.txt', 'inner'] })).toBe('GIT_NESTED_REPO');
  });
});

const LINES = Array.from({ length: 40 }, (_value, index) => `line ${index}`);
const withChanges = (changed: Record<number, string>, end = '\n'): string =>
  `${LINES.map((line, index) => changed[index] ?? line).join(end)}${end}`;

describe('a single hunk', () => {
  const hunk = async (repo: GitFixture, indice: number, azione: string, path = 'h.txt') => {
    const area = azione === 'togli' ? 'preparato' : 'lavoro';
    const { data } = await repo.get('git/diff', { percorso: path, area });
    return repo.post('git/hunk', { percorso: path, area, indice, impronta: data?.impronta ?? 'x', azione });
  };

  covers('git.hunk', 'can be staged, unstaged and discarded', async () => {
    for (const end of ['\n', '\r\n']) {
      const repo = await server.fixture({ 'h.txt': withChanges({}, end) });
      await writeFile(join(repo.path, 'h.txt'), withChanges({ 2: 'two', 20: '@@ odd @@', 38: 'end' }, end));
      expect((await hunk(repo, 1, 'prepara')).data).toMatchObject({
        ok: true,
        stato: { riepilogo: { staged: 1, nonStaged: 1 } },
      });
      expect(await repo.git('diff', '--cached', '--numstat')).toBe('1\t1\th.txt');
      expect(await repo.git('show', ':h.txt')).toContain('@@ odd @@');
      expect((await hunk(repo, 1, 'annulla')).ok).toBe(true);
      expect(await repo.git('diff', '--numstat')).toBe('1\t1\th.txt');
      expect((await hunk(repo, 0, 'togli')).ok).toBe(true);
      expect(await repo.git('diff', '--cached', '--numstat')).toBe('');
      expect(await repo.git('diff', '--numstat')).toBe('2\t2\th.txt');
    }
  });
  test('works for a last line without line break, a subfolder and a file that is not UTF-8', async () => {
    const repo = await server.fixture({ 'sub/h.txt': 'x' }, 'sub');
    await writeFile(join(repo.path, 'sub/h.txt'), Buffer.from([0x61, 0xe9, 0x0a, 0x62]));
    expect((await hunk(repo, 0, 'prepara')).ok).toBe(true);
    expect(await repo.git('status', '--porcelain')).toBe('M  sub/h.txt');
    expect((await hunk(repo, 0, 'togli')).ok).toBe(true);
    expect((await hunk(repo, 0, 'annulla')).ok).toBe(true);
    expect(await repo.git('status', '--porcelain')).toBe('');
  });
  refuses('git.hunk', 'GIT_HUNK_INVALID', 'for an unknown hunk, a wrong area and a path outside', async () => {
    const repo = await server.fixture({ 'h.txt': withChanges({}) });
    await repo.write({ 'h.txt': withChanges({ 2: 'two' }) });
    expect((await hunk(repo, 5, 'prepara')).code).toBe('GIT_HUNK_INVALID');
    const body = { percorso: 'h.txt', area: 'lavoro', indice: 0, impronta: 'x', azione: 'prepara' };
    for (const change of [
      { azione: 'togli' },
      { azione: 'x' },
      { area: 'x' },
      { area: 'preparato' },
      { indice: -1 },
      { indice: 'a' },
      { percorso: '../x' },
    ])
      expect(await repo.post('git/hunk', { ...body, ...change })).toMatchObject({
        status: 422,
        code: 'GIT_HUNK_INVALID',
      });
  });
  refuses('git.hunk', 'GIT_DIFF_CHANGED', 'when the file changed since the diff', async () => {
    const repo = await server.fixture({ 'h.txt': withChanges({}) });
    await repo.write({ 'h.txt': withChanges({ 2: 'two' }) });
    const { impronta } = (await repo.get('git/diff', { percorso: 'h.txt', area: 'lavoro' })).data;
    await repo.write({ 'h.txt': withChanges({ 2: 'other' }) });
    const body = { percorso: 'h.txt', area: 'lavoro', indice: 0, impronta, azione: 'annulla' };
    expect(await refusedAsIs(repo, 'git/hunk', body)).toBe('GIT_DIFF_CHANGED');
    await repo.git('checkout', '-q', 'h.txt');
    expect((await repo.post('git/hunk', body)).code).toBe('GIT_DIFF_CHANGED');
  });
  refuses('git.hunk', 'GIT_HUNK_UNSUPPORTED', 'for new, deleted, renamed and binary files', async () => {
    const repo = await server.fixture({ 'h.txt': withChanges({}), 'bytes.bin': 'a\0b', 'gone.txt': 'g\n' });
    await repo.write({ 'new.txt': 'n\n', 'bytes.bin': 'c\0d' });
    await rm(join(repo.path, 'gone.txt'));
    for (const path of ['new.txt', 'bytes.bin', 'gone.txt'])
      expect([path, (await hunk(repo, 0, 'annulla', path)).code]).toEqual([path, 'GIT_HUNK_UNSUPPORTED']);
    await repo.git('mv', 'h.txt', 'r.txt');
    await repo.write({ 'r.txt': withChanges({ 3: 'x' }) });
    await repo.git('add', 'r.txt');
    expect((await hunk(repo, 0, 'togli', 'r.txt')).code).toBe('GIT_HUNK_UNSUPPORTED');
  });
  refuses('git.hunk', 'GIT_HUNK_FAILED', 'when git rejects the patch', async () => {
    const repo = await server.fixture({ 'h.txt': withChanges({}) });
    await repo.write({ 'h.txt': withChanges({ 2: 'two' }) });
    await repo.write({ '.git/index.lock': '' });
    expect((await hunk(repo, 0, 'prepara')).code).toBe('GIT_HUNK_FAILED');
  });
  refuses('git.hunk', 'GIT_CONFLICTS', 'for a file with conflicts', async () => {
    const repo = await conflicted(await server.fixture());
    expect((await hunk(repo, 0, 'annulla', 'a.txt')).code).toBe('GIT_CONFLICTS');
  });
});
