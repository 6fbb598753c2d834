import { gitIn, type PullRequestRemote, pullRequestRemote } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { codeOf, everything, type WorktreeFixture, worktreeFixture } from '../../test/worktree-fixture.ts';

/** A repository with a remote that has pull request 7, whose commit is on no branch. */
async function fixture(name?: string): Promise<WorktreeFixture & { commit: string; remote: PullRequestRemote }> {
  const at = await worktreeFixture();
  const remote = await pullRequestRemote(at.repo, name);
  return {
    ...at,
    remote,
    commit: await remote.propose('Proposed'),
    async [Symbol.asyncDispose]() {
      await remote[Symbol.asyncDispose]();
      await at[Symbol.asyncDispose]();
    },
  };
}

describe('a worktree of a pull request', () => {
  test('starts from its commit, on a branch of its own without an upstream', async () => {
    await using at = await fixture();
    const made = await at.git.worktrees.create(at.repo.path, { pullRequest: 7 });
    expect(made).toMatchObject({
      name: 'pr-7',
      base: { reference: 'refs/remotes/origin/pull/7/head', commit: at.commit },
      ownsBranch: true,
      state: { branch: 'fucina/pr-7', commit: at.commit, ahead: 0, behind: 0, unmergedCount: 0, changedCount: 0 },
    });
    expect(await at.repo.git('for-each-ref', '--format=%(upstream)', 'refs/heads/fucina/pr-7')).toBe('');
    expect(await at.repo.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
  });

  test('gets a number when the branch exists, and the newest commit of the pull request', async () => {
    await using at = await fixture();
    const [first, second] = await Promise.all(
      [1, 2].map(() => at.git.worktrees.create(at.repo.path, { pullRequest: 7 })),
    );
    expect([first?.name, second?.name].sort()).toEqual(['pr-7', 'pr-7-2']);
    // Not a descendant of the first: the author rewrote the branch.
    const rewritten = await at.remote.propose('Rewritten');
    const third = await at.git.worktrees.create(at.repo.path, { pullRequest: 7 });
    expect([third.name, third.state?.commit]).toEqual(['pr-7-3', rewritten]);
    expect((await at.git.worktrees.read(first?.id ?? '')).state?.commit).toBe(at.commit);
  });

  test('brings the uncommitted changes along', async () => {
    await using at = await fixture();
    await at.repo.write({ 'a.txt': 'changed\n' });
    const made = await at.git.worktrees.create(at.repo.path, { pullRequest: 7, carriesChanges: true });
    expect(made.state).toMatchObject({ commit: at.commit, changedCount: 1 });
  });

  test('is fetched from the remote that gh uses, else from upstream before origin', async () => {
    await using at = await fixture('upstream');
    await at.repo.git('remote', 'add', 'origin', '/nonexistent/fork.git');
    expect((await at.git.worktrees.create(at.repo.path, { pullRequest: 7 })).state?.commit).toBe(at.commit);
    await at.repo.git('remote', 'rename', 'upstream', 'other');
    expect(await codeOf(at.git.worktrees.create(at.repo.path, { pullRequest: 7 }))).toBe(
      'GIT_COMMAND_FAILED not-found',
    );
    await at.repo.git('config', 'remote.other.gh-resolved', 'base');
    expect((await at.git.worktrees.create(at.repo.path, { pullRequest: 7 })).base.reference).toBe(
      'refs/remotes/other/pull/7/head',
    );
  });

  test('leaves the other references and FETCH_HEAD of the repository alone', async () => {
    await using at = await fixture();
    const read = async () => [
      await at.repo.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/remotes/origin/main', 'refs/tags'),
      await at.repo.git('rev-parse', 'FETCH_HEAD'),
    ];
    const before = await read();
    await gitIn(at.remote.path)('update-ref', 'refs/heads/main', at.commit);
    await gitIn(at.remote.path)('tag', 'v1', at.commit);
    await at.git.worktrees.create(at.repo.path, { pullRequest: 7 });
    expect(await read()).toEqual(before);
  });

  test('is refused without such a pull request, without a remote, and when the remote cannot be reached', async () => {
    await using at = await fixture();
    const before = await everything(at);
    const code = () => codeOf(at.git.worktrees.create(at.repo.path, { pullRequest: 8 }));
    expect(await code()).toBe('GIT_BRANCH_NOT_FOUND pull-request');
    expect(await everything(at)).toEqual(before);
    await at.repo.git('remote', 'set-url', 'origin', 'http://127.0.0.1:9/o/r.git');
    expect(await code()).toBe('GIT_COMMAND_FAILED unreachable');
    expect(await everything(at)).toEqual(before);
    await at.repo.git('remote', 'remove', 'origin');
    expect(await code()).toBe('GIT_NO_REMOTE pull-request');
    expect((await everything(at)).folders).toEqual([]);
  });
});
