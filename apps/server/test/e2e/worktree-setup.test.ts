import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempRepo, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type Reply, type TestServer, testServer, until } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ isApart: true });
});
afterAll(async () => server[Symbol.asyncDispose]());

const repositories: TempRepo[] = [];
afterAll(async () => {
  for (const repo of repositories) await repo[Symbol.asyncDispose]();
});

async function repositoryWith(script: string): Promise<TempRepo> {
  const repo = await tempRepo({ 'a.txt': 'a\n', '.gitignore': '.env\n' });
  repositories.push(repo);
  await repo.write({ '.svc/worktree': script });
  await chmod(join(repo.path, '.svc/worktree'), 0o755);
  await repo.git('add', '-A');
  await repo.git('commit', '-qm', 'Set-up');
  return repo;
}

const bases = async (repo: TempRepo): Promise<any> =>
  (await server.call('GET', '/ext/worktrees/bases', { query: { cartella: repo.path } })).data;
const make = async (repo: TempRepo, body: object = {}): Promise<any> =>
  (await server.call('POST', '/ext/worktrees', { body: { cartella: repo.path, ...body } })).data.worktree;
const setup = (method: 'GET' | 'POST' | 'DELETE', id: string, body?: object): Promise<Reply> =>
  server.call(method, `/ext/worktrees/${id}/setup`, body && { body });
const over = (id: string): Promise<any> =>
  until(async () => {
    const { esecuzione } = (await setup('GET', id)).data;
    return esecuzione.stato === 'in-corso' ? undefined : esecuzione;
  });
/** Trusts the script, runs it, and returns how it ended. */
async function run(id: string): Promise<any> {
  const { impronta } = (await setup('GET', id)).data.script;
  expect((await setup('POST', id, { impronta })).status).toBe(202);
  return over(id);
}

covers('ext.worktrees.setup.start', 'runs the script in the worktree, with its ports and in the sandbox', async () => {
  const repo = await repositoryWith('#!/bin/sh\necho "ports $FUCINA_PORT_BASE"\necho done > made.txt\n');
  const one = await make(repo);
  const end = await run(one.id);
  expect(end).toEqual({
    stato: 'riuscita',
    uscita: `ports ${one.porte}\n`,
    tagliata: false,
    codice: 0,
    sandbox: expect.stringMatching(/^(bubblewrap|seatbelt|none)$/),
  });
  expect(await readFile(join(one.percorso, 'made.txt'), 'utf8')).toBe('done\n');
  expect(await readdir(repo.path)).not.toContain('made.txt');
});

covers('ext.worktrees.setup.read', 'shows the script, and its output while it runs', async () => {
  const script = '#!/bin/sh\necho first\nsleep 600\n';
  const repo = await repositoryWith(script);
  const one = await make(repo);
  const before = (await setup('GET', one.id)).data;
  expect(before).toEqual({
    script: {
      percorso: '.svc/worktree',
      testo: script,
      impronta: expect.stringMatching(/^[0-9a-f]{64}$/),
      fidato: false,
    },
    esecuzione: null,
  });
  await setup('POST', one.id, { impronta: before.script.impronta });
  const seen = await until(async () => {
    const { data } = await setup('GET', one.id);
    return data.esecuzione.uscita === '' ? undefined : data;
  });
  expect(seen).toMatchObject({
    script: { fidato: true },
    esecuzione: { stato: 'in-corso', uscita: 'first\n', codice: null },
  });
  await setup('DELETE', one.id);
});

covers('ext.worktrees.setup.stop', 'ends the script, which can run again', async () => {
  const one = await make(await repositoryWith('#!/bin/sh\ntest -e flag && exit 0\ntouch flag\nsleep 600\n'));
  const { impronta } = (await setup('GET', one.id)).data.script;
  await setup('POST', one.id, { impronta });
  await until(async () => ((await readdir(one.percorso)).includes('flag') ? true : undefined));
  expect((await setup('DELETE', one.id)).data).toEqual({ ok: true });
  expect((await setup('GET', one.id)).data.esecuzione).toMatchObject({ stato: 'fermata', codice: null });
  expect((await run(one.id)).stato).toBe('riuscita');
});

describe('trust', () => {
  test('is needed before the first run, and for every other version of the script', async () => {
    const repo = await repositoryWith('#!/bin/sh\ntouch ran\n');
    const one = await make(repo);
    for (const body of [{}, { impronta: '0'.repeat(64) }]) {
      const refused = await setup('POST', one.id, body);
      expect([refused.code, refused.reason]).toEqual(['QUERY_INVALID', 'setup-not-trusted']);
    }
    expect(await readdir(one.percorso)).not.toContain('ran');
    expect((await bases(repo)).preparazione.fidato).toBe(false);
    expect((await run(one.id)).stato).toBe('riuscita');
    expect((await bases(repo)).preparazione.fidato).toBe(true);
    const two = await make(repo);
    expect((await setup('POST', two.id, {})).status).toBe(202);
    expect((await over(two.id)).stato).toBe('riuscita');
    await writeFile(join(two.percorso, '.svc/worktree'), '#!/bin/sh\ntouch other\n');
    expect((await setup('POST', two.id, {})).reason).toBe('setup-not-trusted');
  });
});

describe('a set-up', () => {
  test('that fails says how, with its last lines, and a session can start all the same', async () => {
    const one = await make(await repositoryWith('#!/bin/sh\nyes filler | head -c 40000\necho cause >&2\nexit 7\n'));
    const end = await run(one.id);
    expect(end).toMatchObject({ stato: 'fallita', codice: 7, tagliata: true });
    expect(end.uscita.length).toBeLessThanOrEqual(32_000);
    expect(end.uscita).toMatch(/cause\n$/);
    const id = await server.startSession({ cartellaLibera: one.cartella });
    await server.settled(id);
  });

  test('that is no program fails with the message of the shell', async () => {
    const repo = await repositoryWith('#!/bin/sh\n');
    await chmod(join(repo.path, '.svc/worktree'), 0o644);
    await repo.git('commit', '-qam', 'No program');
    const end = await run((await make(repo)).id);
    expect([end.stato, end.codice]).toEqual(['fallita', 126]);
    expect(end.uscita).toContain('ermission denied');
  });

  test('ends when its worktree is removed', async () => {
    const one = await make(await repositoryWith('#!/bin/sh\necho on\nsleep 600\n'));
    const { impronta } = (await setup('GET', one.id)).data.script;
    await setup('POST', one.id, { impronta });
    expect((await server.call('DELETE', `/ext/worktrees/${one.id}`)).status).toBe(200);
    expect((await setup('GET', one.id)).code).toBe('NOT_FOUND');
  });

  refuses(
    'ext.worktrees.setup.start',
    'ORIGIN_FORBIDDEN',
    'from a page of another origin, and trusts nothing',
    async () => {
      const one = await make(await repositoryWith('#!/bin/sh\ntouch made\n'));
      const { impronta } = (await setup('GET', one.id)).data.script;
      const headers = { Origin: 'http://evil.example' };
      const reply = await server.call('POST', `/ext/worktrees/${one.id}/setup`, { body: { impronta }, headers });
      expect(reply.code).toBe('ORIGIN_FORBIDDEN');
      expect((await setup('GET', one.id)).data).toMatchObject({ script: { fidato: false }, esecuzione: null });
    },
  );

  test('is NOT_FOUND for an unknown worktree, and without a script', async () => {
    for (const method of ['GET', 'POST', 'DELETE'] as const)
      expect((await setup(method, 'nobody', method === 'POST' ? {} : undefined)).code).toBe('NOT_FOUND');
    const repo = await tempRepo({ 'a.txt': 'a\n' });
    repositories.push(repo);
    const one = await make(repo);
    expect((await setup('GET', one.id)).data).toEqual({ script: null, esecuzione: null });
    // Longer than what the user would be shown.
    const long = await make(await repositoryWith(`#!/bin/sh\n${'# filler\n'.repeat(40_000)}touch stolen\n`));
    expect((await setup('GET', long.id)).data.script).toBeNull();
    expect((await setup('POST', one.id, {})).code).toBe('NOT_FOUND');
  });
});

test('a worktree gets the ignored files that were chosen, and no other', async () => {
  const repo = await repositoryWith('#!/bin/sh\n');
  await repo.write({ '.env': 'KEY=1\n' });
  expect((await bases(repo)).fileLocali).toEqual(['.env']);
  const [plain, copied] = [await make(repo), await make(repo, { fileLocali: ['.env'] })];
  expect(await readFile(join(copied.percorso, '.env'), 'utf8')).toBe('KEY=1\n');
  expect(await readdir(plain.percorso)).not.toContain('.env');
  expect(copied.stato.fileModificati).toBe(0);
});
