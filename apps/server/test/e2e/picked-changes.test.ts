import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn, type TempRepo, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { type Reply, type TestServer, testServer, until } from '../harness.ts';

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at}\n`);
const edited = (changes: Record<number, string>): string =>
  LINES.map((line, at) => (changes[at] === undefined ? line : `${changes[at]}\n`)).join('');

let server: TestServer;
beforeAll(async () => {
  server = await testServer({
    isApart: true,
    script: ({ lastRole, lastText }) =>
      lastRole === 'user' && lastText.startsWith('wait')
        ? { toolCalls: [{ name: 'shell', arguments: { comando: 'sleep 60' } }] }
        : { text: 'Done.' },
  });
});
afterAll(async () => server[Symbol.asyncDispose]());

interface Side {
  sessionId: string;
  folder: string;
}

const repositories: TempRepo[] = [];
afterAll(async () => {
  for (const repo of repositories) await repo[Symbol.asyncDispose]();
});

/** A repository, and sessions in two worktrees of it; with `isRunning` the first one works. */
async function sides({ isRunning = false } = {}): Promise<{ repo: TempRepo; one: Side; two: Side }> {
  const repo = await tempRepo({ 'a.txt': LINES.join(''), 'b.txt': 'b\n', '.gitignore': 'ignored\n' });
  repositories.push(repo);
  const side = async (consegna: string): Promise<Side> => {
    const { data } = await server.call('POST', '/ext/worktrees', { body: { cartella: repo.path, titolo: 'task' } });
    const folder = data.worktree.cartella;
    const sessionId = await server.startSession({ cartellaLibera: folder, consegna });
    if (consegna !== 'wait') await server.settled(sessionId);
    return { sessionId, folder };
  };
  return { repo, one: await side(isRunning ? 'wait' : 'hello'), two: await side('hello') };
}

async function choice({ sessionId }: Side, percorso: string, more: object = {}): Promise<any> {
  const { base } = (await server.call('GET', `/ext/sessions/${sessionId}/branch-point`, { query: { base: 'main' } }))
    .data;
  const query = { da: base.commit, percorso };
  const { impronta } = (await server.call('GET', `/ext/sessions/${sessionId}/branch-point/diff`, { query })).data;
  return { sessionId, ...query, impronta, ...more };
}
const pick = (cartella: string, scelte: unknown[], more: object = {}): Promise<Reply> =>
  server.call('POST', '/ext/worktrees/picks', { body: { cartella, scelte, ...more } });
const undo = (cartella: string, id: string): Promise<Reply> =>
  server.call('POST', `/ext/worktrees/picks/${id}/undo`, { body: { cartella } });
const text = (folder: string, name: string): Promise<string> => readFile(join(folder, name), 'utf8');

covers('ext.worktrees.pick', 'merges hunks of two sessions, one of which works, into the folder', async () => {
  const { repo, one, two } = await sides({ isRunning: true });
  await writeFile(join(one.folder, 'a.txt'), edited({ 2: 'one', 20: 'not chosen' }));
  await writeFile(join(two.folder, 'a.txt'), edited({ 30: 'two' }));
  await writeFile(join(two.folder, 'new.txt'), 'new\n');
  const scelte = [
    await choice(one, 'a.txt', { pezzi: [0] }),
    await choice(two, 'a.txt', { pezzi: [0] }),
    await choice(two, 'new.txt'),
  ];
  const rehearsed = await pick(repo.path, scelte, { prova: true });
  expect(rehearsed.data).toEqual({
    applicato: false,
    conflitti: [],
    percorsi: ['a.txt', 'new.txt'],
    annullamento: null,
  });
  expect(await repo.git('status', '--porcelain')).toBe('');
  const { data } = await pick(repo.path, scelte);
  expect(data).toMatchObject({ applicato: true, conflitti: [], percorsi: ['a.txt', 'new.txt'] });
  expect([await text(repo.path, 'a.txt'), await text(repo.path, 'new.txt')]).toEqual([
    edited({ 2: 'one', 30: 'two' }),
    'new\n',
  ]);
  const running = (await server.call('GET', '/sessions')).data.items.find(
    ({ sessionId }: any) => sessionId === one.sessionId,
  );
  expect(running.conclusa).toBe(false);
  await server.call('POST', `/sessions/${one.sessionId}/stop`);
  await server.settled(one.sessionId);
});

covers('ext.worktrees.undo-pick', 'restores the folder but for what changed since', async () => {
  const { repo, one } = await sides();
  await writeFile(join(one.folder, 'a.txt'), edited({ 2: 'one' }));
  await writeFile(join(one.folder, 'new.txt'), 'new\n');
  await repo.write({ 'a.txt': edited({ 39: 'mine' }) });
  const scelte = [await choice(one, 'a.txt'), await choice(one, 'new.txt')];
  const { annullamento } = (await pick(repo.path, scelte)).data;
  expect(await text(repo.path, 'a.txt')).toBe(edited({ 2: 'one', 39: 'mine' }));
  await repo.write({ 'new.txt': 'edited since\n' });
  expect((await undo(repo.path, annullamento)).data).toEqual({
    ok: true,
    ripristinati: ['a.txt'],
    lasciati: ['new.txt'],
  });
  expect([await text(repo.path, 'a.txt'), await text(repo.path, 'new.txt')]).toEqual([
    edited({ 39: 'mine' }),
    'edited since\n',
  ]);
});

describe('chosen changes', () => {
  covers('ext.worktrees.pick', 'lists conflicts with their session, and changes nothing', async () => {
    const { repo, one, two } = await sides();
    await writeFile(join(one.folder, 'a.txt'), edited({ 5: 'one' }));
    await writeFile(join(two.folder, 'a.txt'), edited({ 5: 'two' }));
    const { data } = await pick(repo.path, [await choice(one, 'a.txt'), await choice(two, 'a.txt')]);
    expect(data).toEqual({
      applicato: false,
      conflitti: [{ sessionId: two.sessionId, percorso: 'a.txt' }],
      percorsi: [],
      annullamento: null,
    });
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  covers('ext.worktrees.pick', 'go to the worktree of another session while that one works', async () => {
    const { one, two } = await sides({ isRunning: true });
    await writeFile(join(two.folder, 'b.txt'), 'two\n');
    const body = { sessionId: one.sessionId, scelte: [await choice(two, 'b.txt')] };
    expect((await server.call('POST', '/ext/worktrees/picks', { body })).data.applicato).toBe(true);
    expect(await text(one.folder, 'b.txt')).toBe('two\n');
    await server.call('POST', `/sessions/${one.sessionId}/stop`);
    await until(async () => ((await server.settled(one.sessionId)) ? true : undefined));
  });
});

describe('chosen changes are refused', () => {
  refuses('ext.worktrees.pick', 'GIT_PATHS_REQUIRED', 'without a choice', async () => {
    const { repo } = await sides();
    expect((await pick(repo.path, [])).code).toBe('GIT_PATHS_REQUIRED');
  });
  refuses('ext.worktrees.pick', 'GIT_PATH_INVALID', 'for a path that leaves the folder', async () => {
    const { repo, one } = await sides();
    await writeFile(join(one.folder, 'b.txt'), 'one\n');
    const good = await choice(one, 'b.txt');
    expect((await pick(repo.path, [{ ...good, percorso: '../x' }])).code).toBe('GIT_PATH_INVALID');
  });
  refuses('ext.worktrees.pick', 'GIT_DIFF_CHANGED', 'when the agent has edited the file since', async () => {
    const { repo, one } = await sides();
    await writeFile(join(one.folder, 'b.txt'), 'one\n');
    const seen = await choice(one, 'b.txt');
    await writeFile(join(one.folder, 'b.txt'), 'newer\n');
    expect((await pick(repo.path, [seen])).code).toBe('GIT_DIFF_CHANGED');
  });
  refuses('ext.worktrees.pick', 'GIT_PATH_UNCHANGED', 'when the folder has them already', async () => {
    const { repo, one } = await sides();
    await writeFile(join(one.folder, 'b.txt'), 'one\n');
    await repo.write({ 'b.txt': 'one\n' });
    expect((await pick(repo.path, [await choice(one, 'b.txt')])).code).toBe('GIT_PATH_UNCHANGED');
  });
  refuses('ext.worktrees.pick', 'GIT_HUNK_INVALID', 'for a hunk that does not exist', async () => {
    const { repo, one } = await sides();
    await writeFile(join(one.folder, 'b.txt'), 'one\n');
    expect((await pick(repo.path, [await choice(one, 'b.txt', { pezzi: [1] })])).code).toBe('GIT_HUNK_INVALID');
  });
  refuses('ext.worktrees.pick', 'GIT_HUNK_UNSUPPORTED', 'for a hunk of a new file', async () => {
    const { repo, one } = await sides();
    await writeFile(join(one.folder, 'new.txt'), 'new\n');
    expect((await pick(repo.path, [await choice(one, 'new.txt', { pezzi: [0] })])).code).toBe('GIT_HUNK_UNSUPPORTED');
  });
  refuses('ext.worktrees.pick', 'GIT_COMMIT_INVALID', 'for a commit that is no full hash', async () => {
    const { repo, one } = await sides();
    await writeFile(join(one.folder, 'b.txt'), 'one\n');
    const seen = await choice(one, 'b.txt');
    expect((await pick(repo.path, [{ ...seen, da: 'main' }])).code).toBe('GIT_COMMIT_INVALID');
  });
  refuses('ext.worktrees.pick', 'GIT_COMMIT_UNKNOWN', 'for a folder of another repository', async () => {
    const [{ one }, { repo: other }] = [await sides(), await sides()];
    await writeFile(join(one.folder, 'b.txt'), 'one\n');
    expect((await pick(other.path, [await choice(one, 'b.txt')])).code).toBe('GIT_COMMIT_UNKNOWN');
  });
  refuses('ext.worktrees.pick', 'GIT_CONFLICTS', 'while a merge of the folder is in conflict', async () => {
    const { repo, one } = await sides();
    await writeFile(join(one.folder, 'a.txt'), edited({ 2: 'one' }));
    const seen = await choice(one, 'a.txt');
    await repo.git('checkout', '-q', '-b', 'x');
    for (const [branch, content] of [
      ['x', 'x\n'],
      ['main', 'y\n'],
    ] as const) {
      await repo.git('checkout', '-q', branch);
      await repo.write({ 'b.txt': content });
      await repo.git('commit', '-qam', branch);
    }
    await repo.git('merge', 'x').catch(() => undefined);
    expect((await pick(repo.path, [seen])).code).toBe('GIT_CONFLICTS');
  });
  refuses('ext.worktrees.pick', 'GIT_WORKTREE_DIRTY', 'where an ignored file is in the way', async () => {
    const { repo, one } = await sides();
    await rm(join(one.folder, '.gitignore'));
    await writeFile(join(one.folder, 'ignored'), 'new\n');
    await repo.write({ ignored: 'mine\n' });
    const { code, reason } = await pick(repo.path, [await choice(one, 'ignored')]);
    expect([code, reason]).toEqual(['GIT_WORKTREE_DIRTY', 'ignored-in-the-way']);
    expect(await text(repo.path, 'ignored')).toBe('mine\n');
    expect(await gitIn(repo.path)('status', '--porcelain')).toBe('');
  });
  refusesEach('WORKSPACE_NOT_AVAILABLE', ['ext.worktrees.pick', 'ext.worktrees.undo-pick'], async (operation) => {
    const reply =
      operation === 'ext.worktrees.pick' ? pick('/nowhere/at/all', []) : undo('/nowhere/at/all', '00000001');
    expect((await reply).code).toBe('WORKSPACE_NOT_AVAILABLE');
  });
});
