import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refusesEach } from '../covers.ts';
import type { GitFixture } from '../git-fixture.ts';
import {
  type GithubFixture,
  githubFixture,
  HOST_TOKEN,
  type HostCalls,
  hostCalls,
  hostedRepo,
  withGh,
} from '../github-fixture.ts';
import { type Reply, testServer } from '../harness.ts';

let host: GithubFixture;
let calls: HostCalls['calls'];
const fixture = (): Promise<GitFixture> => hostedRepo(host);

withGh('the program of the code host', () => {
  const replies: Record<string, Record<string, Reply>> = {};
  const askAll = async (repo: GitFixture): Promise<Record<string, Reply>> =>
    Object.fromEntries(await Promise.all(Object.entries(calls).map(async ([id, call]) => [id, await call(repo)])));

  // Every operation against each kind of broken program; the one that hangs is waited for until its limit.
  beforeAll(async () => {
    host = await githubFixture();
    ({ calls } = hostCalls(host));
    const repo = await fixture();
    host.answer.device = () => ({ status: 500, body: 'no' });
    replies['signed-out'] = await askAll(repo);
    delete host.answer.device;
    await host.signIn();
    for (const mode of ['old', 'exit', 'hang', 'loud', 'garbage', 'unstartable'] as const) {
      await host.fail(mode);
      replies[mode] = await askAll(repo);
    }
    await host.fail('no');
  }, 240_000);
  afterAll(async () => {
    for (const reply of Object.values(replies).flatMap((each) => Object.values(each).map(({ text }) => text)))
      expect(reply).not.toContain(HOST_TOKEN);
    expect(await host.started()).not.toContain(HOST_TOKEN);
    await host[Symbol.asyncDispose]();
  });

  const expectReply = (cause: string, status: number, code: string) => async (operation: string) =>
    expect([operation, replies[cause]?.[operation]]).toMatchObject([operation, { status, code }]);

  refusesEach(
    'HOST_NOT_INSTALLED',
    ['github.login', 'github.pulls', 'github.pull-create', 'github.pull-draft', 'github.checks'],
    expectReply('old', 409, 'HOST_NOT_INSTALLED'),
  );
  refusesEach(
    'HOST_NOT_LOGGED_IN',
    ['github.pulls', 'github.pull-create', 'github.pull-draft', 'github.checks'],
    async (operation) => {
      await expectReply('signed-out', 409, 'HOST_NOT_LOGGED_IN')(operation);
    },
  );
  refusesEach(
    'HOST_COMMAND_FAILED',
    ['github.status', 'github.login', 'github.pulls', 'github.pull-create', 'github.pull-draft', 'github.checks'],
    expectReply('exit', 502, 'HOST_COMMAND_FAILED'),
  );
  refusesEach(
    'HOST_OUTPUT_INVALID',
    ['github.status', 'github.login', 'github.pulls', 'github.pull-create', 'github.pull-draft', 'github.checks'],
    expectReply('garbage', 502, 'HOST_OUTPUT_INVALID'),
  );
  refusesEach(
    'HOST_OUTPUT_TOO_LARGE',
    ['github.status', 'github.login', 'github.pulls', 'github.pull-create', 'github.pull-draft', 'github.checks'],
    expectReply('loud', 502, 'HOST_OUTPUT_TOO_LARGE'),
  );
  refusesEach(
    'HOST_TIMEOUT',
    ['github.status', 'github.login', 'github.pulls', 'github.pull-create', 'github.pull-draft', 'github.checks'],
    expectReply('hang', 504, 'HOST_TIMEOUT'),
  );
  refusesEach(
    'HOST_STORE_UNAVAILABLE',
    ['github.status', 'github.login', 'github.pulls', 'github.pull-create', 'github.pull-draft', 'github.checks'],
    expectReply('unstartable', 503, 'HOST_STORE_UNAVAILABLE'),
  );
  refusesEach(
    'HOST_NOT_ON_HOST',
    ['github.pulls', 'github.pull-create', 'github.pull-draft', 'github.checks'],
    async (operation) => {
      const repo = await fixture();
      for (const url of [
        'https://example.org/me/sample.git',
        'https://github.com.example.org/me/x',
        '/srv/x.git',
        'git@github.com:x',
      ]) {
        await repo.git('config', 'remote.origin.url', url);
        expect([url, await calls[operation]?.(repo)]).toMatchObject([url, { status: 409, code: 'HOST_NOT_ON_HOST' }]);
      }
    },
  );
  refusesEach(
    'GIT_DETACHED',
    ['github.pulls', 'github.pull-create', 'github.pull-draft', 'github.checks'],
    async (operation) => {
      const repo = await fixture();
      await repo.git('checkout', '-q', '--detach');
      expect(await calls[operation]?.(repo)).toMatchObject({ status: 409, code: 'GIT_DETACHED' });
    },
  );
  refusesEach(
    'GIT_NO_REMOTE',
    ['github.pulls', 'github.pull-create', 'github.pull-draft', 'github.checks'],
    async (operation) => {
      const repo = await host.server.fixture();
      expect(await calls[operation]?.(repo)).toMatchObject({ status: 409, code: 'GIT_NO_REMOTE' });
    },
  );
  refusesEach(
    'HOST_GIT_FAILED',
    ['github.pulls', 'github.pull-create', 'github.pull-draft', 'github.checks'],
    async (operation) => {
      const repo = await fixture();
      await repo.write({ '.git/config': '[broken' });
      expect(await calls[operation]?.(repo)).toMatchObject({ status: 502, code: 'HOST_GIT_FAILED' });
    },
  );
  test('reports a missing gh program and offers no actions', async () => {
    await using without = await testServer({ settings: { environment: { PATH: '/nonexistent', FUCINA_GH: '' } } });
    const { data } = await without.call('GET', '/github/status');
    expect(data.gh).toEqual({ trovato: false, origine: null, versione: null, sistemaTroppoVecchio: false });
    expect(await without.call('POST', '/github/login')).toMatchObject({ status: 409, code: 'HOST_NOT_INSTALLED' });
  });
  test('an unknown session is NOT_FOUND for every operation', async () => {
    for (const id of ['github.pulls', 'github.pull-create', 'github.pull-draft', 'github.checks']) {
      const at = (path: string): string => `/sessions/nobody/${path}`;
      const reply = await calls[id]?.({
        get: (path) => host.server.call('GET', at(path)),
        post: (path, body) => host.server.call('POST', at(path), { body }),
      });
      expect(reply?.code).toBe('NOT_FOUND');
    }
  });
});
