import { chmod, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn, type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { type Reply, type TestServer, testServer } from '../harness.ts';
import { terminalClient } from '../terminal-client.ts';

/** The agent runs the command that the message names. */
const script: NonNullable<Parameters<typeof testServer>[0]>['script'] = ({ lastRole, lastText }) => {
  const comando = lastRole === 'user' ? /run: (.*)/.exec(lastText)?.[1] : undefined;
  return comando === undefined ? { text: 'Done.' } : { toolCalls: [{ name: 'shell', arguments: { comando } }] };
};

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ isApart: true, script });
});
afterAll(async () => server[Symbol.asyncDispose]());

const repositories: TempRepo[] = [];
afterAll(async () => {
  for (const repo of repositories) await repo[Symbol.asyncDispose]();
});
async function repository(files: Record<string, string> = { 'a.txt': 'one\n', 'sub/c.txt': 'c\n' }): Promise<TempRepo> {
  const repo = await tempRepo(files);
  repositories.push(repo);
  return repo;
}

const make = (cartella: string, body: object = {}): Promise<Reply> =>
  server.call('POST', '/ext/worktrees', { body: { cartella, ...body } });
const list = async (cartella: string): Promise<any[]> =>
  (await server.call('GET', '/ext/worktrees', { query: { cartella } })).data.worktree;
const read = (id: string): Promise<Reply> => server.call('GET', `/ext/worktrees/${id}`);
const remove = (id: string, query: Record<string, string> = {}): Promise<Reply> =>
  server.call('DELETE', `/ext/worktrees/${id}`, { query });
const merge = (id: string, body: object = {}): Promise<Reply> =>
  server.call('POST', `/ext/worktrees/${id}/merge`, { body });
const take = (id: string, percorsi: string[]): Promise<Reply> =>
  server.call('POST', `/ext/worktrees/${id}/files`, { body: { percorsi } });
async function made(repo: TempRepo, body: object = { titolo: 'Task' }): Promise<any> {
  const { status, data } = await make(repo.path, body);
  expect(status).toBe(201);
  return data.worktree;
}
async function work(cartella: string, command: string): Promise<string> {
  const id = await server.startSession({ cartellaLibera: cartella, consegna: `run: ${command}` });
  await server.settled(id);
  return id;
}

covers('ext.worktrees.bases', 'lists the branches to start from and counts what could be carried along', async () => {
  const repo = await repository();
  await repo.git('branch', 'other');
  await repo.git('update-ref', 'refs/remotes/origin/far', 'HEAD');
  await repo.write({ 'new.txt': 'new\n' });
  const bases = {
    corrente: 'main',
    haCommit: true,
    fileModificati: 1,
    locali: ['main', 'other'],
    remoti: ['origin/far'],
    fileLocali: [],
    preparazione: null,
  };
  const query = { cartella: join(repo.path, 'sub') };
  expect((await server.call('GET', '/ext/worktrees/bases', { query })).data).toEqual(bases);
});

covers('ext.worktrees.create', 'makes a worktree that git lists, named after the task', async () => {
  const repo = await repository();
  await repo.write({ 'a.txt': 'changed\n' });
  const one = await made(repo, { titolo: 'Fix the parser', conModifiche: true });
  const commit = await repo.git('rev-parse', 'HEAD');
  expect(one).toEqual({
    id: expect.any(String),
    nome: 'fix-the-parser',
    percorso: expect.stringContaining(server.dataDir),
    cartella: one.percorso,
    origine: repo.path,
    base: { nome: 'main', commit },
    ramoCreato: true,
    porte: expect.any(Number),
    creatoAlle: expect.any(String),
    stato: { ramo: 'fucina/fix-the-parser', commit, fileModificati: 1, avanti: 0, indietro: 0, nonUniti: 0 },
    sessioni: [],
  });
  expect(await repo.git('worktree', 'list')).toContain(one.percorso);
  expect(await readFile(join(one.percorso, 'a.txt'), 'utf8')).toBe('changed\n');
  const inside = (await make(join(repo.path, 'sub'), { titolo: 'Inside' })).data.worktree;
  expect(inside.cartella).toBe(join(inside.percorso, 'sub'));
});

covers('ext.worktrees.list', 'lists the worktrees of one repository, or all, with their sessions', async () => {
  const repo = await repository();
  const other = await repository();
  const [one, two] = [await made(repo), await made(other)];
  const session = await work(one.cartella, 'true');
  expect(await list(repo.path)).toEqual([{ ...one, sessioni: [session] }]);
  expect((await server.call('GET', '/ext/worktrees', { query: { sessionId: session } })).data.worktree).toHaveLength(1);
  const all = (await server.call('GET', '/ext/worktrees')).data.worktree.map(({ id }: { id: string }) => id);
  expect(all).toEqual(expect.arrayContaining([one.id, two.id]));
});

covers('ext.worktrees.read', 'returns the state of a worktree, or null when its folder is gone', async () => {
  const one = await made(await repository());
  expect((await read(one.id)).data.worktree).toEqual(one);
  await rm(one.percorso, { recursive: true });
  expect((await read(one.id)).data.worktree.stato).toBeNull();
  expect((await read('nobody')).code).toBe('NOT_FOUND');
});

covers('ext.worktrees.remove', 'removes the worktree and keeps its branch unless asked', async () => {
  const repo = await repository();
  const [one, two] = [await made(repo), await made(repo)];
  expect((await remove(one.id)).status).toBe(200);
  expect((await remove(two.id, { eliminaRamo: 'true' })).status).toBe(200);
  expect(await repo.git('branch', '--list', 'fucina/*')).toBe('  fucina/task');
  expect(await list(repo.path)).toEqual([]);
});

covers('ext.worktrees.merge', 'merges into the folder, or lists conflicts and changes nothing', async () => {
  const repo = await repository();
  const [one, two] = [await made(repo), await made(repo)];
  await work(one.cartella, 'echo theirs > a.txt && git commit -qam Theirs');
  await work(two.cartella, 'echo others > a.txt');
  expect((await merge(one.id)).data).toMatchObject({ unito: true, conflitti: [], modo: 'avanzamento', in: 'main' });
  expect(await repo.git('log', '-1', '--format=%s')).toBe('Theirs');
  const before = await repo.git('rev-parse', 'HEAD');
  const conflict = (await merge(two.id, { messaggio: 'Others' })).data;
  expect(conflict).toMatchObject({ unito: false, conflitti: ['a.txt'], prima: before, dopo: before });
  expect([await repo.git('status', '--porcelain'), (await read(two.id)).data.worktree.stato.fileModificati]).toEqual([
    '',
    1,
  ]);
});

test('a merge names the hooks that it did not run', async () => {
  const repo = await repository();
  const one = await made(repo);
  await work(one.cartella, 'echo theirs > a.txt');
  await repo.write({ '.git/hooks/pre-commit': '#!/bin/sh\nexit 1\n' });
  await chmod(join(repo.path, '.git/hooks/pre-commit'), 0o755);
  const { data } = await merge(one.id, { messaggio: 'Theirs' });
  expect(data).toMatchObject({ unito: true, hookNonEseguiti: ['pre-commit'] });
  expect(data).not.toHaveProperty('hookFalliti');
});

test('a rebase puts the commits of a worktree on top of the branch, without a merge commit', async () => {
  const repo = await repository();
  const one = await made(repo);
  await work(one.cartella, 'echo two > new.txt && git add -A && git commit -qm Theirs');
  await repo.write({ 'a.txt': 'ours\n' });
  await repo.git('commit', '-qam', 'Ours');
  const { data } = await merge(one.id, { rebase: true });
  expect(data).toMatchObject({ unito: true, conflitti: [], modo: 'rebase', in: 'main' });
  expect(await repo.git('log', '--format=%s')).toBe('Theirs\nOurs\nStart');
  expect((await read(one.id)).data.worktree.stato).toMatchObject({ commit: data.dopo, avanti: 0, indietro: 0 });
});

covers('ext.worktrees.take-files', 'gives the folder single files as they are in the worktree', async () => {
  const repo = await repository();
  const one = await made(repo);
  await work(one.cartella, 'echo two > a.txt; echo n > new.txt; rm sub/c.txt');
  expect((await take(one.id, ['a.txt', 'new.txt'])).data).toEqual({ percorsi: ['a.txt', 'new.txt'] });
  expect(await repo.git('status', '--porcelain')).toBe(' M a.txt\n?? new.txt');
});

describe('a worktree is refused', () => {
  refuses('ext.worktrees.create', 'GIT_BRANCH_INVALID', 'for a name that git refuses', async () => {
    expect((await make((await repository()).path, { ramo: 'a..b' })).code).toBe('GIT_BRANCH_INVALID');
  });
  refuses('ext.worktrees.create', 'GIT_BRANCH_EXISTS', 'for the name of another branch', async () => {
    expect((await make((await repository()).path, { ramo: 'main' })).code).toBe('GIT_BRANCH_EXISTS');
  });
  refuses('ext.worktrees.create', 'GIT_BRANCH_NOT_FOUND', 'for an unknown base or branch', async () => {
    const { path } = await repository();
    for (const body of [{ base: 'nowhere' }, { ramoEsistente: 'nowhere' }])
      expect((await make(path, body)).code).toBe('GIT_BRANCH_NOT_FOUND');
  });
  refuses('ext.worktrees.create', 'GIT_BRANCH_CURRENT', 'for a branch that another work tree is on', async () => {
    const reply = await make((await repository()).path, { ramoEsistente: 'main' });
    expect([reply.code, reply.reason]).toEqual(['GIT_BRANCH_CURRENT', 'in-use']);
    expect(reply.error?.message).toContain('altro worktree');
  });
  refuses('ext.worktrees.create', 'GIT_COMMIT_UNKNOWN', 'before the first commit', async () => {
    await using empty = await tempDir();
    await gitIn(empty.path)('init', '-q');
    const reply = await make(empty.path);
    expect([reply.code, reply.reason]).toEqual(['GIT_COMMIT_UNKNOWN', 'no-commit']);
  });
  refuses('ext.worktrees.create', 'GIT_PATH_INVALID', 'for a file that is no ignored settings file', async () => {
    const repo = await repository();
    const reply = await make(repo.path, { fileLocali: ['a.txt'] });
    expect([reply.code, reply.reason]).toEqual(['GIT_PATH_INVALID', 'local-file']);
    expect(await list(repo.path)).toEqual([]);
  });
  refuses('ext.worktrees.create', 'GIT_CONFLICTS', 'when the changes do not apply to the base', async () => {
    const repo = await repository();
    await repo.git('branch', 'old');
    await repo.write({ 'a.txt': 'two\n' });
    await repo.git('commit', '-qam', 'Two');
    await repo.write({ 'a.txt': 'three\n' });
    expect((await make(repo.path, { base: 'old', conModifiche: true })).reason).toBe('carried-changes');
    expect(await list(repo.path)).toEqual([]);
  });
  refusesEach(
    'WORKSPACE_NOT_AVAILABLE',
    ['ext.worktrees.list', 'ext.worktrees.bases', 'ext.worktrees.create'],
    async (operation) => {
      const cartella = '/nowhere/at/all';
      const calls: Record<string, () => Promise<Reply>> = {
        'ext.worktrees.list': () => server.call('GET', '/ext/worktrees', { query: { cartella } }),
        'ext.worktrees.bases': () => server.call('GET', '/ext/worktrees/bases', { query: { cartella } }),
        'ext.worktrees.create': () => make(cartella),
      };
      expect((await calls[operation]?.())?.code).toBe('WORKSPACE_NOT_AVAILABLE');
    },
  );
  test('without exactly one place, or with a branch that is both new and old', async () => {
    const { path } = await repository();
    const bodies = [{}, { cartella: path, sessionId: 'x' }, { cartella: path, ramoEsistente: 'a', base: 'b' }];
    for (const body of bodies)
      expect((await server.call('POST', '/ext/worktrees', { body })).code).toBe('QUERY_INVALID');
    expect((await server.call('GET', '/ext/worktrees/bases')).code).toBe('QUERY_INVALID');
  });
});

describe('nothing is lost', () => {
  refuses('ext.worktrees.remove', 'GIT_WORKTREE_DIRTY', 'with uncommitted changes, unless forced', async () => {
    const one = await made(await repository());
    await writeFile(join(one.percorso, 'new.txt'), 'new\n');
    expect(await remove(one.id)).toMatchObject({ code: 'GIT_WORKTREE_DIRTY', reason: 'worktree-changes' });
    expect(await readFile(join(one.percorso, 'new.txt'), 'utf8')).toBe('new\n');
    expect((await remove(one.id, { forza: 'true' })).status).toBe(200);
  });
  refuses('ext.worktrees.remove', 'GIT_BRANCH_NOT_MERGED', 'with commits that only its branch has', async () => {
    const repo = await repository();
    const one = await made(repo);
    await work(one.cartella, 'git commit -q --allow-empty -m Work');
    expect((await remove(one.id, { eliminaRamo: 'true' })).code).toBe('GIT_BRANCH_NOT_MERGED');
    expect((await remove(one.id)).status).toBe(200);
    expect(await repo.git('log', '-1', '--format=%s', 'fucina/task')).toBe('Work');
  });
  refuses(
    'ext.worktrees.merge',
    'GIT_WORKTREE_DIRTY',
    'with changes and no message, or changes in the way',
    async () => {
      const repo = await repository();
      const one = await made(repo);
      await writeFile(join(one.percorso, 'a.txt'), 'theirs\n');
      expect((await merge(one.id)).reason).toBe('worktree-changes');
      await repo.write({ 'a.txt': 'ours\n' });
      expect((await merge(one.id, { messaggio: 'x' })).reason).toBe('merge-target');
      expect([(await take(one.id, ['a.txt'])).code, await readFile(join(repo.path, 'a.txt'), 'utf8')]).toEqual([
        'GIT_WORKTREE_DIRTY',
        'ours\n',
      ]);
    },
  );
  refusesEach('GIT_CONFLICTS', ['ext.worktrees.merge', 'ext.worktrees.take-files'], async (operation) => {
    const repo = await repository();
    const one = await made(repo);
    await writeFile(join(one.percorso, 'a.txt'), 'theirs\n');
    await repo.git('checkout', '-q', '-b', 'x');
    await repo.write({ 'a.txt': 'x\n' });
    await repo.git('commit', '-qam', 'x');
    expect((await take(one.id, ['a.txt'])).reason).toBe('changed-on-both-sides');
    await repo.git('checkout', '-q', 'main');
    await repo.write({ 'a.txt': 'y\n' });
    await repo.git('commit', '-qam', 'y');
    await repo.git('merge', 'x').catch(() => undefined);
    const reply = operation === 'ext.worktrees.merge' ? merge(one.id, { messaggio: 'x' }) : take(one.id, ['a.txt']);
    expect((await reply).code).toBe('GIT_CONFLICTS');
  });
  refusesEach('GIT_COMMIT_UNKNOWN', ['ext.worktrees.merge', 'ext.worktrees.take-files'], async (operation) => {
    const repo = await repository();
    const one = await made(repo);
    const alone = await repo.git('commit-tree', '-m', 'Alone', 'HEAD^{tree}');
    await gitIn(one.percorso)('reset', '-q', '--hard', alone);
    const reply = operation === 'ext.worktrees.merge' ? merge(one.id) : take(one.id, ['a.txt']);
    expect((await reply).code).toBe('GIT_COMMIT_UNKNOWN');
  });
  refuses('ext.worktrees.take-files', 'GIT_WORKTREE_DIRTY', 'for a file that the folder changed as well', async () => {
    const repo = await repository();
    const one = await made(repo);
    await writeFile(join(one.percorso, 'new.txt'), 'theirs\n');
    await repo.write({ 'new.txt': 'ours\n' });
    expect((await take(one.id, ['new.txt'])).code).toBe('GIT_WORKTREE_DIRTY');
    expect(await readFile(join(repo.path, 'new.txt'), 'utf8')).toBe('ours\n');
  });
  refuses('ext.worktrees.take-files', 'GIT_PATH_UNCHANGED', 'for a file that is the same', async () => {
    expect((await take((await made(await repository())).id, ['a.txt'])).code).toBe('GIT_PATH_UNCHANGED');
  });
  refuses('ext.worktrees.take-files', 'GIT_PATH_INVALID', 'for a path that leaves the folder', async () => {
    expect((await take((await made(await repository())).id, ['../x'])).code).toBe('GIT_PATH_INVALID');
  });
  refuses('ext.worktrees.take-files', 'GIT_PATHS_REQUIRED', 'without a path', async () => {
    expect((await take((await made(await repository())).id, [])).code).toBe('GIT_PATHS_REQUIRED');
  });
  refusesEach('SESSION_STILL_RUNNING', ['ext.worktrees.remove', 'ext.worktrees.merge'], async (operation) => {
    const one = await made(await repository());
    const id = await server.startSession({ cartellaLibera: one.cartella, consegna: 'run: sleep 60' });
    const reply = operation === 'ext.worktrees.merge' ? merge(one.id) : remove(one.id, { forza: 'true' });
    expect((await reply).code).toBe('SESSION_STILL_RUNNING');
    await server.call('POST', `/sessions/${id}/stop`);
    await server.settled(id);
  });
});

describe('sessions in worktrees', () => {
  test('the data folder stays closed but for worktrees', async () => {
    const one = await made(await repository());
    for (const cartellaLibera of [server.dataDir, join(one.percorso, '..'), join(server.dataDir, 'worktrees')])
      await expect(server.startSession({ cartellaLibera })).rejects.toThrow('WORKSPACE_NOT_AVAILABLE');
    await expect(server.startSession({ cartellaLibera: one.cartella })).resolves.toEqual(expect.any(String));
  });

  test('deleting the last session removes a worktree in which nothing would be lost, and no other', async () => {
    const repo = await repository();
    const [spare, changed, committed] = [await made(repo), await made(repo), await made(repo)];
    const remaining = async (): Promise<string[]> => (await list(repo.path)).map(({ nome }) => nome);
    const drop = (id: string): Promise<Reply> => server.call('POST', `/sessions/${id}/delete`);
    const [first, second] = [await work(spare.cartella, 'true'), await work(spare.cartella, 'true')];
    await drop(first);
    expect(await remaining()).toEqual(['task', 'task-2', 'task-3']);
    await drop(second);
    await drop(await work(changed.cartella, 'echo x > new.txt'));
    await drop(await work(committed.cartella, 'git commit -q --allow-empty -m Work'));
    expect(await remaining()).toEqual(['task-2', 'task-3']);
    expect(await repo.git('branch', '--list', 'fucina/*', '--format=%(refname:short)')).toBe(
      'fucina/task-2\nfucina/task-3',
    );
  });

  test('five sessions work at once and none sees the writes of another', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`dir-${index % 10}/${index}.txt`, `${index}\n`]),
    );
    const repo = await repository(files);
    const before = [await repo.git('status', '--porcelain'), await repo.git('rev-parse', 'HEAD')];
    const worktrees = await Promise.all(Array.from({ length: 5 }, () => made(repo, { titolo: 'Parallel' })));
    const command = (mark: number): string =>
      `for i in 1 2 3 4 5; do echo w${mark} > dir-0/0.txt; echo w${mark} > own-$i.txt; sleep 0.1; cat dir-0/0.txt; done; ` +
      `git add -A; git commit -qm Work-${mark}; echo $FUCINA_PORT_BASE > port; (echo x > ${repo.path}/dir-0/0.txt) 2>/dev/null; true`;
    const ids = await Promise.all(
      worktrees.map(({ cartella }, mark) =>
        server.startSession({ cartellaLibera: cartella, consegna: `run: ${command(mark)}` }),
      ),
    );
    await Promise.all(ids.map((id) => server.settled(id)));
    for (const [mark, { percorso, porte }] of worktrees.entries()) {
      const git = gitIn(percorso);
      expect(await git('show', '--format=%s', '--name-only', 'HEAD')).toBe(
        `Work-${mark}\n\ndir-0/0.txt\n${[1, 2, 3, 4, 5].map((one) => `own-${one}.txt`).join('\n')}`,
      );
      expect(await readFile(join(percorso, 'dir-0/0.txt'), 'utf8')).toBe(`w${mark}\n`);
      expect(await git('status', '--porcelain')).toBe('?? port');
      expect(await readFile(join(percorso, 'port'), 'utf8')).toBe(`${porte}\n`);
    }
    expect(new Set(worktrees.map(({ porte }) => porte)).size).toBe(5);
    expect([await repo.git('status', '--porcelain'), await repo.git('rev-parse', 'HEAD')]).toEqual(before);
    expect(await readdir(repo.path)).not.toContain('own-1.txt');
  });

  test('the terminals of a worktree see its ports, those of another folder do not', async () => {
    const repo = await repository();
    const one = await made(repo);
    for (const [cartella, ports] of [
      [one.cartella, String(one.porte)],
      [repo.path, 'none'],
    ]) {
      const id = await work(cartella, 'true');
      const client = await terminalClient(server, id);
      client.type('echo "ports=[${FUCINA_PORT_BASE:-none}]"');
      await client.sees(`ports=[${ports}]`);
      client.close();
      await client.closed;
    }
  });

  test('a moved worktree is no folder to work in', async () => {
    const one = await made(await repository());
    await rename(one.percorso, `${one.percorso}-moved`);
    await expect(server.startSession({ cartellaLibera: `${one.percorso}-moved` })).rejects.toThrow(
      'WORKSPACE_NOT_AVAILABLE',
    );
  });
});
