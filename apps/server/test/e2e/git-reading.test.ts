import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type GitServer, gitServer } from '../git-fixture.ts';

let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

describe('reading a repository', () => {
  covers('git.status', 'lists changes with their area and base', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': 'two\n', 'new.txt': '' });
    await repo.git('add', 'a.txt');
    const head = await repo.git('rev-parse', 'HEAD');
    const voce = { da: null, conflitto: false, cartella: false, repoAnnidato: false };
    expect((await repo.get('git/status')).data).toEqual({
      radiceRepo: repo.path,
      prefisso: '',
      cartellaEradiceRepo: true,
      voci: [
        {
          ...voce,
          percorso: 'a.txt',
          percorsoRepo: 'a.txt',
          x: 'M',
          y: '.',
          tipo: 'modificato',
          staged: true,
          nonStaged: false,
        },
        {
          ...voce,
          percorso: 'new.txt',
          percorsoRepo: 'new.txt',
          x: '?',
          y: '?',
          tipo: 'nonTracciato',
          staged: false,
          nonStaged: false,
        },
      ],
      riepilogo: { totale: 2, staged: 1, nonStaged: 0, nonTracciati: 1, conflitti: 0 },
      base: { commit: head, breve: expect.stringMatching(/^[0-9a-f]{7,}$/), soggetto: 'Start' },
      impronta: expect.stringMatching(/^[0-9a-f]{64}$/),
      preparatiFuori: 0,
    });
    const inside = await server.fixture(undefined, 'sub');
    await inside.git('rm', '-q', '--cached', 'a.txt');
    expect(await inside.state()).toMatchObject({
      prefisso: 'sub',
      cartellaEradiceRepo: false,
      voci: [],
      preparatiFuori: 1,
    });
  });

  covers('git.branch', 'returns the branch name, or that HEAD is detached', async () => {
    const repo = await server.fixture();
    const where = { radiceRepo: repo.path, prefisso: '', cartellaEradiceRepo: true };
    expect((await repo.get('git/branch')).data).toEqual({ ...where, ramo: 'main', staccata: false });
    await repo.git('checkout', '-q', '--detach');
    expect((await repo.get('git/branch')).data).toEqual({ ...where, ramo: null, staccata: true });
  });

  covers('git.diff', 'returns the diff of each area', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': 'two\n' });
    const { data } = await repo.get('git/diff', { percorso: 'a.txt', area: 'lavoro' });
    expect(data).toEqual({
      percorso: 'a.txt',
      area: 'lavoro',
      base: { commit: expect.any(String), breve: expect.any(String), soggetto: 'Start' },
      testo: expect.stringContaining('-one\n+two\n'),
      troncato: false,
      binario: false,
      impronta: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await repo.git('add', 'a.txt');
    expect((await repo.get('git/diff', { percorso: 'a.txt', area: 'preparato' })).data).toMatchObject({
      area: 'preparato',
      testo: data.testo,
    });
  });

  refuses('git.diff', 'GIT_DIFF_AREA_INVALID', 'for an unknown, missing or repeated area', async () => {
    const repo = await server.fixture();
    expect(await repo.get('git/diff', { percorso: 'a.txt', area: 'altro' })).toMatchObject({
      status: 422,
      code: 'GIT_DIFF_AREA_INVALID',
    });
    for (const search of [
      'percorso=a.txt',
      'area=lavoro',
      'percorso=a&area=lavoro&area=lavoro',
      'percorso=a&area=lavoro&x=1',
    ]) {
      expect((await repo.get(`git/diff?${search}`)).code).toBe('QUERY_INVALID');
    }
  });

  refuses('git.diff', 'GIT_PATH_INVALID', 'for a path that leaves the folder', async () => {
    const repo = await server.fixture();
    for (const percorso of ['../x', '/etc/passwd', ':x', '', '.git/config', 'sub']) {
      expect(await repo.get('git/diff', { percorso, area: 'lavoro' })).toMatchObject({
        status: 422,
        code: 'GIT_PATH_INVALID',
      });
    }
  });

  refuses('git.diff', 'GIT_PATH_UNCHANGED', 'for a path without changes', async () => {
    const repo = await server.fixture();
    expect(await repo.get('git/diff', { percorso: 'a.txt', area: 'lavoro' })).toMatchObject({
      status: 409,
      code: 'GIT_PATH_UNCHANGED',
    });
  });

  covers('git.log', 'pages through the log with each commit once while commits are added', async () => {
    const repo = await server.fixture();
    const tree = await repo.git('rev-parse', 'HEAD^{tree}');
    let parent = await repo.git('rev-parse', 'HEAD');
    for (let n = 1; n <= 120; n += 1) parent = await repo.git('commit-tree', tree, '-p', parent, '-m', `Commit ${n}`);
    await repo.git('reset', '-q', '--hard', parent);
    const all = (await repo.git('rev-list', 'HEAD')).split('\n');
    const seen: string[] = [];
    let cursore: string | undefined;
    for (let page = 0; page < 3; page += 1) {
      const { data } = await repo.get('git/log', cursore === undefined ? {} : { cursore });
      seen.push(...data.commit.map(({ commit }: { commit: string }) => commit));
      expect([data.altri, data.cursore === undefined]).toEqual(page < 2 ? [true, false] : [false, true]);
      cursore = data.cursore;
      await repo.git('commit', '-q', '--allow-empty', '-m', 'Meanwhile');
    }
    expect(seen).toEqual(all);
    expect((await repo.get('git/log', { cursore: 'HEAD.50' })).code).toBe('QUERY_INVALID');
  });

  refuses('git.log', 'GIT_COMMIT_UNKNOWN', 'when a page starts at an unknown commit', async () => {
    const repo = await server.fixture();
    expect(await repo.get('git/log', { cursore: `${'a'.repeat(40)}.50` })).toMatchObject({
      status: 404,
      code: 'GIT_COMMIT_UNKNOWN',
    });
  });

  covers('git.log', 'lists commits newest first', async () => {
    const repo = await server.fixture();
    await repo.git('commit', '-q', '--allow-empty', '-m', 'Second\n\nwith a body');
    const head = await repo.git('rev-parse', 'HEAD');
    const { data } = await repo.get('git/log');
    expect(data).toMatchObject({
      altri: false,
      ultimoMessaggio: 'Second\n\nwith a body',
      testa: head,
      remoto: null,
      nomeRemoto: null,
      baseComune: null,
    });
    expect(data.commit).toHaveLength(2);
    expect(data.commit[0]).toEqual({
      commit: head,
      breve: expect.any(String),
      autore: 'Fucina Test',
      data: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      genitori: 1,
      padri: [data.commit[1].commit],
      soggetto: 'Second',
      inviato: false,
    });
  });

  covers('git.changes', 'lists changes of one commit and between two', async () => {
    const repo = await server.fixture();
    const first = await repo.git('rev-parse', 'HEAD');
    await repo.write({ 'a.txt': 'two\n' });
    await repo.git('commit', '-qam', 'two');
    const second = await repo.git('rev-parse', 'HEAD');
    const expected = { da: first, a: second, daVuoto: false, altri: false, fuori: 0 };
    const file = [{ stato: 'M', prima: null, percorso: 'a.txt' }];
    expect((await repo.get('git/changes', { a: second })).data).toEqual({ ...expected, file });
    expect((await repo.get('git/changes', { a: second, da: first })).data).toEqual({ ...expected, file });
    expect((await repo.get('git/changes', { a: first })).data).toMatchObject({ daVuoto: true });
  });
  refuses('git.changes', 'GIT_COMMIT_INVALID', 'for an abbreviated hash', async () => {
    const repo = await server.fixture();
    for (const a of ['HEAD', '--all', 'abc123', ''])
      expect(await repo.get('git/changes', { a })).toMatchObject({ status: 422, code: 'GIT_COMMIT_INVALID' });
    expect((await repo.get('git/changes')).code).toBe('QUERY_INVALID');
  });
  refuses('git.changes', 'GIT_COMMIT_UNKNOWN', 'for an unknown commit', async () => {
    const repo = await server.fixture();
    expect(await repo.get('git/changes', { a: '0'.repeat(40) })).toMatchObject({
      status: 404,
      code: 'GIT_COMMIT_UNKNOWN',
    });
  });

  covers('git.changes-diff', 'returns the diff of one file', async () => {
    const repo = await server.fixture();
    const first = await repo.git('rev-parse', 'HEAD');
    await repo.git('mv', 'a.txt', 'z.txt');
    await repo.git('commit', '-qam', 'two');
    const a = await repo.git('rev-parse', 'HEAD');
    expect((await repo.get('git/changes-diff', { a, da: first, percorso: 'z.txt', prima: 'a.txt' })).data).toEqual({
      percorso: 'z.txt',
      prima: 'a.txt',
      da: first,
      a,
      daVuoto: false,
      testo: expect.stringContaining('rename from a.txt'),
      troncato: false,
      binario: false,
      impronta: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
  refuses('git.changes-diff', 'GIT_COMMIT_INVALID', 'for an abbreviated hash', async () => {
    const repo = await server.fixture();
    expect((await repo.get('git/changes-diff', { a: 'main', percorso: 'a.txt' })).code).toBe('GIT_COMMIT_INVALID');
  });
  refuses('git.changes-diff', 'GIT_COMMIT_UNKNOWN', 'for an unknown commit', async () => {
    const repo = await server.fixture();
    const a = await repo.git('rev-parse', 'HEAD');
    expect((await repo.get('git/changes-diff', { a: '1'.repeat(40), percorso: 'a.txt' })).code).toBe(
      'GIT_COMMIT_UNKNOWN',
    );
    expect((await repo.get('git/changes-diff', { a, da: '1'.repeat(40), percorso: 'a.txt' })).code).toBe(
      'GIT_COMMIT_UNKNOWN',
    );
  });
  refuses('git.changes-diff', 'GIT_PATH_INVALID', 'for a path outside the folder, old or new', async () => {
    const repo = await server.fixture();
    const a = await repo.git('rev-parse', 'HEAD');
    expect((await repo.get('git/changes-diff', { a, percorso: '../x' })).code).toBe('GIT_PATH_INVALID');
    expect((await repo.get('git/changes-diff', { a, percorso: 'a.txt', prima: '/x' })).code).toBe('GIT_PATH_INVALID');
  });

  test('a missing folder is NOT_FOUND', async () => {
    const repo = await server.fixture();
    await rm(repo.path, { recursive: true });
    expect((await repo.get('git/status')).code).toBe('NOT_FOUND');
  });
});
