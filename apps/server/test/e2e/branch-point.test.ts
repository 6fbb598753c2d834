import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type GitFixture, type GitServer, gitServer } from '../git-fixture.ts';

let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const ZERO = '0'.repeat(40);

/** A branch with one commit, one uncommitted change and a new file. */
async function branched(): Promise<GitFixture & { from: string }> {
  const repo = await server.fixture();
  const from = await repo.git('rev-parse', 'HEAD');
  await repo.git('checkout', '-q', '-b', 'work');
  await repo.git('mv', 'b.txt', 'renamed.txt');
  await repo.git('commit', '-qm', 'Rename');
  await repo.write({ 'a.txt': 'two\nthree\n', 'new.txt': 'new\n' });
  return { ...repo, from };
}

describe('changes since the branch point', () => {
  covers('ext.branch-point.read', 'lists committed, uncommitted and new files with their lines', async () => {
    const repo = await branched();
    const before = await repo.snapshot();
    expect((await repo.get('ext/branch-point')).data).toEqual({
      base: { nome: 'main', commit: repo.from },
      basi: ['main'],
      file: [
        { stato: 'M', prima: null, percorso: 'a.txt', aggiunte: 2, rimosse: 1 },
        { stato: 'A', prima: null, percorso: 'new.txt', aggiunte: 1, rimosse: 0 },
        { stato: 'R', prima: 'b.txt', percorso: 'renamed.txt', aggiunte: 0, rimosse: 0 },
      ],
      altri: false,
    });
    expect(await repo.snapshot()).toBe(before);
  });

  covers('ext.branch-point.read', 'compares with the branch that the query names', async () => {
    const repo = await branched();
    await repo.git('branch', 'middle');
    const commit = await repo.git('rev-parse', 'HEAD');
    const { data } = await repo.get('ext/branch-point', { base: 'middle' });
    expect(data).toMatchObject({ base: { nome: 'middle', commit }, basi: ['main', 'middle'] });
    expect(data.file.map(({ percorso }: { percorso: string }) => percorso)).toEqual(['a.txt', 'new.txt']);
  });

  covers('ext.branch-point.read', 'has no base where no other branch is known', async () => {
    const repo = await server.fixture();
    expect((await repo.get('ext/branch-point')).data).toEqual({ base: null, basi: [], file: [], altri: false });
  });

  refuses('ext.branch-point.read', 'GIT_BRANCH_NOT_FOUND', 'for an unknown branch or an expression', async () => {
    const repo = await branched();
    for (const base of ['nowhere', 'main~0', '--all', repo.from, ''])
      expect(await repo.get('ext/branch-point', { base })).toMatchObject({ status: 409, code: 'GIT_BRANCH_NOT_FOUND' });
  });

  refuses('ext.branch-point.read', 'GIT_COMMIT_UNKNOWN', 'for a branch without a common commit', async () => {
    const repo = await branched();
    await repo.git('branch', 'alone', await repo.git('commit-tree', '-m', 'Alone', 'HEAD^{tree}'));
    expect(await repo.get('ext/branch-point', { base: 'alone' })).toMatchObject({
      status: 404,
      code: 'GIT_COMMIT_UNKNOWN',
    });
  });

  covers('ext.branch-point.diff', 'returns the diff of one file from the branch point to the disk', async () => {
    const repo = await branched();
    expect((await repo.get('ext/branch-point/diff', { da: repo.from, percorso: 'a.txt' })).data).toEqual({
      percorso: 'a.txt',
      prima: null,
      da: repo.from,
      testo: expect.stringContaining('-one\n+two\n+three\n'),
      troncato: false,
      binario: false,
      impronta: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const renamed = { da: repo.from, percorso: 'renamed.txt', prima: 'b.txt' };
    expect((await repo.get('ext/branch-point/diff', renamed)).data).toMatchObject({
      prima: 'b.txt',
      testo: expect.stringContaining('rename from b.txt'),
    });
  });

  refuses('ext.branch-point.diff', 'GIT_COMMIT_INVALID', 'for what is no full hash', async () => {
    const repo = await branched();
    for (const da of ['main', 'HEAD', repo.from.slice(0, 8), '--output=x'])
      expect(await repo.get('ext/branch-point/diff', { da, percorso: 'a.txt' })).toMatchObject({
        status: 422,
        code: 'GIT_COMMIT_INVALID',
      });
  });

  refuses('ext.branch-point.diff', 'GIT_COMMIT_UNKNOWN', 'for an unknown commit', async () => {
    const repo = await branched();
    expect(await repo.get('ext/branch-point/diff', { da: ZERO, percorso: 'a.txt' })).toMatchObject({
      status: 404,
      code: 'GIT_COMMIT_UNKNOWN',
    });
  });

  refuses('ext.branch-point.diff', 'GIT_PATH_INVALID', 'for a path that leaves the folder, or a folder', async () => {
    const repo = await branched();
    for (const percorso of ['../x', '/etc/passwd', ':x', '', '.git/config', 'sub'])
      expect(await repo.get('ext/branch-point/diff', { da: repo.from, percorso })).toMatchObject({
        status: 422,
        code: 'GIT_PATH_INVALID',
      });
  });

  test('rejects an unknown or repeated field of the query', async () => {
    const repo = await branched();
    for (const path of [
      'ext/branch-point?base=main&base=main',
      'ext/branch-point?x=1',
      'ext/branch-point/diff?percorso=a.txt',
    ])
      expect((await repo.get(path)).code).toBe('QUERY_INVALID');
  });
});
