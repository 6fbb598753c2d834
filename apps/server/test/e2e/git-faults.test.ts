import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refusesEach } from '../covers.ts';
import { askingOf, faultyGit, type GitGround, type GitServer, gitServer } from '../git-ground.ts';
import { type Reply, type TestServer, testServer } from '../harness.ts';

const ZERO = '0'.repeat(40);

/** Every operation on a repository, asked in a way that nothing but git can refuse. */
const CALLS: Record<string, (ask: Pick<GitGround, 'get' | 'post'>) => Promise<Reply>> = {
  'git.status': ({ get }) => get('git/status'),
  'git.branch': ({ get }) => get('git/branch'),
  'git.diff': ({ get }) => get('git/diff', { percorso: 'a.txt', area: 'lavoro' }),
  'git.log': ({ get }) => get('git/log'),
  'git.changes': ({ get }) => get('git/changes', { a: ZERO }),
  'git.changes-diff': ({ get }) => get('git/changes-diff', { a: ZERO, percorso: 'a.txt' }),
};

let server: GitServer;
let without: TestServer;
let git: Awaited<ReturnType<typeof faultyGit>>;
let plain: TempDir;
const replies: Record<string, Record<string, Reply>> = {};

beforeAll(async () => {
  git = await faultyGit();
  plain = await tempDir();
  server = await gitServer({ settings: { environment: { ...process.env, PATH: git.path } } });
  without = await testServer({ settings: { environment: { ...process.env, PATH: plain.path } } });
  const ground = await server.ground();
  const askAll = async (ask: Pick<GitGround, 'get' | 'post'>): Promise<Record<string, Reply>> =>
    Object.fromEntries(await Promise.all(Object.entries(CALLS).map(async ([id, call]) => [id, await call(ask)])));
  for (const mode of ['exit', 'hang', 'loud'] as const) {
    await git.fail(mode);
    replies[mode] = await askAll(ground);
  }
  await git.fail('no');
  const lonely = await server.startSession({ cartellaLibera: plain.path });
  await server.settled(lonely);
  replies.plain = await askAll(askingOf(server, lonely));
  const there = await without.startSession();
  await without.settled(there);
  replies.without = await askAll(askingOf(without, there));
}, 120_000);

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await without[Symbol.asyncDispose]();
  await git[Symbol.asyncDispose]();
  await plain[Symbol.asyncDispose]();
});

const expectReply = (cause: string, status: number, code: string) => async (operation: string) =>
  expect([operation, replies[cause]?.[operation]]).toMatchObject([operation, { status, code }]);

describe('git', () => {
  refusesEach(
    'GIT_STORE_UNAVAILABLE',
    ['git.status', 'git.branch', 'git.diff', 'git.log', 'git.changes', 'git.changes-diff'],
    expectReply('without', 503, 'GIT_STORE_UNAVAILABLE'),
  );
  refusesEach(
    'GIT_NOT_A_REPOSITORY',
    ['git.status', 'git.branch', 'git.diff', 'git.log', 'git.changes', 'git.changes-diff'],
    expectReply('plain', 409, 'GIT_NOT_A_REPOSITORY'),
  );
  refusesEach(
    'GIT_COMMAND_FAILED',
    ['git.status', 'git.branch', 'git.diff', 'git.log', 'git.changes', 'git.changes-diff'],
    expectReply('exit', 502, 'GIT_COMMAND_FAILED'),
  );
  refusesEach(
    'GIT_TIMEOUT',
    ['git.status', 'git.branch', 'git.diff', 'git.log', 'git.changes', 'git.changes-diff'],
    expectReply('hang', 504, 'GIT_TIMEOUT'),
  );
  refusesEach(
    'GIT_OUTPUT_TOO_LARGE',
    ['git.status', 'git.branch', 'git.diff', 'git.log', 'git.changes', 'git.changes-diff'],
    expectReply('loud', 413, 'GIT_OUTPUT_TOO_LARGE'),
  );

  test('an unknown session is NOT_FOUND for every operation', async () => {
    for (const call of Object.values(CALLS)) {
      expect((await call(askingOf(server, 'nobody'))).code).toBe('NOT_FOUND');
    }
  });
});
