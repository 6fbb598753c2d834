import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { conflicted, type GitFixture, refusedAsIs } from '../git-fixture.ts';
import { commitMine, commitTheirs, type RemoteFixture, remoteFixture } from '../git-remote-fixture.ts';

let fixture: RemoteFixture;
beforeAll(async () => {
  fixture = await remoteFixture();
});
afterAll(async () => fixture[Symbol.asyncDispose]());

describe('a pull', () => {
  covers('git.pull', 'fast-forwards, and does nothing when up to date', async () => {
    const pair = await fixture.connected();
    const { mine } = pair;
    const before = await mine.git('rev-parse', 'HEAD');
    const after = await commitTheirs(pair, { 'b.txt': '2\n', 'sub/new.txt': 'n\n' });
    await mine.write({ 'a.txt': 'in progress\n', 'other.txt': 'not tracked\n' });
    const { data } = await mine.post('git/pull');
    expect(data).toMatchObject({
      ok: true,
      conflitti: 0,
      commitPrima: before,
      commitDopo: after,
      stato: { base: { commit: after }, riepilogo: { nonStaged: 1, nonTracciati: 1 } },
      sincronizzazione: { avanti: 0, indietro: 0 },
    });
    expect((await mine.post('git/pull')).data).toMatchObject({ ok: true, commitPrima: after, commitDopo: after });
  });
  test('merges, rebases or refuses diverged branches as git is configured', async () => {
    const apart = async (...settings: string[]): Promise<GitFixture> => {
      const pair = await fixture.connected();
      await commitTheirs(pair, { 'b.txt': '2\n' });
      await commitMine(pair, { 'a.txt': '2\n' });
      if (settings.length > 0) await pair.mine.git('config', ...settings);
      return pair.mine;
    };
    const merged = await apart();
    await merged.write({ 'sub/c.txt': 'in progress\n' });
    expect((await merged.post('git/pull')).data).toMatchObject({
      ok: true,
      sincronizzazione: { avanti: 2, indietro: 0 },
    });
    expect(await merged.git('log', '-1', '--format=%s')).toBe("Merge remote-tracking branch 'origin/main'");
    expect(await merged.git('status', '--porcelain')).toBe(' M sub/c.txt');
    const rebased = await apart('pull.rebase', 'true');
    expect((await rebased.post('git/pull')).data).toMatchObject({
      ok: true,
      sincronizzazione: { avanti: 1, indietro: 0 },
    });
    expect(await rebased.git('rev-list', '--merges', '--count', 'HEAD')).toBe('0');
    const strict = await apart('pull.ff', 'only');
    await strict.git('fetch', '-q');
    const before = await strict.snapshot();
    expect(await strict.post('git/pull')).toMatchObject({ code: 'GIT_PULL_FAILED', reason: 'diverged' });
    expect(await strict.snapshot()).toBe(before);
  });
  test('keeps conflicts open and counts them, and aborts a rebase with conflicts', async () => {
    const colliding = async (): Promise<GitFixture> => {
      const pair = await fixture.connected();
      await commitTheirs(pair, { 'a.txt': 'theirs\n', 'sub/c.txt': 'theirs\n' });
      await commitMine(pair, { 'a.txt': 'mine\n', 'sub/c.txt': 'mine\n' });
      await pair.mine.git('fetch', '-q');
      return pair.mine;
    };
    const mine = await colliding();
    const { data } = await mine.post('git/pull');
    expect(data).toMatchObject({ ok: false, conflitti: 2, stato: { riepilogo: { conflitti: 2 } } });
    expect(data.commitDopo).toBe(data.commitPrima);
    const rebasing = await colliding();
    await rebasing.git('config', 'pull.rebase', 'true');
    const before = await rebasing.snapshot();
    expect(await rebasing.post('git/pull')).toMatchObject({ code: 'GIT_PULL_FAILED', reason: 'rebase-conflicts' });
    expect(await rebasing.snapshot()).toBe(before);
  });
  test('needs no remote for an upstream in the same repository', async () => {
    const mine = await fixture.server.fixture();
    await mine.git('switch', '-q', '-c', 'topic', '--track', 'main');
    await mine.git('commit', '-q', '--allow-empty', '-m', 'x');
    await mine.git('branch', '-f', 'main', 'HEAD');
    await mine.git('reset', '-q', '--hard', 'HEAD^');
    expect((await mine.post('git/pull')).data).toMatchObject({ ok: true, sincronizzazione: { indietro: 0 } });
  });
  refuses(
    'git.pull',
    'GIT_WORKTREE_DIRTY',
    'when incoming files are changed, staged or untracked locally',
    async () => {
      const pair = await fixture.connected();
      const { mine } = pair;
      await commitTheirs(pair, { 'a.txt': 'theirs\n', 'new.txt': 'theirs\n', 'kept.log': 'theirs\n' });
      await mine.git('fetch', '-q');
      const dirty = async (files: Record<string, string>, ...git: string[]): Promise<void> => {
        await mine.write(files);
        if (git.length > 0) await mine.git(...git);
        expect(await refusedAsIs(mine, 'git/pull', {})).toBe('GIT_WORKTREE_DIRTY');
        await mine.git('reset', '-q', '--hard');
        await mine.git('clean', '-qfdx');
      };
      await dirty({ 'a.txt': 'mine\n' });
      await dirty({ 'a.txt': 'mine\n' }, 'add', 'a.txt');
      await dirty({ 'new.txt': 'mine\n' });
      await writeFile(join(mine.path, '.git/info/exclude'), '*.log\n');
      await dirty({ 'kept.log': 'mine, and ignored\n' });
      await mine.git('commit', '-q', '--allow-empty', '-m', 'apart');
      await dirty({ 'b.txt': 'staged\n' }, 'add', 'b.txt');
      await mine.git('config', 'pull.rebase', 'true');
      await dirty({ 'b.txt': 'changed\n' });
    },
  );
  refuses('git.pull', 'GIT_CONFLICTS', 'with open conflicts', async () => {
    expect(await refusedAsIs(await conflicted(await fixture.server.fixture()), 'git/pull', {})).toBe('GIT_CONFLICTS');
  });
  refuses('git.pull', 'GIT_DETACHED', 'on a detached HEAD', async () => {
    const { mine } = await fixture.connected();
    await mine.git('checkout', '-q', '--detach');
    expect(await refusedAsIs(mine, 'git/pull', {})).toBe('GIT_DETACHED');
  });
  refuses('git.pull', 'GIT_NO_UPSTREAM', 'without an upstream', async () => {
    const { mine } = await fixture.connected();
    await mine.git('switch', '-q', '-c', 'alone');
    expect(await refusedAsIs(mine, 'git/pull', {})).toBe('GIT_NO_UPSTREAM');
  });
  refuses('git.pull', 'GIT_UPSTREAM_GONE', 'when the upstream was deleted', async () => {
    const { mine, remote } = await fixture.connected();
    await gitIn(remote)('update-ref', '-d', 'refs/heads/main');
    expect(await refusedAsIs(mine, 'git/pull', {})).toBe('GIT_UPSTREAM_GONE');
  });
  refuses(
    'git.pull',
    'GIT_PULL_FAILED',
    'when the remote does not answer, the pull is stopped, or histories are unrelated',
    async () => {
      const { mine, theirs, remote } = await fixture.connected({ isWeb: true });
      fixture.web.behaviour.isHanging = true;
      const asked = fixture.web.asked();
      const pull = mine.post('git/pull');
      await asked;
      await mine.post('git/fetch-stop');
      fixture.web.behaviour.isHanging = false;
      expect(await pull).toMatchObject({ status: 502, code: 'GIT_PULL_FAILED', reason: 'stopped' });
      await theirs.git('checkout', '-q', '--orphan', 'fresh');
      await theirs.git('commit', '-qm', 'fresh');
      await theirs.git('push', '-qf', remote, 'fresh:main');
      await mine.git('fetch', '-q');
      const before = await mine.snapshot();
      expect(await mine.post('git/pull')).toMatchObject({ code: 'GIT_PULL_FAILED', reason: 'unrelated-histories' });
      await mine.git('remote', 'set-url', 'origin', 'http://127.0.0.1:1/a.git');
      expect(await mine.post('git/pull')).toMatchObject({ code: 'GIT_PULL_FAILED', reason: 'unreachable' });
      expect(await mine.snapshot()).toBe(before);
    },
  );
});

describe('a push', () => {
  covers('git.push', 'pushes new commits to the upstream, then reports nothing to push', async () => {
    const pair = await fixture.connected();
    const { mine, remote } = pair;
    const commit = await commitMine(pair, { 'a.txt': '2\n' });
    const { data } = await mine.post('git/push', {});
    expect(data).toEqual({
      ok: true,
      remoto: 'origin',
      ramo: 'main',
      pubblicato: false,
      esiti: [{ da: 'refs/heads/main', a: 'refs/heads/main', esito: 'aggiornato' }],
      sincronizzazione: (await mine.get('git/sync')).data,
    });
    expect(await gitIn(remote)('rev-parse', 'main')).toBe(commit);
    const again = (await mine.post('git/push', { remoto: 'origin' })).data;
    expect(again).toMatchObject({ nienteDaInviare: true, pubblicato: false, esiti: [{ esito: 'invariato' }] });
  });
  test('republishes a deleted branch and pushes to an upstream of another name', async () => {
    const { mine, remote } = await fixture.connected();
    await gitIn(remote)('update-ref', '-d', 'refs/heads/main');
    expect((await mine.post('git/push', {})).data).toMatchObject({ pubblicato: true });
    await mine.git('switch', '-q', '-c', 'local', '--track', 'origin/main');
    await mine.git('commit', '-q', '--allow-empty', '-m', 'x');
    expect((await mine.post('git/push', {})).data.esiti).toEqual([
      { da: 'refs/heads/local', a: 'refs/heads/main', esito: 'aggiornato' },
    ]);
  });
  refuses('git.push', 'GIT_DETACHED', 'on a detached HEAD', async () => {
    const { mine } = await fixture.connected();
    await mine.git('checkout', '-q', '--detach');
    expect(await refusedAsIs(mine, 'git/push', {})).toBe('GIT_DETACHED');
  });
  refuses('git.push', 'GIT_NOTHING_TO_COMMIT', 'before the first commit', async () => {
    const { mine } = await fixture.connected();
    await mine.git('checkout', '-q', '--orphan', 'fresh');
    expect(await refusedAsIs(mine, 'git/push', {})).toBe('GIT_NOTHING_TO_COMMIT');
  });
  refuses('git.push', 'GIT_NO_REMOTE', 'without a remote', async () => {
    expect(await refusedAsIs(await fixture.server.fixture(), 'git/push', {})).toBe('GIT_NO_REMOTE');
  });
  refuses('git.push', 'GIT_REMOTE_UNKNOWN', 'for an unknown remote and for an address', async () => {
    const { mine, remote } = await fixture.connected();
    for (const remoto of ['other', '', '--force', remote])
      expect(await refusedAsIs(mine, 'git/push', { remoto })).toBe('GIT_REMOTE_UNKNOWN');
  });
  refuses('git.push', 'GIT_REMOTE_MISMATCH', 'when the upstream is on another remote', async () => {
    const { mine } = await fixture.connected();
    await mine.git('remote', 'add', 'second', join(fixture.place.path, await fixture.bare()));
    expect(await refusedAsIs(mine, 'git/push', { remoto: 'second' })).toBe('GIT_REMOTE_MISMATCH');
    await mine.git('config', 'branch.main.pushRemote', 'second');
    expect((await mine.post('git/push', { remoto: 'second' })).data).toMatchObject({
      remoto: 'second',
      pubblicato: true,
    });
  });
  refuses('git.push', 'GIT_REMOTE_REQUIRED', 'for a new branch with several remotes', async () => {
    const { mine } = await fixture.connected();
    await mine.git('remote', 'add', 'second', join(fixture.place.path, await fixture.bare()));
    await mine.git('switch', '-q', '-c', 'fresh', '--no-track');
    expect(await refusedAsIs(mine, 'git/push', {})).toBe('GIT_REMOTE_REQUIRED');
    expect((await mine.post('git/push', { remoto: 'second' })).data).toMatchObject({
      remoto: 'second',
      pubblicato: true,
    });
  });
  refuses('git.push', 'GIT_BEHIND', 'when the remote has new commits, and never forces', async () => {
    const pair = await fixture.connected();
    const { mine, remote } = pair;
    const theirs = await commitTheirs(pair, { 'a.txt': 'theirs\n' });
    await commitMine(pair, { 'a.txt': 'mine\n' });
    await mine.git('config', 'remote.origin.push', '+refs/heads/*:refs/heads/*');
    await mine.git('config', 'remote.origin.mirror', 'true');
    expect(await refusedAsIs(mine, 'git/push', {})).toBe('GIT_BEHIND');
    await mine.git('fetch', '-q', 'origin', '+refs/heads/main:refs/remotes/origin/main');
    expect(await refusedAsIs(mine, 'git/push', {})).toBe('GIT_BEHIND');
    expect(await gitIn(remote)('rev-parse', 'main')).toBe(theirs);
  });
  refuses('git.push', 'GIT_PUSH_REJECTED', 'when the remote rejects the push', async () => {
    const pair = await fixture.connected({ isWeb: true });
    const { mine, remote } = pair;
    const hook = join(remote, 'hooks/pre-receive');
    await writeFile(hook, '#!/bin/sh\necho no\nexit 1\n');
    await chmod(hook, 0o755);
    await commitMine(pair, { 'a.txt': 'mine\n' });
    expect(await refusedAsIs(mine, 'git/push', {})).toBe('GIT_PUSH_REJECTED');
    // A repository with files, in which the branch is checked out.
    await using other = await tempRepo();
    await mine.git('remote', 'add', 'checked-out', other.path);
    await mine.git('branch', '--unset-upstream');
    await other.git('reset', '-q', '--hard');
    await other.git('fetch', '-q', mine.path, 'main');
    await other.git('reset', '-q', '--hard', 'FETCH_HEAD^');
    expect(await refusedAsIs(mine, 'git/push', { remoto: 'checked-out' })).toBe('GIT_PUSH_REJECTED');
  });
});
