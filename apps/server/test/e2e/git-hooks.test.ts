import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { askingOf, type GitFixture, type GitServer, gitServer } from '../git-fixture.ts';
import { until } from '../harness.ts';

let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

async function withHook(body: string, name = 'pre-commit', folder = '.git/hooks'): Promise<GitFixture> {
  const repo = await server.fixture();
  await repo.write({ [`${folder}/${name}`]: `#!/bin/sh\n${body}\n`, 'a.txt': 'two\n' });
  await chmod(join(repo.path, folder, name), 0o755);
  return repo;
}

const hooksOf = async (repo: Pick<GitFixture, 'get'>) => (await repo.get('ext/git/programs')).data.hooks;
const runsOf = async (repo: Pick<GitFixture, 'get'>) => (await repo.get('ext/git/hooks/runs')).data.hookRuns;
async function choose(repo: Pick<GitFixture, 'get' | 'post'>, runs = 'sandboxed', more = {}) {
  const [{ name, fingerprint }] = await hooksOf(repo);
  return repo.post('ext/git/programs/hooks', { name, fingerprint, runs, ...more });
}
const commit = (repo: Pick<GitFixture, 'post'>) => repo.post('git/commit', { percorsi: ['a.txt'], messaggio: 'm' });

describe('trust in a hook', () => {
  covers('ext.git.programs.choose-hook', 'makes it run: what it refuses is not committed', async () => {
    const repo = await withHook('echo "3 problems" >&2; exit 1');
    expect(await hooksOf(repo)).toMatchObject([
      {
        name: 'pre-commit',
        files: [{ path: '.git/hooks/pre-commit', text: '#!/bin/sh\necho "3 problems" >&2; exit 1\n', isCut: false }],
        runs: null,
        hasTimeLimit: true,
      },
    ]);
    expect((await choose(repo)).data.hooks).toMatchObject([{ runs: 'sandboxed' }]);
    const before = await repo.snapshot();
    const refused = await commit(repo);
    expect([refused.status, refused.code, refused.reason]).toEqual([502, 'GIT_COMMAND_FAILED', 'hook-failed']);
    expect(refused.text).toContain('3 problems');
    expect(await repo.snapshot()).toBe(before);
    await choose(repo, 'skip-once');
    expect((await commit(repo)).data.hookNonEseguiti).toEqual(['pre-commit']);
  });

  refuses('ext.git.programs.choose-hook', 'NOT_FOUND', 'for other files than those shown', async () => {
    const repo = await withHook('exit 0');
    const [{ name, fingerprint }] = await hooksOf(repo);
    await repo.write({ '.git/hooks/pre-commit': '#!/bin/sh\nexit 1\n' });
    const reply = await repo.post('ext/git/programs/hooks', { name, fingerprint, runs: 'outside' });
    expect([reply.code, reply.reason]).toEqual(['NOT_FOUND', 'hook']);
  });
});

describe('a trusted hook in the sandbox', () => {
  covers('ext.git.hooks.runs', 'runs programs of the user and stages files, and its output is shown', async () => {
    const repo = await withHook(`node -e 'console.log("from node")' && echo made > made.txt && git add made.txt`);
    expect(await runsOf(repo)).toEqual([]);
    await choose(repo);
    const { status, data } = await commit(repo);
    expect([status, data.hookNonEseguiti]).toEqual([200, undefined]);
    expect(await repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('a.txt\nmade.txt');
    expect(await repo.git('status', '--porcelain')).toBe('');
    expect(await runsOf(repo)).toEqual([
      {
        hook: 'pre-commit',
        state: 'succeeded',
        runs: 'sandboxed',
        output: 'from node\n',
        isCut: false,
        exitCode: 0,
        refused: [],
        isWithoutSandbox: false,
      },
    ]);
  });

  test('works in a linked worktree, as a hook of husky', async () => {
    await using elsewhere = await tempDir();
    const repo = await withHook('. "$(dirname "$0")/h"', 'pre-commit', '.husky/_');
    await repo.git('config', 'core.hooksPath', '.husky/_');
    await repo.write({
      '.husky/_/h': 'sh -e "$(dirname "$(dirname "$0")")/$(basename "$0")"\n',
      '.husky/pre-commit': 'npx --version > made.txt\ngit add made.txt\n',
    });
    await repo.git('add', '-A');
    await repo.git('commit', '-q', '--no-verify', '-m', 'husky');
    const path = join(elsewhere.path, 'linked');
    await repo.git('worktree', 'add', '-q', '-b', 'side', path);
    const sessionId = await server.startSession({ cartellaLibera: path });
    await server.settled(sessionId);
    const linked = askingOf(server, sessionId);
    await elsewhere.write({ 'linked/a.txt': 'linked\n' });
    await choose(linked);
    expect(await commit(linked)).toMatchObject({ status: 200 });
    expect(await repo.git('show', '--name-only', '--format=', 'side')).toBe('a.txt\nmade.txt');
  });

  test('cannot write elsewhere, and what was refused is named; outside it can, once', async () => {
    await using elsewhere = await tempDir();
    const target = join(elsewhere.path, 'out.txt');
    const repo = await withHook(`echo x > ${target}`);
    await choose(repo);
    const refused = await commit(repo);
    expect(refused.code).toBe('GIT_COMMAND_FAILED');
    expect(refused.text).toContain('out.txt');
    await choose(repo, 'outside-once');
    expect(await commit(repo)).toMatchObject({ status: 200 });
    expect(await readFile(target, 'utf8')).toBe('x\n');
    await repo.write({ 'a.txt': 'three\n' });
    expect((await commit(repo)).code).toBe('GIT_COMMAND_FAILED');
    await choose(repo, 'outside', { hasTimeLimit: false });
    expect(await hooksOf(repo)).toMatchObject([{ runs: 'outside', hasTimeLimit: false }]);
    expect(await commit(repo)).toMatchObject({ status: 200 });
  });

  test('names the host that the network policy refuses', async () => {
    const repo = await withHook('curl -sf http://refused.invalid/x');
    await choose(repo);
    const refused = await commit(repo);
    expect([refused.code, refused.reason]).toEqual(['GIT_COMMAND_FAILED', 'hook-refused']);
    expect(refused.text).toContain('refused.invalid:80');
    const [run] = await runsOf(repo);
    expect(run).toMatchObject({
      state: 'failed',
      refused: [{ kind: 'network', subject: 'refused.invalid:80', rule: 'Network(refused.invalid)' }],
    });
  });

  covers('ext.git.hooks.stop', 'stops the hook and with it the commit', async () => {
    const repo = await withHook('echo working; sleep 600');
    expect((await repo.post('ext/git/hooks/stop')).data).toEqual({ wasRunning: false });
    await choose(repo);
    const before = await repo.snapshot();
    const committing = commit(repo);
    await until(async () => ((await runsOf(repo))[0]?.output === 'working\n' ? true : undefined));
    expect((await repo.post('ext/git/hooks/stop')).data).toEqual({ wasRunning: true });
    expect(await committing).toMatchObject({ code: 'GIT_COMMAND_FAILED', reason: 'hook-stopped' });
    expect(await repo.snapshot()).toBe(before);
  });
});

test('a hook that fails after the commit is named', async () => {
  const repo = await withHook('exit 1', 'post-commit');
  await choose(repo);
  expect(await commit(repo)).toMatchObject({ status: 200, data: { hookFalliti: ['post-commit'] } });
});
