import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { type TempDir, type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createGit, type Git } from '../src/git.ts';

const ambient = systemAmbient('silent');

interface User extends TempDir {
  env: Record<string, string | undefined>;
  git: Git;
  set(settings: Record<string, string>): void;
}

/** A home folder with settings of the user for all repositories. */
async function user(more: Record<string, string> = {}): Promise<User> {
  const home = await tempDir();
  const env = {
    ...process.env,
    SSH_AUTH_SOCK: undefined,
    HOME: home.path,
    XDG_CONFIG_HOME: join(home.path, 'x'),
    ...more,
  };
  const set = (settings: Record<string, string>): void => {
    for (const [key, value] of Object.entries(settings))
      execFileSync('git', ['config', '--global', key, value], { env });
  };
  return Object.assign(home, { env, set, git: createGit({ ambient, environment: env }) });
}

async function sshUser(): Promise<User> {
  const one = await user();
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(one.path, 'key')]);
  one.set({ 'gpg.format': 'ssh', 'user.signingkey': join(one.path, 'key.pub'), 'commit.gpgsign': 'true' });
  return one;
}

/** Repositories of tests turn signing off. */
async function freshRepo(): Promise<TempRepo> {
  const repo = await tempRepo({ 'a.txt': 'a\n' });
  await repo.git('config', '--unset', 'commit.gpgsign');
  return repo;
}

const isSigned = async (repo: TempRepo, name = 'HEAD'): Promise<boolean> =>
  /^gpgsig /m.test(await repo.git('cat-file', 'commit', name));
const facts = async ({ git }: User, { path }: TempRepo) => {
  const { fingerprint, base } = await git.reading.state(path);
  return { fingerprint, commit: base?.commit ?? '' };
};

describe('signing with an SSH key', () => {
  test('signs a commit of paths, of what is staged, an amend and the merge of a pull', async () => {
    await using one = await sshUser();
    await using repo = await freshRepo();
    const { git } = one;
    await repo.write({ 'a.txt': 'b\n' });
    await git.commits.paths(repo.path, ['a.txt'], 'paths');
    expect(await isSigned(repo)).toBe(true);
    await repo.git('branch', 'other');
    await repo.write({ 'a.txt': 'c\n' });
    await git.staging.stage(repo.path, ['a.txt']);
    const { fingerprint } = await facts(one, repo);
    await git.commits.staged(repo.path, 'staged', fingerprint);
    expect(await isSigned(repo)).toBe(true);
    await git.commits.amend(repo.path, { ...(await facts(one, repo)), message: 'amended' });
    expect([await isSigned(repo), await repo.git('log', '-1', '--format=%s')]).toEqual([true, 'amended']);
    await repo.git('switch', '-q', 'other');
    await repo.git('commit', '-q', '--allow-empty', '-m', 'unsigned here');
    await repo.git('branch', '-q', '--set-upstream-to=main');
    expect(await git.remotes.pull(repo.path)).toMatchObject({ isMerged: true });
    expect(await repo.git('rev-list', '--count', '--merges', 'HEAD')).toBe('1');
    expect(await isSigned(repo)).toBe(true);
  });

  test('uses the agent of the user for a key that is only there', async () => {
    await using one = await sshUser();
    const [, socket = '', pid = ''] =
      /SSH_AUTH_SOCK=([^;]+);[^]*SSH_AGENT_PID=(\d+)/.exec(execFileSync('ssh-agent', ['-s']).toString()) ?? [];
    try {
      const env = { ...one.env, SSH_AUTH_SOCK: socket };
      spawnSync('ssh-add', [join(one.path, 'key')], { env });
      await rm(join(one.path, 'key'));
      await using repo = await freshRepo();
      await repo.write({ 'a.txt': 'b\n' });
      await createGit({ ambient, environment: env }).commits.paths(repo.path, ['a.txt'], 'x');
      expect(await isSigned(repo)).toBe(true);
    } finally {
      process.kill(Number(pid));
    }
  });

  test('refuses the commit when the key is missing, and changes nothing', async () => {
    await using one = await sshUser();
    await rm(join(one.path, 'key'));
    await using repo = await freshRepo();
    await repo.write({ 'a.txt': 'b\n' });
    const before = await repo.git('rev-parse', 'HEAD');
    await expect(one.git.commits.paths(repo.path, ['a.txt'], 'x')).rejects.toMatchObject({
      code: 'GIT_COMMAND_FAILED',
      reason: 'signing-failed',
    });
    expect(await repo.git('rev-parse', 'HEAD')).toBe(before);
    expect(await repo.git('status', '--porcelain')).toBe(' M a.txt');
  });

  test('does not sign where the user turned it off', async () => {
    await using one = await sshUser();
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await repo.git('config', 'commit.gpgsign', 'false');
    await repo.write({ 'a.txt': 'b\n' });
    await one.git.commits.paths(repo.path, ['a.txt'], 'x');
    expect(await isSigned(repo)).toBe(false);
  });

  test('refuses a program that the repository names, and does not run it', async () => {
    await using one = await sshUser();
    await using repo = await freshRepo();
    await repo.write({ evil: `#!/bin/sh\ntouch ${one.path}/ran\n`, 'a.txt': 'b\n' });
    await chmod(join(repo.path, 'evil'), 0o755);
    for (const program of ['gpg.ssh.program', 'gpg.ssh.defaultKeyCommand']) {
      await repo.git('config', program, join(repo.path, 'evil'));
      await expect(one.git.commits.paths(repo.path, ['a.txt'], 'x')).rejects.toMatchObject({
        reason: 'signing-not-trusted',
        params: { setting: program.toLowerCase() },
      });
      await repo.git('config', '--unset', program);
    }
    expect(spawnSync('ls', [join(one.path, 'ran')]).status).not.toBe(0);
  });
});

test('signs with the GPG key of the user', async () => {
  await using keys = await tempDir();
  await chmod(keys.path, 0o700);
  await using one = await user({ GNUPGHOME: keys.path });
  try {
    const made = ['--batch', '--passphrase', '', '--quick-gen-key', 'Ada <ada@forge.invalid>'];
    execFileSync('gpg', made, { env: one.env, stdio: 'ignore' });
    one.set({ 'user.signingkey': 'ada@forge.invalid', 'commit.gpgsign': 'true' });
    await using repo = await freshRepo();
    await repo.write({ 'a.txt': 'b\n' });
    await one.git.commits.paths(repo.path, ['a.txt'], 'x');
    expect(execFileSync('git', ['log', '-1', '--format=%G?'], { cwd: repo.path, env: one.env }).toString()).toBe('G\n');
  } finally {
    execFileSync('gpgconf', ['--kill', 'all'], { env: one.env });
  }
});

describe('hooks', () => {
  const hook = async (repo: TempRepo, name: string, folder = '.git/hooks', mode = 0o755): Promise<void> => {
    await repo.write({ [`${folder}/${name}`]: '#!/bin/sh\ntouch ran\nexit 1\n' });
    await chmod(join(repo.path, folder, name), mode);
  };

  test('that exist are named in the answer, and do not run', async () => {
    await using one = await user();
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await repo.git('branch', 'other');
    await repo.write({ 'a.txt': 'b\n' });
    expect((await one.git.commits.paths(repo.path, ['a.txt'], 'none')).hooksNotRun).toBeNull();
    for (const name of ['pre-commit', 'commit-msg', 'pre-commit.sample', 'post-checkout', 'pre-push'])
      await hook(repo, name);
    await hook(repo, 'post-commit', '.git/hooks', 0o644);
    await repo.write({ 'a.txt': 'c\n' });
    const named = ['pre-commit', 'commit-msg'];
    expect((await one.git.commits.paths(repo.path, ['a.txt'], 'x')).hooksNotRun).toEqual(named);
    expect((await one.git.commits.amend(repo.path, { ...(await facts(one, repo)), message: 'y' })).hooksNotRun).toEqual(
      named,
    );
    expect((await one.git.branches.switch(repo.path, 'other')).hooksNotRun).toEqual(['post-checkout']);
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  test('are looked for where the repository or the user says', async () => {
    await using one = await user();
    await using repo = await tempRepo({ 'a.txt': 'a\n' });
    await hook(repo, 'commit-msg', '.husky/_');
    await repo.git('config', 'core.hooksPath', '.husky/_');
    await repo.write({ 'a.txt': 'b\n' });
    expect((await one.git.commits.paths(repo.path, ['a.txt'], 'x')).hooksNotRun).toEqual(['commit-msg']);
    await repo.git('config', '--unset', 'core.hooksPath');
    await repo.write({ 'a.txt': 'c\n' });
    expect((await one.git.commits.paths(repo.path, ['a.txt'], 'x')).hooksNotRun).toBeNull();
    one.set({ 'core.hooksPath': join(repo.path, '.husky/_') });
    await repo.write({ 'a.txt': 'd\n' });
    expect((await one.git.commits.paths(repo.path, ['a.txt'], 'x')).hooksNotRun).toEqual(['commit-msg']);
  });
});
