import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import type { GitFixture } from '../git-fixture.ts';
import {
  CREATE,
  type GithubFixture,
  githubFixture,
  HOST_TOKEN,
  type HostCalls,
  hostCalls,
  hostedRepo,
  withGh,
} from '../github-fixture.ts';

let host: GithubFixture;
let github: HostCalls['github'];
let calls: HostCalls['calls'];
const fixture = (): Promise<GitFixture> => hostedRepo(host);

const NODE = {
  number: 7,
  title: 'Weld the seam',
  url: 'https://github.com/me/sample/pull/7',
  state: 'OPEN',
  isDraft: false,
  isCrossRepository: false,
  headRefName: 'feature/weld-seam',
  baseRefName: 'main',
  author: { login: 'me' },
  updatedAt: '2026-11-20T10:00:00Z',
  createdAt: '2026-11-19T10:00:00Z',
  reviewDecision: 'REVIEW_REQUIRED',
  mergeable: 'MERGEABLE',
};
const run = (name: string, status: string, conclusion: string | null) => ({
  __typename: 'CheckRun',
  name,
  status,
  conclusion,
  detailsUrl: `https://github.com/me/sample/runs/${name}`,
  startedAt: '2026-11-20T10:00:00Z',
  completedAt: conclusion && '2026-11-20T10:01:00Z',
  checkSuite: { workflowRun: { workflow: { name: 'CI' } } },
});
const CONTEXTS = [
  run('build', 'COMPLETED', 'SUCCESS'),
  run('test', 'COMPLETED', 'FAILURE'),
  run('lint', 'IN_PROGRESS', null),
  run('docs', 'COMPLETED', 'SKIPPED'),
  run('old', 'COMPLETED', 'CANCELLED'),
  {
    __typename: 'StatusContext',
    context: 'legacy',
    state: 'PENDING',
    targetUrl: 'javascript:alert(1)',
    createdAt: null,
  },
];
const ROLLUP = { commits: { nodes: [{ commit: { statusCheckRollup: { contexts: { nodes: CONTEXTS } } } }] } };
const repository = (fields: object) => ({ body: { data: { viewer: { login: 'me' }, repository: fields } } });
const DEFAULT = repository({ defaultBranchRef: { name: 'main' } });

withGh('the code host', () => {
  beforeAll(async () => {
    host = await githubFixture();
    ({ github, calls } = hostCalls(host));
    await host.signIn();
  });
  afterEach(async () => {
    for (const name of ['graphql', 'rest', 'device'] as const) delete host.answer[name];
    await host.fail('no');
    await host.signIn();
  });
  afterAll(async () => {
    expect(await host.started()).not.toContain(HOST_TOKEN);
    await host[Symbol.asyncDispose]();
  });

  covers('github.status', 'returns the program, its version and the signed-in user', async () => {
    const { data, text } = await github('GET', 'status');
    expect(data).toEqual({
      versioneSvc: null,
      installazione: { inCorso: false, errore: null },
      collegamento: expect.objectContaining({ codice: null, indirizzo: null }),
      installabile: false,
      gh: { trovato: true, origine: 'sistema', versione: '2.101.0', sistemaTroppoVecchio: false },
      accesso: {
        collegato: true,
        account: 'me',
        ambiti: ['repo', 'read:org', 'gist'],
        protocollo: 'https',
        fonte: 'file',
      },
    });
    expect(text).not.toContain(HOST_TOKEN);
    expect(text).not.toContain(host.home.path);
    await host.signOut();
    expect((await github('GET', 'status')).data.accesso).toEqual({ collegato: false, account: null, ambiti: [] });
    await host.fail('old');
    expect((await github('GET', 'status')).data.gh).toMatchObject({ versione: '2.96.9', sistemaTroppoVecchio: true });
  });

  covers('github.login', 'returns a code until it has been entered', async () => {
    let isEntered = false;
    host.answer.device = (path) => {
      if (path.startsWith('/login/device/code')) {
        const form = { device_code: 'd', user_code: 'AB12-CD34', verification_uri: 'https://github.com/login/device' };
        const text = new URLSearchParams({ ...form, expires_in: '900', interval: '1' }).toString();
        return { body: text, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
      }
      const text = isEntered
        ? `access_token=${HOST_TOKEN}&token_type=bearer&scope=repo`
        : 'error=authorization_pending';
      return { body: text, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    };
    await host.signOut();
    const { data } = await github('POST', 'login');
    const waiting = {
      stato: 'in-attesa',
      codice: 'AB12-CD34',
      indirizzo: 'https://github.com/login/device',
      errore: null,
    };
    expect(data).toEqual({ ok: true, ...waiting });
    expect((await github('POST', 'login')).data).toEqual({ ok: true, ...waiting });
    expect((await github('GET', 'status')).data.collegamento).toEqual(waiting);
    isEntered = true;
    const state = async () => (await github('GET', 'status')).data;
    while ((await state()).collegamento.stato === 'in-attesa');
    expect(await state()).toMatchObject({
      collegamento: { stato: 'collegato', codice: null },
      accesso: { account: 'me' },
    });
  });
  covers('github.login-cancel', 'stops a pending sign-in, and afterwards there is none', async () => {
    expect((await github('POST', 'login-cancel')).data).toEqual({ ok: true, fermato: false });
    host.answer.device = (path) => ({
      body: path.startsWith('/login/device/code')
        ? 'device_code=d&user_code=AB12-CD34&verification_uri=https%3A%2F%2Fgithub.com%2Flogin%2Fdevice&expires_in=900&interval=1'
        : 'error=authorization_pending',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    await host.signOut();
    expect((await github('POST', 'login')).data.codice).toBe('AB12-CD34');
    expect((await github('POST', 'login-cancel')).data).toEqual({ ok: true, fermato: true });
    expect((await github('GET', 'status')).data.collegamento).toMatchObject({ stato: 'annullato', codice: null });
    expect((await github('POST', 'login-cancel')).data).toEqual({ ok: true, fermato: false });
  });
  refuses('github.login', 'HOST_LOGIN_FAILED', 'when GitHub gives no code', async () => {
    host.answer.device = () => ({ status: 500, body: 'no' });
    expect(await github('POST', 'login')).toMatchObject({ status: 502, code: 'HOST_LOGIN_FAILED' });
    expect((await github('GET', 'status')).data.collegamento).toMatchObject({
      stato: 'fallito',
      errore: 'HOST_LOGIN_FAILED',
    });
  });
  test('answers HOST_OUTPUT_INVALID when a sign-in ends without a code', async () => {
    await host.fail('silent');
    expect(await github('POST', 'login')).toMatchObject({ status: 502, code: 'HOST_OUTPUT_INVALID' });
  });

  covers('github.pulls', 'returns the pull request of the branch with its checks, and the open ones', async () => {
    const repo = await fixture();
    const foreign = { ...NODE, number: 9, isCrossRepository: true, state: 'OPEN', reviewDecision: null };
    host.answer.graphql = ({ variables }) => {
      expect(variables).toEqual({ owner: 'me', name: 'sample', branch: 'feature/weld-seam' });
      const branch = {
        nodes: [
          { ...foreign, ...ROLLUP },
          { ...NODE, ...ROLLUP },
          { ...NODE, number: 3, state: 'MERGED', ...ROLLUP },
        ],
      };
      return repository({ defaultBranchRef: { name: 'main' }, open: { nodes: [foreign, NODE, null] }, branch });
    };
    const { data, text } = await repo.get('github/pulls');
    expect(data).toMatchObject({
      repo: 'me/sample',
      remoto: 'origin',
      ramo: 'feature/weld-seam',
      ramoRemoto: 'feature/weld-seam',
      pubblicato: true,
      avanti: 1,
      indietro: 0,
      ramoPredefinito: 'main',
      account: 'me',
    });
    expect(data.prDelRamo).toMatchObject({
      numero: 7,
      titolo: 'Weld the seam',
      stato: 'open',
      bozza: false,
      daFork: false,
      autore: 'me',
      revisione: 'REVIEW_REQUIRED',
      unione: 'MERGEABLE',
      controlli: { totale: 6 },
    });
    expect(data.aperte.map((one: any) => [one.numero, one.daFork, 'controlli' in one])).toEqual([
      [9, true, false],
      [7, false, false],
    ]);
    expect(text).not.toContain(HOST_TOKEN);
  });
  covers('github.checks', 'returns every check with its state and the totals', async () => {
    const repo = await fixture();
    host.answer.graphql = ({ variables }) =>
      repository({ pullRequest: { number: variables.number, state: 'MERGED', ...ROLLUP } });
    const { data } = await repo.get('github/pulls/7/checks');
    expect(data).toMatchObject({
      numero: 7,
      stato: 'merged',
      controlli: { conteggi: { passati: 1, falliti: 1, inCorso: 2, saltati: 1, annullati: 1 }, totale: 6 },
    });
    expect(data.controlli.voci[0]).toEqual({
      nome: 'build',
      flusso: 'CI',
      stato: 'passato',
      indirizzo: 'https://github.com/me/sample/runs/build',
      inizio: '2026-11-20T10:00:00Z',
      fine: '2026-11-20T10:01:00Z',
    });
    expect(data.controlli.voci.at(-1)).toMatchObject({
      nome: 'legacy',
      flusso: null,
      stato: 'in-corso',
      indirizzo: null,
    });
    for (const number of ['0', '01', '1e3', '1000000000', 'x'])
      expect([number, (await repo.get(`github/pulls/${number}/checks`)).code]).toEqual([number, 'QUERY_INVALID']);
  });
  test('checks of an unknown pull request are NOT_FOUND', async () => {
    const repo = await fixture();
    const errors = [{ type: 'NOT_FOUND', path: ['repository', 'pullRequest'], message: 'Could not resolve' }];
    host.answer.graphql = () => ({ body: { data: { repository: { pullRequest: null } }, errors } });
    expect(await repo.get('github/pulls/8/checks')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  covers('github.pull-draft', 'uses the only commit as text and lists several', async () => {
    const repo = await fixture();
    host.answer.graphql = () => DEFAULT;
    expect((await repo.get('github/pull-draft')).data).toEqual({
      repo: 'me/sample',
      remoto: 'origin',
      ramo: 'feature/weld-seam',
      ramoRemoto: 'feature/weld-seam',
      pubblicato: true,
      avanti: 1,
      base: 'main',
      ramoPredefinito: 'main',
      basi: ['feature/weld-seam', 'main'],
      baseTrovata: true,
      commit: 2,
      commitOltre: false,
      titolo: 'Weld seam',
      testo: '- The first\n- The second',
    });
    const one = await repo.get('github/pull-draft', { base: 'feature/weld-seam' });
    expect(one.data).toMatchObject({ base: 'feature/weld-seam', commit: 1, titolo: 'The second', testo: 'why' });
    await repo.git('config', 'branch.feature/weld-seam.gh-merge-base', 'nowhere');
    expect((await repo.get('github/pull-draft')).data).toMatchObject({
      base: 'nowhere',
      baseTrovata: false,
      commit: 0,
    });
  });
  refuses('github.pull-draft', 'GIT_BRANCH_INVALID', 'for an invalid base name', async () => {
    const repo = await fixture();
    for (const base of ['-x', 'a..b', '@{-1}', ''])
      expect((await repo.get('github/pull-draft', { base })).code).toBe('GIT_BRANCH_INVALID');
  });

  covers('github.pull-create', 'creates a pull request with title, text, base and draft flag', async () => {
    const repo = await fixture();
    host.answer.rest = ({ method, path, body }) => {
      expect([method, path]).toEqual(['POST', '/repos/me/sample/pulls']);
      expect(body).toEqual({ title: 'Weld', body: 'Body', base: 'main', head: 'feature/weld-seam', draft: true });
      return { status: 201, body: { number: 12, html_url: 'https://github.com/me/sample/pull/12' } };
    };
    expect((await repo.post('github/pulls', { ...CREATE, bozza: true })).data).toEqual({
      ok: true,
      url: 'https://github.com/me/sample/pull/12',
      numero: 12,
      repo: 'me/sample',
      base: 'main',
      ramo: 'feature/weld-seam',
      bozza: true,
    });
  });
  test('creates a pull request from a session in a worktree, for the branch of the worktree', async () => {
    const repo = await fixture();
    const body = { cartella: repo.path, titolo: 'Weld' };
    const { worktree } = (await host.server.call('POST', '/ext/worktrees', { body })).data;
    await repo.git('update-ref', 'refs/remotes/origin/fucina/weld', 'HEAD');
    const sessionId = await host.server.startSession({ cartellaLibera: worktree.cartella });
    await host.server.settled(sessionId);
    host.answer.graphql = () => DEFAULT;
    const draft = (await host.server.call('GET', `/sessions/${sessionId}/github/pull-draft`)).data;
    expect(draft).toMatchObject({ repo: 'me/sample', ramo: 'fucina/weld' });
    host.answer.rest = ({ body: sent }) => {
      expect(sent).toMatchObject({ head: 'fucina/weld', base: 'main' });
      return { status: 201, body: { number: 13, html_url: 'https://github.com/me/sample/pull/13' } };
    };
    const made = await host.server.call('POST', `/sessions/${sessionId}/github/pulls`, { body: CREATE });
    expect(made.data).toMatchObject({ numero: 13, ramo: 'fucina/weld' });
  });
  const refusal = (errors: object[]) => () => ({ status: 422, body: { message: 'Validation Failed', errors } });
  refuses('github.pull-create', 'HOST_INPUT_INVALID', 'for invalid fields and when a pull request exists', async () => {
    const repo = await fixture();
    for (const change of [{ titolo: ' ' }, { titolo: 'x'.repeat(257) }, { testo: 'x'.repeat(65_537) }, { titolo: 1 }])
      expect(await repo.post('github/pulls', { ...CREATE, ...change })).toMatchObject({
        status: 422,
        code: 'HOST_INPUT_INVALID',
      });
    host.answer.rest = refusal([
      { resource: 'PullRequest', code: 'custom', message: 'A pull request already exists for me:x.' },
    ]);
    expect((await repo.post('github/pulls', CREATE)).code).toBe('HOST_INPUT_INVALID');
  });
  refuses('github.pull-create', 'HOST_BASE_UNKNOWN', 'for a base unknown locally or on GitHub', async () => {
    const repo = await fixture();
    expect(await repo.post('github/pulls', { ...CREATE, base: 'nowhere' })).toMatchObject({
      status: 422,
      code: 'HOST_BASE_UNKNOWN',
    });
    host.answer.rest = refusal([{ resource: 'PullRequest', field: 'base', code: 'invalid' }]);
    expect((await repo.post('github/pulls', CREATE)).code).toBe('HOST_BASE_UNKNOWN');
  });
  refuses('github.pull-create', 'HOST_BRANCH_NOT_PUSHED', 'for a branch that is not on GitHub', async () => {
    const repo = await fixture();
    host.answer.rest = refusal([{ resource: 'PullRequest', field: 'head', code: 'invalid' }]);
    expect((await repo.post('github/pulls', CREATE)).code).toBe('HOST_BRANCH_NOT_PUSHED');
    await repo.git('update-ref', '-d', 'refs/remotes/origin/feature/weld-seam');
    expect(await repo.post('github/pulls', CREATE)).toMatchObject({ status: 409, code: 'HOST_BRANCH_NOT_PUSHED' });
  });

  test('recognizes every form of a GitHub address', async () => {
    const repo = await fixture();
    host.answer.graphql = () => DEFAULT;
    for (const url of [
      'git@github.com:me/sample.git',
      'ssh://git@github.com/me/sample',
      'git://github.com/me/sample.git/',
      'https://GitHub.com/me/sample',
    ]) {
      await repo.git('config', 'remote.origin.url', url);
      expect([url, (await repo.get('github/pull-draft')).data?.repo]).toEqual([url, 'me/sample']);
    }
  });
  test('rejects answers of another shape and answers that are not JSON', async () => {
    const repo = await fixture();
    for (const body of [
      '<html>',
      [],
      { data: null },
      { data: { repository: { open: 1, defaultBranchRef: 1, pullRequest: 1 } } },
    ]) {
      host.answer.graphql = () => ({ body });
      for (const id of ['github.pulls', 'github.pull-draft', 'github.checks'])
        expect([id, (await calls[id]?.(repo))?.code]).toEqual([
          id,
          expect.stringMatching(/HOST_(OUTPUT_INVALID|COMMAND_FAILED)/),
        ]);
      host.answer.rest = () => ({ status: 201, body });
      expect((await repo.post('github/pulls', CREATE)).code).toBe('HOST_OUTPUT_INVALID');
    }
    host.answer.graphql = () => ({ status: 502, body: 'x'.repeat(100) });
    expect((await repo.get('github/pulls')).code).toBe('HOST_COMMAND_FAILED');
  });
});
