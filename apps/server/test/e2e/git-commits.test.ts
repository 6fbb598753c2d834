import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gitIn, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { askingOf, conflicted, type GitFixture, type GitServer, gitServer, refusedAsIs } from '../git-fixture.ts';
import { testServer } from '../harness.ts';

let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const EMPTY_MESSAGES = ['', ' \n ', 'x'.repeat(64 * 1024 + 1), 7];

/** The last commit is on a remote. */
async function pushed(repo: GitFixture): Promise<string> {
  await gitIn(dirname(repo.path))('init', '-q', '--bare', `${repo.path}.remote`);
  await repo.git('remote', 'add', 'origin', `${repo.path}.remote`);
  await repo.git('push', '-q', '-u', 'origin', 'main');
  return repo.git('rev-parse', 'HEAD');
}

async function second(repo: GitFixture, files: Record<string, string> = { 'a.txt': 'two\n' }): Promise<string> {
  await repo.write(files);
  await repo.git('add', '-A');
  await repo.git('commit', '-qm', 'Second');
  return repo.git('rev-parse', 'HEAD');
}

describe('committing paths', () => {
  covers('git.commit', 'commits the paths as they are on disk and keeps the rest staged', async () => {
    const repo = await server.fixture({ 'a.txt': '1\n', 'b.txt': '1\n', 'old.txt': 'a text that\nis known again\n' });
    await repo.write({ 'a.txt': '2\n', 'b.txt': '2\n', 'dir/n.txt': 'n' });
    await repo.git('add', 'b.txt');
    await repo.git('mv', 'old.txt', 'new.txt');
    const percorsi = ['a.txt', 'dir', 'new.txt'];
    const { data } = await repo.post('git/commit', { percorsi, messaggio: ' Say it\n\nwith # a body ' });
    expect(data).toMatchObject({ ok: true, percorsi, commit: await repo.git('rev-parse', 'HEAD') });
    expect(await repo.git('log', '-1', '--format=%B')).toBe('Say it\n\nwith # a body\n');
    expect(await repo.git('show', '--format=', '--name-status', '-M', 'HEAD')).toBe(
      'M\ta.txt\nA\tdir/n.txt\nR100\told.txt\tnew.txt',
    );
    expect(await repo.git('status', '--porcelain')).toBe('M  b.txt');
    expect(data.stato.riepilogo).toMatchObject({ totale: 1, staged: 1 });
  });
  test('creates the first commit', async () => {
    const repo = await server.fixture();
    await repo.git('update-ref', '-d', 'HEAD');
    expect((await repo.post('git/commit', { percorsi: ['a.txt', 'b.txt'], messaggio: 'First' })).ok).toBe(true);
    expect(await repo.git('log', '--format=%s')).toBe('First');
  });
  test('a commit that git refuses leaves the index unchanged', async () => {
    const repo = await server.fixture();
    await repo.write({ 'n.txt': 'n', 'a.txt': '2\n' });
    await repo.git('config', 'user.useConfigOnly', 'true');
    await repo.git('config', 'user.email', '');
    await repo.git('config', 'user.name', '');
    expect(await refusedAsIs(repo, 'git/commit', { percorsi: ['n.txt', 'a.txt'], messaggio: 'x' })).toBe(
      'GIT_COMMAND_FAILED',
    );
  });
  refuses('git.commit', 'GIT_PATHS_REQUIRED', 'without paths', async () => {
    const repo = await server.fixture();
    expect((await repo.post('git/commit', { percorsi: [], messaggio: 'x' })).code).toBe('GIT_PATHS_REQUIRED');
  });
  refuses('git.commit', 'GIT_PATH_INVALID', 'for a path outside the folder or an ignored one', async () => {
    const repo = await server.fixture({ 'a.txt': '1', '.gitignore': 'no.txt' });
    await repo.write({ 'a.txt': '2', 'no.txt': '' });
    for (const bad of ['../x', '/x', '.git/config'])
      expect(await refusedAsIs(repo, 'git/commit', { percorsi: ['a.txt', bad], messaggio: 'x' })).toBe(
        'GIT_PATH_INVALID',
      );
  });
  refuses('git.commit', 'GIT_MESSAGE_REQUIRED', 'for an empty message or one above 64 KiB', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': '2' });
    for (const messaggio of EMPTY_MESSAGES)
      expect(await refusedAsIs(repo, 'git/commit', { percorsi: ['a.txt'], messaggio })).toBe('GIT_MESSAGE_REQUIRED');
    expect((await repo.post('git/commit', { percorsi: ['a.txt'], messaggio: 'x'.repeat(64 * 1024) })).ok).toBe(true);
  });
  refuses('git.commit', 'GIT_NOTHING_TO_COMMIT', 'for unchanged paths', async () => {
    const repo = await server.fixture();
    await repo.write({ 'b.txt': '2' });
    for (const path of ['a.txt', 'nowhere'])
      expect(await refusedAsIs(repo, 'git/commit', { percorsi: [path], messaggio: 'x' })).toBe('GIT_NOTHING_TO_COMMIT');
  });
  refuses('git.commit', 'GIT_WORKTREE_DIFFERS', 'for a file changed after staging', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': '2' });
    await repo.git('add', 'a.txt');
    await repo.write({ 'a.txt': '3' });
    expect(await refusedAsIs(repo, 'git/commit', { percorsi: ['a.txt'], messaggio: 'x' })).toBe('GIT_WORKTREE_DIFFERS');
  });
  refuses('git.commit', 'GIT_CONFLICTS', 'during a merge', async () => {
    const repo = await conflicted(await server.fixture());
    await repo.write({ 'b.txt': 'x' });
    expect(await refusedAsIs(repo, 'git/commit', { percorsi: ['b.txt'], messaggio: 'x' })).toBe('GIT_CONFLICTS');
  });
});

describe('committing staged changes', () => {
  const commit = async (repo: GitFixture, fields = {}): Promise<string | undefined> =>
    refusedAsIs(repo, 'git/commit-staged', { messaggio: 'x', impronta: (await repo.state()).impronta, ...fields });

  covers('git.commit-staged', 'commits only staged changes, and a resolved merge', async () => {
    const repo = await conflicted(await server.fixture());
    await repo.write({ 'a.txt': 'both\n', 'b.txt': 'later\n' });
    await repo.git('add', 'a.txt');
    const { impronta } = await repo.state();
    const { data } = await repo.post('git/commit-staged', { messaggio: 'Merged', impronta });
    expect(data).toMatchObject({ ok: true, commit: await repo.git('rev-parse', 'HEAD') });
    expect(await repo.git('log', '-1', '--format=%s %P')).toMatch(/^Merged \S+ \S+$/);
    expect(await repo.git('status', '--porcelain')).toBe(' M b.txt');
  });
  refuses('git.commit-staged', 'GIT_MESSAGE_REQUIRED', 'for an empty message or one above 64 KiB', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': '2' });
    await repo.git('add', 'a.txt');
    for (const messaggio of EMPTY_MESSAGES) expect(await commit(repo, { messaggio })).toBe('GIT_MESSAGE_REQUIRED');
  });
  refuses('git.commit-staged', 'GIT_STAGED_CHANGED', 'when the staged changes differ', async () => {
    const repo = await server.fixture();
    const { impronta } = await repo.state();
    await repo.write({ 'a.txt': '2' });
    await repo.git('add', 'a.txt');
    expect(await commit(repo, { impronta })).toBe('GIT_STAGED_CHANGED');
  });
  refuses('git.commit-staged', 'GIT_NOTHING_STAGED', 'when nothing is staged', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': '2' });
    expect(await commit(repo)).toBe('GIT_NOTHING_STAGED');
  });
  refuses('git.commit-staged', 'GIT_STAGED_OUTSIDE', 'with staged files of other folders', async () => {
    const repo = await server.fixture(undefined, 'sub');
    await repo.write({ 'a.txt': '2', 'sub/c.txt': '2' });
    await repo.git('add', '-A');
    expect(await commit(repo)).toBe('GIT_STAGED_OUTSIDE');
  });
  refuses('git.commit-staged', 'GIT_CONFLICTS', 'with unresolved conflicts', async () => {
    expect(await commit(await conflicted(await server.fixture()))).toBe('GIT_CONFLICTS');
  });
});

describe('amending the last commit', () => {
  const body = async (repo: GitFixture, fields = {}): Promise<object> => ({
    messaggio: 'Better',
    impronta: (await repo.state()).impronta,
    commit: await repo.git('rev-parse', 'HEAD'),
    ...fields,
  });
  const amend = async (repo: GitFixture, fields = {}): Promise<string | undefined> =>
    refusedAsIs(repo, 'git/amend', await body(repo, fields));

  covers('git.amend', 'changes the message and adds staged changes', async () => {
    const repo = await server.fixture();
    await second(repo);
    await repo.write({ 'b.txt': 'two\n' });
    await repo.git('add', 'b.txt');
    const { data } = await repo.post('git/amend', await body(repo));
    expect(data).toMatchObject({ ok: true, commit: await repo.git('rev-parse', 'HEAD'), stato: { voci: [] } });
    expect(await repo.git('log', '--format=%s', '--name-only')).toContain('Better\n\na.txt\nb.txt');
  });
  refuses('git.amend', 'GIT_MESSAGE_REQUIRED', 'for an empty message', async () => {
    const repo = await server.fixture();
    for (const messaggio of EMPTY_MESSAGES) expect(await amend(repo, { messaggio })).toBe('GIT_MESSAGE_REQUIRED');
  });
  refuses('git.amend', 'GIT_HEAD_CHANGED', 'when HEAD is another commit', async () => {
    const repo = await server.fixture();
    const commit = await repo.git('rev-parse', 'HEAD');
    await second(repo);
    for (const other of [commit, 'HEAD', '0'.repeat(40)])
      expect(await amend(repo, { commit: other })).toBe('GIT_HEAD_CHANGED');
  });
  refuses('git.amend', 'GIT_COMMIT_PUSHED', 'when the commit is on a remote', async () => {
    const repo = await server.fixture();
    await pushed(repo);
    expect(await amend(repo)).toBe('GIT_COMMIT_PUSHED');
  });
  refuses('git.amend', 'GIT_STAGED_CHANGED', 'when the staged changes differ', async () => {
    const repo = await server.fixture();
    expect(await amend(repo, { impronta: 'x' })).toBe('GIT_STAGED_CHANGED');
  });
  refuses('git.amend', 'GIT_STAGED_OUTSIDE', 'with staged files of other folders', async () => {
    const repo = await server.fixture(undefined, 'sub');
    await repo.write({ 'a.txt': '2' });
    await repo.git('add', '-A');
    expect(await amend(repo)).toBe('GIT_STAGED_OUTSIDE');
  });
  refuses('git.amend', 'GIT_CONFLICTS', 'during a merge', async () => {
    expect(await amend(await conflicted(await server.fixture()))).toBe('GIT_CONFLICTS');
  });
});

describe('undoing the last commit', () => {
  const undo = (repo: GitFixture, commit: string): Promise<string | undefined> =>
    refusedAsIs(repo, 'git/undo-commit', { commit });

  covers(
    'git.undo-commit',
    'undoes the last commit and keeps its changes staged, the first commit included',
    async () => {
      const repo = await server.fixture();
      const commit = await second(repo);
      const { data } = await repo.post('git/undo-commit', { commit });
      expect(data).toMatchObject({ ok: true, messaggio: 'Second', stato: { riepilogo: { staged: 1 } } });
      expect(await repo.git('status', '--porcelain')).toBe('M  a.txt');
      const first = await repo.git('rev-parse', 'HEAD');
      expect((await repo.post('git/undo-commit', { commit: first })).data).toMatchObject({
        messaggio: 'Start',
        stato: { base: null, riepilogo: { staged: 3 } },
      });
    },
  );
  refuses('git.undo-commit', 'GIT_HEAD_CHANGED', 'when HEAD is another commit', async () => {
    const repo = await server.fixture();
    const commit = await repo.git('rev-parse', 'HEAD');
    await second(repo);
    expect(await undo(repo, commit)).toBe('GIT_HEAD_CHANGED');
  });
  refuses('git.undo-commit', 'GIT_COMMIT_PUSHED', 'when the commit is on a remote', async () => {
    const repo = await server.fixture();
    expect(await undo(repo, await pushed(repo))).toBe('GIT_COMMIT_PUSHED');
  });
  refuses('git.undo-commit', 'GIT_MERGE_COMMIT', 'for a merge commit', async () => {
    const repo = await conflicted(await server.fixture());
    await repo.write({ 'a.txt': 'both\n' });
    await repo.git('commit', '-qam', 'merged');
    expect(await undo(repo, await repo.git('rev-parse', 'HEAD'))).toBe('GIT_MERGE_COMMIT');
  });
  refuses('git.undo-commit', 'GIT_COMMIT_OUTSIDE', 'when the commit changed other folders', async () => {
    const repo = await server.fixture(undefined, 'sub');
    expect(await undo(repo, await second(repo))).toBe('GIT_COMMIT_OUTSIDE');
  });
  refuses('git.undo-commit', 'GIT_CONFLICTS', 'during a merge', async () => {
    const repo = await conflicted(await server.fixture());
    expect(await undo(repo, await repo.git('rev-parse', 'HEAD'))).toBe('GIT_CONFLICTS');
  });
});

describe('a new repository', () => {
  covers('git.init', 'uses the default branch of the user’s git settings', async () => {
    await using dir = await tempDir();
    const sessionId = await server.startSession({ cartellaLibera: dir.path });
    await server.settled(sessionId);
    const { data } = await askingOf(server, sessionId).post('git/init', {});
    const ramo = await gitIn(dir.path)('symbolic-ref', '--short', 'HEAD');
    expect(data).toMatchObject({ ok: true, ramo, stato: { radiceRepo: dir.path, base: null } });
  });
  refuses('git.init', 'GIT_ALREADY_A_REPOSITORY', 'for a repository or a folder inside one', async () => {
    for (const folder of ['', 'sub'])
      expect((await (await server.fixture(undefined, folder)).post('git/init', {})).code).toBe(
        'GIT_ALREADY_A_REPOSITORY',
      );
  });
});

describe('a repository that would contain the user’s home', () => {
  refuses('git.init', 'GIT_INIT_NEEDS_CONFIRM', 'until it is confirmed', async () => {
    await using dir = await tempDir();
    const HOME = join(dir.path, 'home');
    await mkdir(HOME);
    await using other = await testServer({ settings: { environment: { ...process.env, HOME } } });
    const sessionId = await other.startSession({ cartellaLibera: dir.path });
    await other.settled(sessionId);
    const { post } = askingOf(other, sessionId);
    for (const body of [{}, { conferma: false }])
      expect(await post('git/init', body)).toMatchObject({ status: 409, code: 'GIT_INIT_NEEDS_CONFIRM' });
    expect((await post('git/init', { conferma: true })).ok).toBe(true);
  });
});

describe('suggesting a commit message', () => {
  const model = (reply: object): void => server.model.script(() => reply);

  covers(
    'git.commit-message',
    'uses the session’s model and the staged changes, or all changes when nothing is staged',
    async () => {
      const repo = await server.fixture();
      let asked = '';
      server.model.script((request) => {
        asked = JSON.stringify(request.body);
        return { text: '```\nFix the count\n\nIt was off by one.\n```' };
      });
      await repo.write({ 'a.txt': 'two\n', 'fresh.txt': '' });
      expect((await repo.post('git/commit-message', { lingua: 'en', bozza: 'fix' })).data).toEqual({
        messaggio: 'Fix the count\n\nIt was off by one.',
        area: 'lavoro',
        troncato: false,
        modello: 'ollama:tiny',
      });
      for (const word of ['+two', 'fresh.txt', 'Start', 'fix', 'English']) expect(asked).toContain(word);
      await repo.git('add', 'a.txt');
      expect((await repo.post('git/commit-message', {})).data).toMatchObject({ area: 'preparato' });
      expect(asked).toContain('Italian');
      await repo.write({ 'a.txt': 'long\n'.repeat(30_000) });
      await repo.git('add', 'a.txt');
      expect((await repo.post('git/commit-message', {})).data).toMatchObject({ troncato: true });
    },
  );
  refuses('git.commit-message', 'GIT_NOTHING_TO_COMMIT', 'without changes', async () => {
    expect((await (await server.fixture()).post('git/commit-message', {})).code).toBe('GIT_NOTHING_TO_COMMIT');
  });
  const changed = async (modello?: string): Promise<GitFixture> => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': 'two\n' });
    if (modello !== undefined) await repo.post('settings', { modello });
    return repo;
  };
  refuses('git.commit-message', 'MODEL_CALL_FAILED', 'when the model fails or answers nothing', async () => {
    const repo = await changed();
    model({ fault: { kind: 'status', status: 500 } });
    const refused = await repo.post('git/commit-message', {});
    expect(refused).toMatchObject({ code: 'MODEL_CALL_FAILED' });
    expect(refused.error).toMatchObject({ params: { providerMessage: 'Scripted failure 500.' } });
    model({ text: ' ' });
    expect(await repo.post('git/commit-message', {})).toMatchObject({ code: 'MODEL_CALL_FAILED' });
  });
  refuses('git.commit-message', 'PROVIDER_KEY_REQUIRED', 'without a key for the provider', async () => {
    const repo = await changed('groq:openai/gpt-oss-20b');
    expect((await repo.post('git/commit-message', {})).code).toBe('PROVIDER_KEY_REQUIRED');
  });
  refuses('git.commit-message', 'RUNTIME_NOT_AVAILABLE', 'for a local model whose engine is not running', async () => {
    const repo = await changed('local:my.gguf');
    expect((await repo.post('git/commit-message', {})).code).toBe('RUNTIME_NOT_AVAILABLE');
  });
});
