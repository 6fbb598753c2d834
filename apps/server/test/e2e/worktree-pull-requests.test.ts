import { pullRequestRemote, type TempRepo, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refuses } from '../covers.ts';
import { type Reply, type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let repo: TempRepo;
beforeAll(async () => {
  [server, repo] = await Promise.all([testServer(), tempRepo({ 'a.txt': 'one\n' })]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await repo[Symbol.asyncDispose]();
});

const make = (body: object): Promise<Reply> =>
  server.call('POST', '/ext/worktrees', { body: { cartella: repo.path, ...body } });
const list = async (): Promise<any[]> =>
  (await server.call('GET', '/ext/worktrees', { query: { cartella: repo.path } })).data.worktree;

test('a worktree of a pull request has its commits, on a branch named after it', async () => {
  await using remote = await pullRequestRemote(repo);
  const commit = await remote.propose('Proposed');
  const { status, data } = await make({ pullRequest: 7 });
  expect(status).toBe(201);
  const one = data.worktree;
  expect(one).toMatchObject({
    nome: 'pr-7',
    base: { nome: 'origin/pull/7/head', commit },
    ramoCreato: true,
    stato: { ramo: 'fucina/pr-7', commit, fileModificati: 0, avanti: 0, indietro: 0, nonUniti: 0 },
  });
  expect((await server.call('DELETE', `/ext/worktrees/${one.id}`, { query: { eliminaRamo: 'true' } })).status).toBe(
    200,
  );
  expect(await repo.git('branch', '--list', 'fucina/*')).toBe('');
  await repo.git('remote', 'remove', 'origin');
});

test('a worktree is refused for a pull request that the remote does not have, and for a remote that cannot be reached', async () => {
  await using _remote = await pullRequestRemote(repo);
  const absent = await make({ pullRequest: 8 });
  expect([absent.code, absent.reason]).toEqual(['GIT_BRANCH_NOT_FOUND', 'pull-request']);
  expect(absent.error?.message).toContain('pull request');
  await repo.git('remote', 'set-url', 'origin', 'http://127.0.0.1:9/owner/name.git');
  const away = await make({ pullRequest: 7 });
  expect([away.code, away.reason]).toEqual(['GIT_COMMAND_FAILED', 'unreachable']);
  expect(await list()).toEqual([]);
  await repo.git('remote', 'remove', 'origin');
});

refuses('ext.worktrees.create', 'GIT_NO_REMOTE', 'for a pull request, without a remote', async () => {
  const reply = await make({ pullRequest: 7 });
  expect([reply.code, reply.reason]).toEqual(['GIT_NO_REMOTE', 'pull-request']);
});

test('the number of a pull request is positive, and excludes every other origin and name', async () => {
  const bodies = ['titolo', 'ramo', 'ramoEsistente', 'base'].map((other) => ({ pullRequest: 7, [other]: 'a' }));
  for (const body of [{ pullRequest: 0 }, { pullRequest: '7' }, ...bodies])
    expect((await make(body)).code).toBe('QUERY_INVALID');
});
