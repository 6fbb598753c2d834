import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Script, type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestServer, testServer, until } from '../harness.ts';

let server: TestServer;
/** What the agent is asked to do; the conversation of the parent begins with "Delegate". */
let task = '';
const script: Script = ({ lastRole, lastText }) => {
  if (lastRole !== 'user') return { text: 'All done.' };
  if (lastText.startsWith('Delegate')) {
    return { toolCalls: [{ name: 'delega_sottotask', arguments: { task, isolamento: 'worktree' } }] };
  }
  if (lastText.startsWith('Write')) {
    return {
      toolCalls: [
        { name: 'leggi', arguments: { percorso: 'a.txt' } },
        { name: 'scrivi', arguments: { percorso: 'a.txt', contenuto: 'agent\n' } },
      ],
    };
  }
  return { text: 'Looked.' };
};
beforeAll(async () => {
  server = await testServer({ isApart: true, script });
});
afterAll(async () => server[Symbol.asyncDispose]());

interface Delegated {
  id: string;
  child: string | undefined;
  /** What the parent's model read. */
  result: string;
}

async function delegated(folder: string, text: string, more: object = {}): Promise<Delegated> {
  return delegatedIn(server, folder, { text, ...more });
}

async function delegatedIn(
  server: TestServer,
  folder: string,
  { text, ...more }: { text: string },
): Promise<Delegated> {
  task = text;
  const id = await server.startSession({
    cartellaLibera: folder,
    consegna: 'Delegate it',
    permessi: 'Workspace write',
    ...more,
  });
  await server.settled(id);
  const result = (await server.events(id)).find(({ type }) => type === 'ToolCallResult') as { content: string };
  const rows = (await server.call('GET', '/sessions')).data.items;
  return { id, child: rows.find(({ padreId }: any) => padreId === id)?.sessionId, result: result.content };
}

const worktrees = async ({ path }: TempRepo): Promise<any[]> =>
  (await server.call('GET', '/ext/worktrees', { query: { cartella: path } })).data.worktree;
const reportIn = (text: string) => JSON.parse(text.slice(text.indexOf('\n{') + 1));

describe('a sub-agent in a worktree', () => {
  test('changes nothing in the folder, and its changes are reviewed and applied by the user', async () => {
    await using repo = await tempRepo({ 'a.txt': 'one\n' });
    const { id, child, result } = await delegated(repo.path, 'Write it');
    expect(result).toContain('Its changes are in a worktree, not in your folder');
    const [made] = await worktrees(repo);
    expect(reportIn(result)).toMatchObject({
      childId: child,
      filesChanged: ['a.txt'],
      worktree: { branch: made.stato.ramo, diff: expect.stringContaining('-one\n+agent') },
    });
    expect([made.sessioni, await readFile(join(made.percorso, 'a.txt'), 'utf8')]).toEqual([[child], 'agent\n']);
    expect([await repo.git('status', '--porcelain'), await readFile(join(repo.path, 'a.txt'), 'utf8')]).toEqual([
      '',
      'one\n',
    ]);
    const { base } = (await server.call('GET', `/ext/sessions/${child}/branch-point`)).data;
    const query = { da: base.commit, percorso: 'a.txt' };
    const { impronta } = (await server.call('GET', `/ext/sessions/${child}/branch-point/diff`, { query })).data;
    const body = { sessionId: id, scelte: [{ sessionId: child, ...query, impronta }] };
    expect((await server.call('POST', '/ext/worktrees/picks', { body })).data).toMatchObject({ applicato: true });
    expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('agent\n');
  });

  test('leaves what /undo of its session would revert alone', async () => {
    await using repo = await tempRepo({ 'a.txt': 'one\n' });
    const { id } = await delegated(repo.path, 'Write it');
    const [{ percorso }] = await worktrees(repo);
    await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: '/undo files' } });
    await server.settled(id);
    expect([await readFile(join(percorso, 'a.txt'), 'utf8'), await repo.git('status', '--porcelain')]).toEqual([
      'agent\n',
      '',
    ]);
    const { sessioni } = (await server.call('GET', '/ext/board')).data;
    expect(sessioni.find(({ sessionId }: any) => sessionId === id)).toMatchObject({ file: 0 });
  });

  test('is left alone by /undo of its session also where the data folder is inside the folder', async () => {
    await using repo = await tempRepo({ 'a.txt': 'one\n', '.gitignore': 'data/\n' });
    await using inside = await testServer({ script, dataDir: join(repo.path, 'data') });
    const { id, child } = await delegatedIn(inside, repo.path, { text: 'Write it' });
    const query = { cartella: repo.path };
    const [{ percorso }] = (await inside.call('GET', '/ext/worktrees', { query })).data.worktree;
    expect(percorso.startsWith(`${repo.path}/data/`)).toBe(true);
    // As the user applies the change: from then on the folder has what the agent wrote.
    await writeFile(join(repo.path, 'a.txt'), 'agent\n');
    for (const messaggio of ['/diff sessione', '/undo', '/undo files']) {
      await inside.call('POST', `/sessions/${id}/resume`, { body: { messaggio } });
      await inside.settled(id);
    }
    const said = (await inside.events(id)).flatMap((event) =>
      event.type === 'TextMessageContent' ? [event.delta] : [],
    );
    expect(said.slice(-3)).toEqual(['Nessun file modificato.', 'Niente da annullare.', 'Niente da annullare.']);
    const written = [join(percorso, 'a.txt'), join(repo.path, 'a.txt')];
    expect(await Promise.all(written.map((path) => readFile(path, 'utf8')))).toEqual(['agent\n', 'agent\n']);
    await inside.call('POST', `/sessions/${child}/resume`, { body: { messaggio: '/undo' } });
    await inside.settled(child ?? '');
    expect(await Promise.all(written.map((path) => readFile(path, 'utf8')))).toEqual(['one\n', 'agent\n']);
  });

  test('leaves no worktree when it changed nothing, and none without changes after its session is deleted', async () => {
    await using repo = await tempRepo({ 'a.txt': 'one\n' });
    const { id, result } = await delegated(repo.path, 'Look at it');
    expect(result).toContain('It changed no files.');
    expect(reportIn(result).worktree).toBeUndefined();
    expect([await worktrees(repo), await repo.git('branch', '--list', 'fucina/*')]).toEqual([[], '']);

    const second = await delegated(repo.path, 'Write it');
    const [{ percorso }] = await worktrees(repo);
    await server.call('POST', `/sessions/${second.id}/delete`);
    expect(await worktrees(repo)).toMatchObject([{ sessioni: [], stato: { fileModificati: 1 } }]);
    expect(await readdir(percorso)).toContain('a.txt');
    await server.call('POST', `/sessions/${id}/delete`);
  });

  test('is released with its session once its work is committed elsewhere', async () => {
    await using repo = await tempRepo({ 'a.txt': 'one\n' });
    const { id } = await delegated(repo.path, 'Write it');
    const [made] = await worktrees(repo);
    const merged = await server.call('POST', `/ext/worktrees/${made.id}/merge`, { body: { messaggio: 'Agent' } });
    expect(merged.data.unito).toBe(true);
    await server.call('POST', `/sessions/${id}/delete`);
    await until(async () => ((await worktrees(repo)).length === 0 ? true : undefined));
    expect(await repo.git('log', '-1', '--format=%s')).toBe('Agent');
  });

  test('is refused with a reason outside a repository, before the first commit, and with Read only', async () => {
    await using plain = await tempDir();
    expect((await delegated(plain.path, 'Write it')).result).toContain('This folder is in no git repository');
    await using empty = await tempRepo({ 'a.txt': 'one\n' });
    await empty.git('update-ref', '-d', 'HEAD');
    expect((await delegated(empty.path, 'Write it')).result).toContain('This repository has no commit yet');
    await using repo = await tempRepo({ 'a.txt': 'one\n' });
    const { child, result } = await delegated(repo.path, 'Write it', { permessi: 'Read only' });
    expect([child, result]).toEqual([undefined, expect.stringContaining('With Read only nothing can be changed')]);
    expect(await worktrees(repo)).toEqual([]);
  });
});
