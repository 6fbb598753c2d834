import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempDir, type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { refusesEach } from '../covers.ts';
import { faultyGit } from '../git-fixture.ts';
import { type Reply, type TestServer, testServer } from '../harness.ts';

type Asking = (server: TestServer) => Promise<Reply>;

let git: Awaited<ReturnType<typeof faultyGit>>;
let plain: TempDir;
let data: TempDir;
let repo: TempRepo;
const replies: Record<string, Record<string, Reply>> = {};

/** Every operation on worktrees, the one that removes it last. */
const callsOn = (cartella: string, id: string): Record<string, Asking> => ({
  'ext.worktrees.list': ({ call }) => call('GET', '/ext/worktrees', { query: { cartella } }),
  'ext.worktrees.bases': ({ call }) => call('GET', '/ext/worktrees/bases', { query: { cartella } }),
  'ext.worktrees.create': ({ call }) => call('POST', '/ext/worktrees', { body: { cartella } }),
  'ext.worktrees.read': ({ call }) => call('GET', `/ext/worktrees/${id}`),
  'ext.worktrees.merge': ({ call }) => call('POST', `/ext/worktrees/${id}/merge`, { body: {} }),
  'ext.worktrees.take-files': ({ call }) =>
    call('POST', `/ext/worktrees/${id}/files`, { body: { percorsi: ['a.txt'] } }),
  'ext.worktrees.pick': ({ call }) => call('POST', '/ext/worktrees/picks', { body: { cartella, scelte: [] } }),
  'ext.worktrees.undo-pick': ({ call }) => call('POST', '/ext/worktrees/picks/00000001/undo', { body: { cartella } }),
  'ext.worktrees.remove': ({ call }) => call('DELETE', `/ext/worktrees/${id}`),
});

async function askEach(server: TestServer, calls: Record<string, Asking>): Promise<Record<string, Reply>> {
  const answers: Record<string, Reply> = {};
  for (const [operation, call] of Object.entries(calls)) answers[operation] = await call(server);
  return answers;
}

/** A worktree whose source, itself a worktree that the user made, is no repository any more. */
async function withoutSource(server: TestServer): Promise<string> {
  const linked = join(plain.path, 'linked');
  await repo.git('worktree', 'add', '-q', linked);
  const body = { cartella: linked };
  const id = (await server.call('POST', '/ext/worktrees', { body })).data.worktree.id;
  await rm(join(linked, '.git'));
  return id;
}

// Every operation against each kind of broken git; the one that hangs is waited for until its limit.
beforeAll(async () => {
  [git, plain, data, repo] = await Promise.all([faultyGit(), tempDir(), tempDir(), tempRepo({ 'a.txt': 'a\n' })]);
  // Settings that include others are never cached: every operation asks git for the drivers, even one with nothing to do.
  await repo.git('config', 'include.path', 'others');
  const dataDir = data.path;
  const server = await testServer({
    dataDir,
    isApart: true,
    settings: { environment: { ...process.env, PATH: git.path } },
  });
  const { id } = (await server.call('POST', '/ext/worktrees', { body: { cartella: repo.path } })).data.worktree;
  const calls = callsOn(repo.path, id);
  replies.plain = await askEach(server, callsOn(plain.path, await withoutSource(server)));
  for (const mode of ['exit', 'loud', 'hang'] as const) {
    await git.fail(mode);
    if (mode !== 'hang') replies[mode] = await askEach(server, calls);
    else {
      const asked = Object.entries(calls).map(async ([operation, call]) => [operation, await call(server)] as const);
      replies[mode] = Object.fromEntries(await Promise.all(asked));
    }
  }
  await server[Symbol.asyncDispose]();
  const without = await testServer({
    dataDir,
    isApart: true,
    settings: { environment: { ...process.env, PATH: plain.path } },
  });
  replies.without = await askEach(without, calls);
  await without[Symbol.asyncDispose]();
}, 240_000);

afterAll(async () => {
  for (const one of [git, plain, data, repo]) await one[Symbol.asyncDispose]();
});

const expectReply = (cause: string, status: number, code: string) => async (operation: string) =>
  expect([operation, replies[cause]?.[operation]]).toMatchObject([operation, { status, code }]);

refusesEach(
  'GIT_STORE_UNAVAILABLE',
  [
    'ext.worktrees.list',
    'ext.worktrees.bases',
    'ext.worktrees.create',
    'ext.worktrees.read',
    'ext.worktrees.remove',
    'ext.worktrees.merge',
    'ext.worktrees.take-files',
    'ext.worktrees.pick',
    'ext.worktrees.undo-pick',
  ],
  expectReply('without', 503, 'GIT_STORE_UNAVAILABLE'),
);
refusesEach(
  'GIT_NOT_A_REPOSITORY',
  [
    'ext.worktrees.list',
    'ext.worktrees.bases',
    'ext.worktrees.create',
    'ext.worktrees.merge',
    'ext.worktrees.take-files',
    'ext.worktrees.pick',
    'ext.worktrees.undo-pick',
  ],
  expectReply('plain', 409, 'GIT_NOT_A_REPOSITORY'),
);
refusesEach(
  'GIT_COMMAND_FAILED',
  [
    'ext.worktrees.list',
    'ext.worktrees.bases',
    'ext.worktrees.create',
    'ext.worktrees.read',
    'ext.worktrees.remove',
    'ext.worktrees.merge',
    'ext.worktrees.take-files',
    'ext.worktrees.pick',
    'ext.worktrees.undo-pick',
  ],
  expectReply('exit', 502, 'GIT_COMMAND_FAILED'),
);
refusesEach(
  'GIT_TIMEOUT',
  [
    'ext.worktrees.list',
    'ext.worktrees.bases',
    'ext.worktrees.create',
    'ext.worktrees.read',
    'ext.worktrees.remove',
    'ext.worktrees.merge',
    'ext.worktrees.take-files',
    'ext.worktrees.pick',
    'ext.worktrees.undo-pick',
  ],
  expectReply('hang', 504, 'GIT_TIMEOUT'),
);
refusesEach(
  'GIT_OUTPUT_TOO_LARGE',
  [
    'ext.worktrees.list',
    'ext.worktrees.bases',
    'ext.worktrees.create',
    'ext.worktrees.read',
    'ext.worktrees.remove',
    'ext.worktrees.merge',
    'ext.worktrees.take-files',
    'ext.worktrees.pick',
    'ext.worktrees.undo-pick',
  ],
  expectReply('loud', 413, 'GIT_OUTPUT_TOO_LARGE'),
);
