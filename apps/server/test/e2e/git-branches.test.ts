import { dirname, join } from 'node:path';
import { gitIn } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { conflicted, type GitFixture, type GitServer, gitServer, refusedAsIs } from '../git-fixture.ts';

let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const BAD_NAMES = [
  '',
  '-x',
  'a b',
  'a..b',
  'a~1',
  '@{-1}',
  '-',
  'HEAD',
  'x.lock',
  '/a',
  'a/',
  'x'.repeat(251),
  'a\u0001',
];

describe('branches', () => {
  covers('git.branches', 'lists branches with their upstreams', async () => {
    const repo = await server.fixture();
    await gitIn(dirname(repo.path))('init', '-q', '--bare', `${repo.path}.remote`);
    await repo.git('remote', 'add', 'origin', `${repo.path}.remote`);
    await repo.git('push', '-q', '-u', 'origin', 'main');
    await repo.git('commit', '-q', '--allow-empty', '-m', 'more');
    await repo.git('branch', 'alone');
    const commit = await repo.git('rev-parse', 'HEAD');
    const alone = {
      corrente: false,
      commit,
      riferimento: null,
      avanti: null,
      indietro: null,
      riferimentoSparito: false,
    };
    const following = { riferimento: { corto: 'origin/main', remoto: 'origin', ramo: 'main' }, avanti: 1, indietro: 0 };
    expect((await repo.get('git/branches')).data.rami).toEqual([
      { ...alone, nome: 'alone' },
      { ...alone, ...following, nome: 'main', corrente: true },
    ]);
    await repo.git('update-ref', '-d', 'refs/remotes/origin/main');
    expect((await repo.get('git/branches')).data.rami[1]).toMatchObject({ riferimentoSparito: true, avanti: null });
  });

  covers('git.switch', 'switches and keeps changes without conflicts', async () => {
    const repo = await server.fixture();
    await repo.git('branch', 'feature/one');
    await repo.write({ 'a.txt': 'two\n' });
    const { data } = await repo.post('git/switch', { ramo: 'feature/one' });
    expect(data).toMatchObject({ ok: true, ramo: 'feature/one', stato: { riepilogo: { nonStaged: 1 } } });
    expect(await repo.git('branch', '--show-current')).toBe('feature/one');
  });
  refuses('git.switch', 'GIT_BRANCH_INVALID', 'for an invalid branch name', async () => {
    const repo = await server.fixture();
    for (const ramo of BAD_NAMES)
      expect([ramo, await refusedAsIs(repo, 'git/switch', { ramo })]).toEqual([ramo, 'GIT_BRANCH_INVALID']);
  });
  refuses('git.switch', 'GIT_BRANCH_NOT_FOUND', 'for an unknown branch, a commit or a file', async () => {
    const repo = await server.fixture();
    for (const ramo of ['nowhere', await repo.git('rev-parse', 'HEAD'), 'a.txt'])
      expect(await refusedAsIs(repo, 'git/switch', { ramo })).toBe('GIT_BRANCH_NOT_FOUND');
  });
  refuses('git.switch', 'GIT_SWITCH_BLOCKED', 'when changes would be lost or conflicts are open', async () => {
    const repo = await server.fixture();
    await repo.git('checkout', '-q', '-b', 'other');
    await repo.write({ 'a.txt': 'two\n' });
    await repo.git('commit', '-qam', 'two');
    await repo.git('checkout', '-q', 'main');
    await repo.write({ 'a.txt': 'mine\n' });
    expect(await refusedAsIs(repo, 'git/switch', { ramo: 'other' })).toBe('GIT_SWITCH_BLOCKED');
    const merging = await conflicted(await server.fixture());
    expect(await refusedAsIs(merging, 'git/switch', { ramo: 'other' })).toBe('GIT_SWITCH_BLOCKED');
  });

  covers('git.branch-create', 'creates and switches to a branch, even before the first commit', async () => {
    const repo = await server.fixture();
    expect((await repo.post('git/branch-create', { ramo: 'x/y' })).data).toMatchObject({ ok: true, ramo: 'x/y' });
    expect(await repo.git('branch', '--show-current')).toBe('x/y');
    await repo.git('update-ref', '-d', 'HEAD');
    expect((await repo.post('git/branch-create', { ramo: 'fresh' })).data).toMatchObject({ ramo: 'fresh' });
  });
  refuses('git.branch-create', 'GIT_BRANCH_INVALID', 'for an invalid branch name', async () => {
    const repo = await server.fixture();
    for (const ramo of BAD_NAMES)
      expect(await refusedAsIs(repo, 'git/branch-create', { ramo })).toBe('GIT_BRANCH_INVALID');
  });
  refuses('git.branch-create', 'GIT_BRANCH_EXISTS', 'when the branch or one below it exists', async () => {
    const repo = await server.fixture();
    for (const ramo of ['main', 'main/below'])
      expect(await refusedAsIs(repo, 'git/branch-create', { ramo })).toBe('GIT_BRANCH_EXISTS');
  });

  covers('git.branch-rename', 'renames the current or another branch', async () => {
    const repo = await server.fixture();
    const { data } = await repo.post('git/branch-rename', { da: 'main', a: 'trunk' });
    expect(data).toMatchObject({ ok: true, rami: [{ nome: 'trunk', corrente: true }] });
  });
  refuses('git.branch-rename', 'GIT_BRANCH_INVALID', 'for an invalid branch name', async () => {
    const repo = await server.fixture();
    expect(await refusedAsIs(repo, 'git/branch-rename', { da: 'main', a: 'a b' })).toBe('GIT_BRANCH_INVALID');
    expect(await refusedAsIs(repo, 'git/branch-rename', { da: '--all', a: 'x' })).toBe('GIT_BRANCH_INVALID');
  });
  refuses('git.branch-rename', 'GIT_BRANCH_NOT_FOUND', 'for an unknown branch', async () => {
    const repo = await server.fixture();
    expect(await refusedAsIs(repo, 'git/branch-rename', { da: 'nowhere', a: 'x' })).toBe('GIT_BRANCH_NOT_FOUND');
  });
  refuses('git.branch-rename', 'GIT_BRANCH_EXISTS', 'when the new name exists', async () => {
    const repo = await server.fixture();
    await repo.git('branch', 'other');
    expect(await refusedAsIs(repo, 'git/branch-rename', { da: 'main', a: 'other' })).toBe('GIT_BRANCH_EXISTS');
  });

  covers('git.branch-delete', 'deletes a merged branch, or any branch with force', async () => {
    const repo = await server.fixture();
    await repo.git('branch', 'merged');
    expect((await repo.post('git/branch-delete', { ramo: 'merged' })).data).toMatchObject({ rami: [{ nome: 'main' }] });
    await repo.git('checkout', '-q', '-b', 'ahead');
    await repo.git('commit', '-q', '--allow-empty', '-m', 'x');
    await repo.git('checkout', '-q', 'main');
    expect((await repo.post('git/branch-delete', { ramo: 'ahead', forza: true })).ok).toBe(true);
  });
  refuses('git.branch-delete', 'GIT_BRANCH_NOT_MERGED', 'when commits would be lost', async () => {
    const repo = await server.fixture();
    await repo.git('checkout', '-q', '-b', 'ahead');
    await repo.git('commit', '-q', '--allow-empty', '-m', 'x');
    await repo.git('checkout', '-q', 'main');
    for (const forza of [undefined, false])
      expect(await refusedAsIs(repo, 'git/branch-delete', { ramo: 'ahead', forza })).toBe('GIT_BRANCH_NOT_MERGED');
  });
  refuses(
    'git.branch-delete',
    'GIT_BRANCH_CURRENT',
    'when the branch is checked out here or in another worktree',
    async () => {
      const repo = await server.fixture();
      await repo.git('worktree', 'add', '-q', '-b', 'side', join(`${repo.path}-tree`));
      for (const ramo of ['main', 'side'])
        expect(await refusedAsIs(repo, 'git/branch-delete', { ramo, forza: true })).toBe('GIT_BRANCH_CURRENT');
    },
  );
  refuses('git.branch-delete', 'GIT_BRANCH_NOT_FOUND', 'for an unknown branch', async () => {
    const repo = await server.fixture();
    expect(await refusedAsIs(repo, 'git/branch-delete', { ramo: 'nowhere' })).toBe('GIT_BRANCH_NOT_FOUND');
  });
  refuses('git.branch-delete', 'GIT_BRANCH_INVALID', 'for an invalid branch name', async () => {
    const repo = await server.fixture();
    expect(await refusedAsIs(repo, 'git/branch-delete', { ramo: '-D' })).toBe('GIT_BRANCH_INVALID');
  });

  covers('git.remotes', 'lists remotes with addresses without credentials', async () => {
    const repo = await server.fixture();
    await repo.git('remote', 'add', 'origin', 'https://me:secret@host.invalid/a.git');
    await repo.git('remote', 'set-url', '--push', 'origin', 'git@host.invalid:a.git');
    await repo.git('remote', 'add', 'ssh', 'ssh://git@host.invalid/a.git');
    const { data, text } = await repo.get('git/remotes');
    expect(data.remoti).toEqual([
      { nome: 'origin', url: 'https://host.invalid/a.git', urlInvio: 'git@host.invalid:a.git' },
      { nome: 'ssh', url: 'ssh://git@host.invalid/a.git', urlInvio: null },
    ]);
    expect(text).not.toContain('secret');
  });
});

describe('stashes', () => {
  const first = async (repo: GitFixture): Promise<{ indice: number; commit: string }> => {
    const [{ indice, commit }] = (await repo.get('git/stashes')).data.accantonati;
    return { indice, commit };
  };

  covers('git.stashes', 'lists stashes newest first', async () => {
    const repo = await server.fixture();
    expect((await repo.get('git/stashes')).data).toEqual({ accantonati: [] });
    await repo.write({ 'a.txt': '2\n' });
    await repo.git('stash', 'push', '-q', '-m', 'mine: one');
    await repo.git('config', 'log.date', 'iso');
    await repo.write({ 'a.txt': '3\n' });
    await repo.git('stash', 'push', '-q');
    const { accantonati } = (await repo.get('git/stashes')).data;
    expect(accantonati).toMatchObject([
      { indice: 0, ramo: 'main', messaggio: expect.stringContaining('Start'), data: expect.stringMatching(/^\d{4}-/) },
      { indice: 1, ramo: 'main', messaggio: 'mine: one', commit: await repo.git('rev-parse', 'stash@{1}') },
    ]);
  });

  covers('git.stash', 'stashes changes of the folder with or without untracked files', async () => {
    const repo = await server.fixture(undefined, 'sub');
    await repo.write({ 'a.txt': 'staged\n', 'b.txt': 'not\n', 'top.txt': '', 'sub/c.txt': '2\n', 'sub/n.txt': 'n' });
    await repo.git('add', 'a.txt', 'sub/c.txt');
    const { data } = await repo.post('git/stash', { messaggio: 'x'.repeat(300), conNuovi: true });
    expect(data).toMatchObject({ ok: true, accantonati: [{ messaggio: 'x'.repeat(200) }], stato: { voci: [] } });
    expect(await repo.git('status', '--porcelain')).toBe('M  a.txt\n M b.txt\n?? top.txt');
    expect((await repo.post('git/stash-pop', await first(repo))).data.stato.riepilogo).toMatchObject({ totale: 2 });
    expect((await repo.post('git/stash', {})).data.stato.riepilogo).toMatchObject({ totale: 1, nonTracciati: 1 });
  });
  test('includes untracked files at the repository root only on request', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': '2\n', 'new.txt': 'n' });
    await repo.post('git/stash', {});
    expect(await repo.git('status', '--porcelain')).toBe('?? new.txt');
    await repo.post('git/stash', { conNuovi: true });
    expect(await repo.git('status', '--porcelain')).toBe('');
  });
  refuses(
    'git.stash',
    'GIT_NOTHING_TO_STASH',
    'without changes, with only untracked files, or without a commit',
    async () => {
      const repo = await server.fixture();
      expect(await refusedAsIs(repo, 'git/stash', {})).toBe('GIT_NOTHING_TO_STASH');
      await repo.write({ 'new.txt': '' });
      expect(await refusedAsIs(repo, 'git/stash', { conNuovi: false })).toBe('GIT_NOTHING_TO_STASH');
      await repo.git('update-ref', '-d', 'HEAD');
      expect(await refusedAsIs(repo, 'git/stash', { conNuovi: true })).toBe('GIT_NOTHING_TO_STASH');
    },
  );
  refuses('git.stash', 'GIT_CONFLICTS', 'with open conflicts', async () => {
    expect(await refusedAsIs(await conflicted(await server.fixture()), 'git/stash', {})).toBe('GIT_CONFLICTS');
  });

  covers('git.stash-pop', 'applies and drops the stash', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': '2\n', 'new.txt': 'n' });
    await repo.post('git/stash', { conNuovi: true });
    await repo.write({ 'b.txt': 'other\n' });
    const { data } = await repo.post('git/stash-pop', await first(repo));
    expect(data).toMatchObject({ ok: true, accantonati: [], stato: { riepilogo: { nonStaged: 2, nonTracciati: 1 } } });
  });
  refuses('git.stash-pop', 'GIT_STASH_CHANGED', 'when another entry is on top', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': '2\n' });
    await repo.post('git/stash', {});
    const { commit } = await first(repo);
    for (const body of [
      { indice: 1, commit },
      { indice: 0, commit: '0'.repeat(40) },
    ])
      expect(await refusedAsIs(repo, 'git/stash-pop', body)).toBe('GIT_STASH_CHANGED');
  });
  refuses('git.stash-pop', 'GIT_STASH_OUTSIDE', 'when the stash contains files outside the folder', async () => {
    const repo = await server.fixture(undefined, 'sub');
    await repo.write({ 'a.txt': '2\n' });
    await repo.git('stash', 'push', '-q');
    expect(await refusedAsIs(repo, 'git/stash-pop', await first(repo))).toBe('GIT_STASH_OUTSIDE');
  });
  refuses(
    'git.stash-pop',
    'GIT_STASH_CONFLICT',
    'when the stash conflicts with commits, changes or untracked files',
    async () => {
      const repo = await server.fixture();
      await repo.write({ 'a.txt': '2\n', 'new.txt': 'n' });
      await repo.post('git/stash', { conNuovi: true });
      const choice = await first(repo);
      await repo.write({ 'new.txt': 'other' });
      expect(await refusedAsIs(repo, 'git/stash-pop', choice)).toBe('GIT_STASH_CONFLICT');
      await repo.git('clean', '-qf');
      await repo.write({ 'a.txt': 'mine\n' });
      expect(await refusedAsIs(repo, 'git/stash-pop', choice)).toBe('GIT_STASH_CONFLICT');
      await repo.git('commit', '-qam', 'mine');
      expect(await refusedAsIs(repo, 'git/stash-pop', choice)).toBe('GIT_STASH_CONFLICT');
    },
  );

  covers('git.stash-drop', 'drops the listed stash', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': '2\n' });
    await repo.post('git/stash', {});
    expect((await repo.post('git/stash-drop', await first(repo))).data).toEqual({ ok: true, accantonati: [] });
  });
  refuses('git.stash-drop', 'GIT_STASH_CHANGED', 'when another entry is on top', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': '2\n' });
    await repo.post('git/stash', {});
    expect(await refusedAsIs(repo, 'git/stash-drop', { indice: 0, commit: '0'.repeat(40) })).toBe('GIT_STASH_CHANGED');
  });
});
