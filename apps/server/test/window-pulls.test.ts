import { gitIn, tempDir } from '@fucina/testkit';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import {
  type GithubFixture,
  githubFixture,
  HOST_TOKEN,
  type HostAnswer,
  hostedRepo,
  withGh,
} from './github-fixture.ts';
import { BUILD, installFixture, onlyGit } from './github-install-fixture.ts';
import { type TestServer, testServer } from './harness.ts';
import { clean, type GitPage, lookAt } from './window-git-fixture.ts';
import { launchBrowser, WINDOW_FOLDER, walk } from './window-visit.ts';

let browser: Browser | undefined;
let host: GithubFixture;

async function look(sessionId: string, server: TestServer = host.server): Promise<GitPage> {
  const seen = await lookAt({ browser, server }, sessionId);
  await seen.open('Pull requests');
  return seen;
}

const BRANCH = 'feature/weld-seam';
const PULL = {
  number: 7,
  title: 'Weld the seam',
  url: 'https://github.com/me/sample/pull/7',
  state: 'OPEN',
  isDraft: true,
  isCrossRepository: false,
  headRefName: BRANCH,
  baseRefName: 'main',
  author: { login: 'me' },
  updatedAt: '2026-11-20T10:00:00Z',
  createdAt: '2026-11-19T10:00:00Z',
  reviewDecision: 'REVIEW_REQUIRED',
  mergeable: 'MERGEABLE',
};
const FOREIGN = {
  ...PULL,
  number: 9,
  title: 'Paint it',
  isDraft: false,
  isCrossRepository: true,
  headRefName: 'paint',
};
const run = (name: string, status: string, conclusion: string | null): object => ({
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
  run('lint', 'QUEUED', null),
];
const ROLLUP = { commits: { nodes: [{ commit: { statusCheckRollup: { contexts: { nodes: CONTEXTS } } } }] } };

/** The content of the code host: these pull requests, with the same checks. */
const holding =
  (own: object[], open: object[]) =>
  ({ variables }: { variables: { number?: number } }): HostAnswer => ({
    body: {
      data: {
        viewer: { login: 'me' },
        repository: {
          defaultBranchRef: { name: 'main' },
          open: { nodes: open },
          branch: { nodes: own.map((one) => ({ ...one, ...ROLLUP })) },
          pullRequest: { number: variables.number, state: 'OPEN', ...ROLLUP },
        },
      },
    },
  });

const form = (fields: Record<string, string>): HostAnswer => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

withGh('pull requests in the window', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    if (browser) host = await githubFixture({ windowFolder: WINDOW_FOLDER });
    await host?.signIn();
  });
  afterEach(async () => {
    for (const name of ['graphql', 'rest', 'device'] as const) delete host?.answer[name];
    await host?.fail('no');
    await host?.signIn();
  });
  afterAll(async () => {
    await browser?.close();
    await host?.[Symbol.asyncDispose]();
  });

  walk('signs in with a code, cancels once, and detects completion automatically', async () => {
    let isEntered = false;
    host.answer.device = (path) => {
      if (path.startsWith('/login/device/code')) {
        const page = 'https://github.com/login/device';
        return form({
          device_code: 'd',
          user_code: 'AB12-CD34',
          verification_uri: page,
          expires_in: '900',
          interval: '1',
        });
      }
      return form(isEntered ? { access_token: HOST_TOKEN, token_type: 'bearer' } : { error: 'authorization_pending' });
    };
    host.answer.graphql = holding([], []);
    await host.signOut();
    const { sessionId } = await hostedRepo(host);
    await using v = await look(sessionId);
    await v.page.getByText('Not signed in to GitHub').waitFor();
    await clean(v);
    await v.press('Sign in to GitHub');
    await v.page.getByText('AB12-CD34').waitFor();
    const link = v.page.getByRole('link', { name: 'Open github.com' });
    expect(await link.getAttribute('href')).toBe('https://github.com/login/device');
    await v.page.getByRole('button', { name: 'Copy code' }).waitFor();
    await clean(v);
    await v.press('Cancel');
    await v.press('Sign in to GitHub');
    await v.page.getByText('AB12-CD34').waitFor();
    isEntered = true;
    await v.page.getByText('Signed in as me').waitFor();
    await v.page.getByText('No pull request yet.').waitFor();
    expect(await v.page.content()).not.toContain(HOST_TOKEN);
    await clean(v);
  });

  walk('reports an outdated or missing gh with its download link', async () => {
    await host.fail('old');
    const { sessionId } = await hostedRepo(host);
    await using v = await look(sessionId);
    await v.page.getByText('GitHub CLI 2.96.9 is too old').waitFor();
    await v.page.getByRole('link', { name: 'GitHub CLI website cli.github.com' }).waitFor();
    await clean(v);
    host.answer.graphql = holding([], []);
    await host.fail('no');
    await v.press('Try again');
    await v.page.getByText('Signed in as me').waitFor();

    await using place = await onlyGit();
    const settings = { environment: { HOME: place.path, PATH: place.path } };
    await using without = await testServer({ windowFolder: WINDOW_FOLDER, settings });
    const id = await without.startSession({ cartellaLibera: without.project.path });
    await without.settled(id);
    await using w = await look(id, without);
    await w.page.getByText('GitHub CLI is not installed').waitFor();
    await clean(w);
  });

  walk('installs gh with one button where a build exists, and retries after a failure', async () => {
    let isThere = false;
    await using place = await installFixture(
      (_request, response) => void (isThere ? response.end(BUILD) : response.writeHead(503).end()),
      { windowFolder: WINDOW_FOLDER },
    );
    const { server } = place;
    const id = await server.startSession({ cartellaLibera: server.project.path });
    await server.settled(id);
    await using w = await look(id, server);
    const press = w.page.getByRole('button', { name: 'Install gh 9.9.9' });
    await press.click();
    await w.page.getByRole('alert').waitFor();
    await clean(w);
    isThere = true;
    await press.click();
    await w.page.getByText('Not signed in to GitHub').waitFor();
    await clean(w);
  });

  walk('lists the branch’s pull request first, shows checks and links to GitHub', async () => {
    host.answer.graphql = holding([PULL], [FOREIGN, PULL]);
    const { sessionId } = await hostedRepo(host);
    await using v = await look(sessionId);
    const rows = v.page.getByRole('button', { name: /^#\d/ });
    await rows.first().waitFor();
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/^#7 Weld the seam\s+draft\s+feature\/weld-seam · me · /),
      expect.stringMatching(/^#9 Paint it\s+open\s+paint \(fork\) · me · /),
    ]);
    await rows.first().click();
    await v.page.getByText('One failed').waitFor();
    for (const text of ['One passed', 'One running', 'review required · ready to merge'])
      await v.page.getByText(text).waitFor();
    const link = v.page.getByRole('link', { name: 'test github.com' });
    expect(await link.getAttribute('href')).toBe('https://github.com/me/sample/runs/test');
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await v.page.getByRole('link', { name: 'Open on GitHub' }).getAttribute('href')).toBe(PULL.url);
    await clean(v);
    await v.page.setViewportSize({ width: 390, height: 800 });
    await v.page.getByRole('button', { name: 'Back' }).click();
    await rows.first().waitFor();
    await clean(v);
  });

  walk('drafts a pull request from commits, publishes the branch and creates it', async () => {
    await using place = await tempDir();
    await gitIn(place.path)('init', '-q', '--bare');
    const repo = await hostedRepo(host);
    await repo.git('update-ref', '-d', `refs/remotes/origin/${BRANCH}`);
    await repo.git('update-ref', 'refs/remotes/origin/develop', 'HEAD~1');
    await repo.git('remote', 'set-url', '--push', 'origin', place.path);
    host.answer.graphql = holding([], []);
    await using v = await look(repo.sessionId);
    await v.press('New pull request');
    await v.page.getByText('is not on GitHub yet').waitFor();
    const create = v.page.getByRole('button', { name: 'Create pull request' });
    expect(await create.isDisabled()).toBe(true);
    await clean(v);
    await v.page.getByRole('form', { name: 'New pull request' }).getByRole('button', { name: 'Publish' }).click();
    await v.page.getByText('is not on GitHub yet').waitFor({ state: 'detached' });
    expect(await gitIn(place.path)('rev-parse', BRANCH)).toBe(await repo.git('rev-parse', 'HEAD'));

    expect(await v.page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Weld seam');
    expect(await v.page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('- The first\n- The second');
    const base = v.page.getByRole('combobox', { name: `Merge ${BRANCH} into` });
    await base.selectOption('develop');
    await v.page.getByText('Includes one commit.').waitFor();
    expect(await v.page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('The second');
    await base.selectOption('main');
    await v.page.getByText('Includes 2 commits.').waitFor();
    await v.page.getByRole('textbox', { name: 'Title' }).fill('Weld');
    await v.page.getByRole('checkbox', { name: /^Create as draft/ }).check();
    host.answer.rest = () => ({
      status: 422,
      body: { message: 'Validation Failed', errors: [{ resource: 'PullRequest', code: 'custom', message: 'No.' }] },
    });
    await create.click();
    await v.notice('Correct the fields and try again.');
    await clean(v);
    let asked: unknown;
    host.answer.rest = ({ body }) => {
      asked = body;
      host.answer.graphql = holding([{ ...PULL, title: 'Weld' }], []);
      return { status: 201, body: { number: 7, html_url: PULL.url } };
    };
    await create.click();
    await v.notice('Pull request #7 created.');
    expect(asked).toEqual({
      title: 'Weld',
      body: '- The first\n- The second',
      base: 'main',
      head: BRANCH,
      draft: true,
    });
    await v.page.getByRole('heading', { name: 'Weld #7' }).waitFor();
    await clean(v);
  });

  walk('pushes local commits from the form', async () => {
    await using place = await tempDir();
    await gitIn(place.path)('init', '-q', '--bare');
    const repo = await hostedRepo(host);
    await repo.git('push', '-q', place.path, `HEAD~1:refs/heads/${BRANCH}`);
    await repo.git('remote', 'set-url', '--push', 'origin', place.path);
    host.answer.graphql = holding([], []);
    await using v = await look(repo.sessionId);
    await v.press('New pull request');
    const notice = v.page.getByText('One commit is not pushed and would not be included.');
    await notice.waitFor();
    await v.page.getByRole('form').getByRole('button', { name: 'Push' }).click();
    await notice.waitFor({ state: 'detached' });
    expect(await gitIn(place.path)('rev-parse', BRANCH)).toBe(await repo.git('rev-parse', 'HEAD'));
  });

  walk('explains a remote on another host', async () => {
    const repo = await hostedRepo(host);
    await repo.git('config', 'remote.origin.url', 'https://example.org/me/sample.git');
    await using v = await look(repo.sessionId);
    await v.notice('remote is not on a supported code host');
    await clean(v);
  });
});
