import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { refusedAsIs } from '../git-fixture.ts';
import { commitMine, commitTheirs, type RemoteFixture, remoteFixture } from '../git-remote-fixture.ts';

let fixture: RemoteFixture;
beforeAll(async () => {
  fixture = await remoteFixture();
});
afterAll(async () => fixture[Symbol.asyncDispose]());

for (const isWeb of [false, true]) {
  describe(isWeb ? 'over http' : 'through a folder', () => {
    test('fetches and pulls commits of others and pushes its own', async () => {
      const pair = await fixture.connected({ isWeb });
      const { mine, remote } = pair;
      const theirs = await commitTheirs(pair, { 'b.txt': 'theirs\n', 'new.txt': 'n\n' });
      expect((await mine.post('git/fetch', {})).data.sincronizzazione).toMatchObject({ avanti: 0, indietro: 1 });
      expect((await mine.post('git/pull', {})).data).toMatchObject({ ok: true, commitDopo: theirs });
      const own = await commitMine(pair, { 'a.txt': 'mine\n' });
      expect((await mine.post('git/push', {})).data).toMatchObject({ ok: true, pubblicato: false });
      expect(await gitIn(remote)('rev-parse', 'main')).toBe(own);
      await mine.git('switch', '-q', '-c', 'feature/new');
      expect((await mine.post('git/push', {})).data).toMatchObject({
        remoto: 'origin',
        ramo: 'feature/new',
        pubblicato: true,
        esiti: [{ da: 'refs/heads/feature/new', a: 'refs/heads/feature/new', esito: 'nuovo' }],
        sincronizzazione: { riferimento: { corto: 'origin/feature/new' }, avanti: 0, indietro: 0 },
      });
    });
  });
}

describe('the sync state of the branch', () => {
  covers('git.sync', 'returns ahead and behind counts, the push target and the last fetch', async () => {
    const pair = await fixture.connected();
    const { mine, remote } = pair;
    await commitTheirs(pair, { 'b.txt': '2\n' });
    await commitMine(pair, { 'a.txt': '2\n' });
    await rm(join(mine.path, '.git/FETCH_HEAD'), { force: true });
    const before = (await mine.get('git/sync')).data;
    expect(before).toEqual({
      ramo: 'main',
      staccata: false,
      remoti: [{ nome: 'origin', url: remote, urlInvio: null }],
      riferimento: { corto: 'origin/main', remoto: 'origin', ramo: 'main' },
      avanti: 1,
      indietro: 0,
      riferimentoSparito: false,
      remotoPerInvio: 'origin',
      ultimoRecupero: null,
      recuperoInCorso: false,
    });
    await mine.git('fetch', '-q');
    const after = (await mine.get('git/sync')).data;
    expect(after).toMatchObject({ avanti: 1, indietro: 1, ultimoRecupero: expect.stringMatching(/^\d{4}-.*Z$/) });
  });
  test('covers a detached HEAD, no upstream, no remotes, several remotes and a deleted upstream', async () => {
    const alone = await fixture.server.fixture();
    expect((await alone.get('git/sync')).data).toMatchObject({
      remoti: [],
      riferimento: null,
      avanti: null,
      remotoPerInvio: null,
    });
    const { mine } = await fixture.connected();
    await mine.git('remote', 'add', 'other', '/nowhere');
    expect((await mine.get('git/sync')).data).toMatchObject({ remotoPerInvio: 'origin' });
    await mine.git('config', 'remote.pushDefault', 'other');
    expect((await mine.get('git/sync')).data).toMatchObject({ remotoPerInvio: 'other' });
    await mine.git('update-ref', '-d', 'refs/remotes/origin/main');
    expect((await mine.get('git/sync')).data).toMatchObject({ riferimentoSparito: true, avanti: null, indietro: null });
    await mine.git('checkout', '-q', '--detach');
    expect((await mine.get('git/sync')).data).toMatchObject({ ramo: null, staccata: true, riferimento: null });
  });
});

describe('fetching', () => {
  covers('git.fetch', 'fetches from the named remote or from all', async () => {
    const pair = await fixture.connected();
    const { mine } = pair;
    const second = await fixture.bare();
    await mine.git('remote', 'add', 'second', join(fixture.place.path, second));
    await pair.theirs.git('push', '-q', join(fixture.place.path, second), 'main:extra');
    const theirs = await commitTheirs(pair, { 'b.txt': '2\n' });
    const { data } = await mine.post('git/fetch', { remoto: 'origin' });
    expect(data).toMatchObject({
      ok: true,
      remoto: 'origin',
      sincronizzazione: { indietro: 1, recuperoInCorso: false },
    });
    expect(await mine.git('rev-parse', 'origin/main')).toBe(theirs);
    expect((await mine.post('git/fetch', {})).data).toMatchObject({ remoto: 'tutti' });
    expect(await mine.git('branch', '-r')).toContain('second/extra');
  });
  refuses('git.fetch', 'GIT_NO_REMOTE', 'without a remote', async () => {
    expect(await refusedAsIs(await fixture.server.fixture(), 'git/fetch', {})).toBe('GIT_NO_REMOTE');
  });
  refuses('git.fetch', 'GIT_REMOTE_UNKNOWN', 'for an unknown remote and for an address', async () => {
    const { mine, remote } = await fixture.connected();
    for (const remoto of ['other', '', '--all', remote])
      expect(await refusedAsIs(mine, 'git/fetch', { remoto })).toBe('GIT_REMOTE_UNKNOWN');
  });
  refuses('git.fetch', 'GIT_FETCH_RUNNING', 'while another fetch runs', async () => {
    const { mine } = await fixture.connected({ isWeb: true });
    fixture.web.behaviour.isHanging = true;
    const asked = fixture.web.asked();
    const first = mine.post('git/fetch', {});
    await asked;
    expect((await mine.get('git/sync')).data.recuperoInCorso).toBe(true);
    expect(await refusedAsIs(mine, 'git/fetch', { remoto: 'origin' })).toBe('GIT_FETCH_RUNNING');
    // Other operations continue in the meantime.
    await mine.write({ 'a.txt': '2\n' });
    expect((await mine.post('git/stage', { percorsi: ['a.txt'] })).ok).toBe(true);
    expect((await mine.post('git/fetch-stop')).data).toEqual({ ok: true, fermato: true });
    expect((await first).code).toBe('GIT_ABORTED');
    fixture.web.behaviour.isHanging = false;
    expect((await mine.post('git/fetch', {})).ok).toBe(true);
  });
  refuses('git.fetch', 'GIT_ABORTED', 'when the fetch is stopped', async () => {
    const { mine } = await fixture.connected({ isWeb: true });
    fixture.web.behaviour.isHanging = true;
    const asked = fixture.web.asked();
    const first = mine.post('git/fetch', {});
    await asked;
    await mine.post('git/fetch-stop');
    fixture.web.behaviour.isHanging = false;
    expect(await first).toMatchObject({ status: 409, code: 'GIT_ABORTED' });
    expect((await mine.get('git/sync')).data.recuperoInCorso).toBe(false);
  });
  covers('git.fetch-stop', 'answers when no fetch is running', async () => {
    const { mine } = await fixture.connected();
    expect((await mine.post('git/fetch-stop')).data).toEqual({ ok: true, fermato: false });
  });
  test('reports the reason: missing repository, no answer, sign-in refused, transport not allowed', async () => {
    const { mine } = await fixture.connected({ isWeb: true });
    const reason = async (url: string): Promise<unknown> => {
      await mine.git('remote', 'set-url', 'origin', url);
      const { status, code, reason } = await mine.post('git/fetch', {});
      return { status, code, reason };
    };
    const failed = (why: string): unknown => ({ status: 502, code: 'GIT_COMMAND_FAILED', reason: why });
    expect(await reason(join(fixture.place.path, 'nowhere.git'))).toEqual(failed('not-found'));
    expect(await reason(`${fixture.web.url}/nowhere.git`)).toEqual(failed('not-found'));
    expect(await reason('http://127.0.0.1:1/a.git')).toEqual(failed('unreachable'));
    expect(await reason('ext::sh -c "echo no"')).toEqual(failed('transport-not-allowed'));
    fixture.web.behaviour.password = 'right';
    expect(await reason(`${fixture.web.url}/${await fixture.bare()}`)).toEqual(failed('authentication'));
    fixture.web.behaviour.password = undefined;
  });
  test('uses the user’s credential helper and never one of the repository', async () => {
    const { mine } = await fixture.connected({ isWeb: true });
    const witness = join(fixture.home.path, 'witness');
    const helper = (file: string, password: string): string =>
      `!f() { echo x >> '${file}'; echo username=me; echo password=${password}; }; f`;
    await mine.git('config', 'credential.helper', helper(witness, 'wrong'));
    await mine.git('config', `credential.${fixture.web.url}.helper`, helper(witness, 'wrong'));
    await writeFile(
      join(fixture.home.path, '.gitconfig'),
      `[credential "${fixture.web.url}"]\n\thelper = ${JSON.stringify(helper(`${witness}-own`, 's3cret'))}\n`,
    );
    fixture.web.behaviour.password = 's3cret';
    const { ok } = await mine.post('git/fetch', {});
    fixture.web.behaviour.password = undefined;
    await rm(join(fixture.home.path, '.gitconfig'));
    expect(ok).toBe(true);
    await expect(chmod(witness, 0o600)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
