import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refusesEach } from '../covers.ts';
import { askingOf, faultyGit, type GitFixture, type GitServer, gitServer } from '../git-fixture.ts';
import { type Reply, type TestServer, testServer } from '../harness.ts';

const ZERO = '0'.repeat(40);

/** Every operation on a repository, with input that only git can reject. */
const CALLS: Record<string, (ask: Pick<GitFixture, 'get' | 'post'>) => Promise<Reply>> = {
  'git.status': ({ get }) => get('git/status'),
  'git.branch': ({ get }) => get('git/branch'),
  'git.diff': ({ get }) => get('git/diff', { percorso: 'a.txt', area: 'lavoro' }),
  'git.log': ({ get }) => get('git/log'),
  'git.changes': ({ get }) => get('git/changes', { a: ZERO }),
  'git.changes-diff': ({ get }) => get('git/changes-diff', { a: ZERO, percorso: 'a.txt' }),
  'ext.branch-point.read': ({ get }) => get('ext/branch-point'),
  'ext.branch-point.diff': ({ get }) => get('ext/branch-point/diff', { da: ZERO, percorso: 'a.txt' }),
  'ext.discards.list': ({ get }) => get('ext/discards'),
  'ext.git.programs.read': ({ get }) => get('ext/git/programs'),
  'ext.git.programs.trust-filter': ({ post }) =>
    post('ext/git/programs/filters', { name: 'x', fingerprint: ZERO.padEnd(64, '0') }),
  'ext.git.programs.choose-hook': ({ post }) =>
    post('ext/git/programs/hooks', { name: 'x', fingerprint: ZERO.padEnd(64, '0'), runs: 'sandboxed' }),
  'ext.git.hooks.runs': ({ get }) => get('ext/git/hooks/runs'),
  'ext.git.hooks.stop': ({ post }) => post('ext/git/hooks/stop'),
  'ext.git.stage-with-markers': ({ post }) => post('ext/git/stage-with-markers', { paths: ['a.txt'] }),
  'ext.discards.undo': ({ post }) => post('ext/discards/1/undo', {}),
  'git.stage': ({ post }) => post('git/stage', { percorsi: ['a.txt'] }),
  'git.unstage': ({ post }) => post('git/unstage', { percorsi: ['a.txt'] }),
  'git.discard': ({ post }) => post('git/discard', { percorsi: ['a.txt'] }),
  'git.hunk': ({ post }) =>
    post('git/hunk', { percorso: 'a.txt', area: 'lavoro', indice: 0, impronta: 'x', azione: 'prepara' }),
  'git.commit': ({ post }) => post('git/commit', { percorsi: ['a.txt'], messaggio: 'x' }),
  'git.commit-staged': ({ post }) => post('git/commit-staged', { messaggio: 'x', impronta: 'x' }),
  'git.amend': ({ post }) => post('git/amend', { messaggio: 'x', impronta: 'x', commit: ZERO }),
  'git.undo-commit': ({ post }) => post('git/undo-commit', { commit: ZERO }),
  'git.commit-message': ({ post }) => post('git/commit-message', {}),
  'git.branches': ({ get }) => get('git/branches'),
  'git.switch': ({ post }) => post('git/switch', { ramo: 'x' }),
  'git.branch-create': ({ post }) => post('git/branch-create', { ramo: 'x' }),
  'git.branch-rename': ({ post }) => post('git/branch-rename', { da: 'x', a: 'y' }),
  'git.branch-delete': ({ post }) => post('git/branch-delete', { ramo: 'x' }),
  'git.remotes': ({ get }) => get('git/remotes'),
  'git.sync': ({ get }) => get('git/sync'),
  'git.fetch': ({ post }) => post('git/fetch', {}),
  'git.fetch-stop': ({ post }) => post('git/fetch-stop'),
  'git.pull': ({ post }) => post('git/pull'),
  'git.push': ({ post }) => post('git/push', {}),
  'git.stashes': ({ get }) => get('git/stashes'),
  'git.stash': ({ post }) => post('git/stash', {}),
  'git.stash-pop': ({ post }) => post('git/stash-pop', { indice: 0, commit: ZERO }),
  'git.stash-drop': ({ post }) => post('git/stash-drop', { indice: 0, commit: ZERO }),
};

/** On a folder without a repository. */
const INIT: typeof CALLS = { 'git.init': ({ post }) => post('git/init', {}) };

let server: GitServer;
let without: TestServer;
let git: Awaited<ReturnType<typeof faultyGit>>;
let plain: TempDir;
const replies: Record<string, Record<string, Reply>> = {};

// Every operation against each kind of broken git; the one that hangs is waited for until its limit.
beforeAll(async () => {
  git = await faultyGit();
  plain = await tempDir();
  server = await gitServer({ settings: { environment: { ...process.env, PATH: git.path } } });
  without = await testServer({ settings: { environment: { ...process.env, PATH: plain.path } } });
  const fixture = await server.fixture();
  const askAll = async (ask: Pick<GitFixture, 'get' | 'post'>, calls = CALLS): Promise<Record<string, Reply>> =>
    Object.fromEntries(await Promise.all(Object.entries(calls).map(async ([id, call]) => [id, await call(ask)])));
  /** Sequentially: each reads the maximum, and in parallel they would exceed their time limit. */
  const askEach = async (ask: Pick<GitFixture, 'get' | 'post'>, calls = CALLS): Promise<Record<string, Reply>> => {
    const answers: Record<string, Reply> = {};
    for (const [id, call] of Object.entries(calls)) answers[id] = await call(ask);
    return answers;
  };
  const lonely = await server.startSession({ cartellaLibera: plain.path });
  await server.settled(lonely);
  for (const mode of ['exit', 'hang'] as const) {
    await git.fail(mode);
    const [onRepository, onFolder] = await Promise.all([askAll(fixture), askAll(askingOf(server, lonely), INIT)]);
    replies[mode] = { ...onRepository, ...onFolder };
  }
  await git.fail('loud');
  replies.loud = { ...(await askEach(fixture)), ...(await askEach(askingOf(server, lonely), INIT)) };
  await git.fail('no');
  replies.plain = await askAll(askingOf(server, lonely));
  const there = await without.startSession();
  const alone = await without.startSession({ cartellaLibera: plain.path });
  await without.settled(there);
  await without.settled(alone);
  replies.without = {
    ...(await askAll(askingOf(without, there))),
    ...(await askAll(askingOf(without, alone), INIT)),
  };
}, 240_000);

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
    [
      'git.init',
      'git.status',
      'git.branch',
      'git.diff',
      'git.log',
      'git.changes',
      'git.changes-diff',
      'ext.branch-point.read',
      'ext.branch-point.diff',
      'ext.discards.list',
      'ext.git.programs.read',
      'ext.git.programs.trust-filter',
      'ext.git.programs.choose-hook',
      'ext.git.hooks.runs',
      'ext.git.hooks.stop',
      'ext.git.stage-with-markers',
      'ext.discards.undo',
      'git.stage',
      'git.unstage',
      'git.discard',
      'git.hunk',
      'git.commit',
      'git.commit-staged',
      'git.amend',
      'git.undo-commit',
      'git.commit-message',
      'git.branches',
      'git.switch',
      'git.branch-create',
      'git.branch-rename',
      'git.branch-delete',
      'git.remotes',
      'git.sync',
      'git.fetch',
      'git.fetch-stop',
      'git.pull',
      'git.push',
      'git.stashes',
      'git.stash',
      'git.stash-pop',
      'git.stash-drop',
    ],
    expectReply('without', 503, 'GIT_STORE_UNAVAILABLE'),
  );
  refusesEach(
    'GIT_NOT_A_REPOSITORY',
    [
      'git.status',
      'git.branch',
      'git.diff',
      'git.log',
      'git.changes',
      'git.changes-diff',
      'ext.branch-point.read',
      'ext.branch-point.diff',
      'ext.discards.list',
      'ext.git.programs.read',
      'ext.git.programs.trust-filter',
      'ext.git.programs.choose-hook',
      'ext.git.hooks.runs',
      'ext.git.hooks.stop',
      'ext.git.stage-with-markers',
      'ext.discards.undo',
      'git.stage',
      'git.unstage',
      'git.discard',
      'git.hunk',
      'git.commit',
      'git.commit-staged',
      'git.amend',
      'git.undo-commit',
      'git.commit-message',
      'git.branches',
      'git.switch',
      'git.branch-create',
      'git.branch-rename',
      'git.branch-delete',
      'git.remotes',
      'git.sync',
      'git.fetch',
      'git.fetch-stop',
      'git.pull',
      'git.push',
      'git.stashes',
      'git.stash',
      'git.stash-pop',
      'git.stash-drop',
    ],
    expectReply('plain', 409, 'GIT_NOT_A_REPOSITORY'),
  );
  refusesEach(
    'GIT_COMMAND_FAILED',
    [
      'git.init',
      'git.status',
      'git.branch',
      'git.diff',
      'git.log',
      'git.changes',
      'git.changes-diff',
      'ext.branch-point.read',
      'ext.branch-point.diff',
      'ext.discards.list',
      'ext.git.programs.read',
      'ext.git.programs.trust-filter',
      'ext.git.programs.choose-hook',
      'ext.git.hooks.runs',
      'ext.git.hooks.stop',
      'ext.git.stage-with-markers',
      'ext.discards.undo',
      'git.stage',
      'git.unstage',
      'git.discard',
      'git.hunk',
      'git.commit',
      'git.commit-staged',
      'git.amend',
      'git.undo-commit',
      'git.commit-message',
      'git.branches',
      'git.switch',
      'git.branch-create',
      'git.branch-rename',
      'git.branch-delete',
      'git.remotes',
      'git.sync',
      'git.fetch',
      'git.fetch-stop',
      'git.pull',
      'git.push',
      'git.stashes',
      'git.stash',
      'git.stash-pop',
      'git.stash-drop',
    ],
    expectReply('exit', 502, 'GIT_COMMAND_FAILED'),
  );
  refusesEach(
    'GIT_TIMEOUT',
    [
      'git.init',
      'git.status',
      'git.branch',
      'git.diff',
      'git.log',
      'git.changes',
      'git.changes-diff',
      'ext.branch-point.read',
      'ext.branch-point.diff',
      'ext.discards.list',
      'ext.git.programs.read',
      'ext.git.programs.trust-filter',
      'ext.git.programs.choose-hook',
      'ext.git.hooks.runs',
      'ext.git.hooks.stop',
      'ext.git.stage-with-markers',
      'ext.discards.undo',
      'git.stage',
      'git.unstage',
      'git.discard',
      'git.hunk',
      'git.commit',
      'git.commit-staged',
      'git.amend',
      'git.undo-commit',
      'git.commit-message',
      'git.branches',
      'git.switch',
      'git.branch-create',
      'git.branch-rename',
      'git.branch-delete',
      'git.remotes',
      'git.sync',
      'git.fetch',
      'git.fetch-stop',
      'git.pull',
      'git.push',
      'git.stashes',
      'git.stash',
      'git.stash-pop',
      'git.stash-drop',
    ],
    expectReply('hang', 504, 'GIT_TIMEOUT'),
  );
  refusesEach(
    'GIT_OUTPUT_TOO_LARGE',
    [
      'git.init',
      'git.status',
      'git.branch',
      'git.diff',
      'git.log',
      'git.changes',
      'git.changes-diff',
      'ext.branch-point.read',
      'ext.branch-point.diff',
      'ext.discards.list',
      'ext.git.programs.read',
      'ext.git.programs.trust-filter',
      'ext.git.programs.choose-hook',
      'ext.git.hooks.runs',
      'ext.git.hooks.stop',
      'ext.git.stage-with-markers',
      'ext.discards.undo',
      'git.stage',
      'git.unstage',
      'git.discard',
      'git.hunk',
      'git.commit',
      'git.commit-staged',
      'git.amend',
      'git.undo-commit',
      'git.commit-message',
      'git.branches',
      'git.switch',
      'git.branch-create',
      'git.branch-rename',
      'git.branch-delete',
      'git.remotes',
      'git.sync',
      'git.fetch',
      'git.fetch-stop',
      'git.pull',
      'git.push',
      'git.stashes',
      'git.stash',
      'git.stash-pop',
      'git.stash-drop',
    ],
    expectReply('loud', 413, 'GIT_OUTPUT_TOO_LARGE'),
  );

  test('an unknown session is NOT_FOUND for every operation', async () => {
    for (const call of Object.values(CALLS)) {
      expect((await call(askingOf(server, 'nobody'))).code).toBe('NOT_FOUND');
    }
  });
});
