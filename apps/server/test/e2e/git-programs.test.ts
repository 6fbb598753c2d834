import { execFileSync } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { conflicted, type GitFixture, type GitServer, gitServer } from '../git-fixture.ts';

let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

/** Its keys are encrypted by git-crypt, which sets its filter up in the repository. */
async function encrypted(): Promise<GitFixture> {
  const repo = await server.fixture();
  execFileSync('git-crypt', ['init'], { cwd: repo.path, stdio: 'ignore' });
  await repo.write({ '.gitattributes': '*.key filter=git-crypt diff=git-crypt\n', 'k.key': 'SECRET one\n' });
  await repo.git('add', '-A');
  await repo.git('commit', '-qm', 'key');
  await repo.write({ 'k.key': 'SECRET two\n' });
  return repo;
}

const programs = async (repo: GitFixture) => (await repo.get('ext/git/programs')).data;
const blob = (repo: GitFixture): Buffer => execFileSync('git', ['cat-file', 'blob', 'HEAD:k.key'], { cwd: repo.path });

describe('programs of a repository', () => {
  covers('ext.git.programs.read', 'lists a filter with its commands, and the files that are not compared', async () => {
    const repo = await encrypted();
    expect(await programs(repo)).toEqual({
      filters: [
        {
          name: 'git-crypt',
          clean: '"git-crypt" clean',
          smudge: '"git-crypt" smudge',
          process: null,
          isRequired: true,
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
          isTrusted: false,
        },
      ],
      hooks: [],
      notCompared: ['k.key'],
    });
    expect((await repo.state()).voci).toEqual([]);
  });

  covers('ext.git.programs.trust-filter', 'makes commit and discard run the filter', async () => {
    const repo = await encrypted();
    const commit = () => repo.post('git/commit', { percorsi: ['k.key'], messaggio: 'two' });
    const before = await repo.git('rev-parse', 'HEAD');
    const refused = await commit();
    expect(refused).toMatchObject({ status: 502, code: 'GIT_COMMAND_FAILED' });
    expect(refused).toMatchObject({ reason: 'filter-not-trusted' });
    expect(refused.text).toContain('k.key');
    expect(await repo.git('rev-parse', 'HEAD')).toBe(before);
    const [{ name, fingerprint }] = (await programs(repo)).filters;
    const { data } = await repo.post('ext/git/programs/filters', { name, fingerprint });
    expect(data).toMatchObject({ filters: [{ name, isTrusted: true }], notCompared: [] });
    expect((await commit()).status).toBe(200);
    expect(blob(repo).subarray(1, 9).toString()).toBe('GITCRYPT');
    await repo.write({ 'k.key': 'SECRET three\n' });
    expect((await repo.post('git/discard', { percorsi: ['k.key'] })).status).toBe(200);
    expect(await readFile(join(repo.path, 'k.key'), 'utf8')).toBe('SECRET two\n');
  });

  refuses('ext.git.programs.trust-filter', 'NOT_FOUND', 'for other commands than those shown', async () => {
    const repo = await encrypted();
    const [{ name, fingerprint }] = (await programs(repo)).filters;
    await repo.git('config', 'filter.git-crypt.clean', 'cat');
    expect((await repo.post('ext/git/programs/filters', { name, fingerprint })).code).toBe('NOT_FOUND');
    expect((await programs(repo)).filters[0].isTrusted).toBe(false);
  });

  test('stage, stash and diff of a file are refused while its filter is not trusted', async () => {
    const repo = await encrypted();
    const before = await repo.snapshot();
    const refused = [
      await repo.post('git/stage', { percorsi: ['k.key'] }),
      await repo.post('git/stash', {}),
      await repo.post('git/discard', { percorsi: ['k.key'] }),
      await repo.get('git/diff', { percorso: 'k.key', area: 'lavoro' }),
    ];
    expect(refused.map(({ reason }) => reason)).toEqual(Array(4).fill('filter-not-trusted'));
    expect(await repo.snapshot()).toBe(before);
  });
});

describe('hooks and signing', () => {
  test('a commit names the hooks that it did not run, and has no such field without hooks', async () => {
    const repo = await server.fixture();
    const commit = async (text: string) => {
      await repo.write({ 'a.txt': text });
      return (await repo.post('git/commit', { percorsi: ['a.txt'], messaggio: 'm' })).data;
    };
    expect(await commit('two\n')).not.toHaveProperty('hookNonEseguiti');
    await repo.write({ '.git/hooks/pre-commit': '#!/bin/sh\nexit 1\n' });
    await chmod(join(repo.path, '.git/hooks/pre-commit'), 0o755);
    expect(await commit('three\n')).toMatchObject({ ok: true, hookNonEseguiti: ['pre-commit'] });
  });

  test('a commit is refused when signing is on and fails, and nothing changes', async () => {
    const repo = await server.fixture();
    for (const [key, value] of [
      ['commit.gpgsign', 'true'],
      ['gpg.format', 'ssh'],
      ['user.signingkey', '/nonexistent/key.pub'],
    ])
      await repo.git('config', key ?? '', value ?? '');
    await repo.write({ 'a.txt': 'two\n' });
    const before = await repo.snapshot();
    const { code, reason } = await repo.post('git/commit', { percorsi: ['a.txt'], messaggio: 'm' });
    expect([code, reason]).toEqual(['GIT_COMMAND_FAILED', 'signing-failed']);
    await repo.git('config', 'gpg.ssh.program', 'evil');
    const other = await repo.post('git/commit', { percorsi: ['a.txt'], messaggio: 'm' });
    expect(other.reason).toBe('signing-not-trusted');
    expect(await repo.snapshot()).toBe(before);
  });
});

describe('a file in conflict', () => {
  const unmerged = (repo: GitFixture) => repo.git('diff', '--name-only', '--diff-filter=U');

  covers('ext.git.stage-with-markers', 'stages what staging refuses because of conflict markers', async () => {
    const repo = await conflicted(await server.fixture());
    const before = await repo.snapshot();
    const refused = await repo.post('git/stage', { percorsi: ['a.txt'] });
    expect([refused.code, refused.reason]).toEqual(['GIT_COMMAND_FAILED', 'conflict-markers']);
    expect(await repo.snapshot()).toBe(before);
    expect((await repo.post('ext/git/stage-with-markers', { paths: ['a.txt'] })).data).toEqual({ ok: true });
    expect(await unmerged(repo)).toBe('');
  });
  refuses('ext.git.stage-with-markers', 'GIT_PATHS_REQUIRED', 'without a path', async () => {
    const repo = await server.fixture();
    expect((await repo.post('ext/git/stage-with-markers', { paths: [] })).code).toBe('GIT_PATHS_REQUIRED');
  });
  refuses('ext.git.stage-with-markers', 'GIT_PATH_INVALID', 'for a path outside', async () => {
    const repo = await server.fixture();
    expect((await repo.post('ext/git/stage-with-markers', { paths: ['../x'] })).code).toBe('GIT_PATH_INVALID');
  });
});
