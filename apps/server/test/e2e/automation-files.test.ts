import { afterAll, beforeAll, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, testServer, until } from '../harness.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ isApart: true });
});
afterAll(async () => server[Symbol.asyncDispose]());

async function automation(): Promise<string> {
  const body = {
    nome: 'Docs',
    istruzioni: 'Check the docs.',
    cartella: server.project.path,
    modello: 'ollama:tiny',
    permessi: 'Workspace write',
    pianificazione: { tipo: 'manuale' },
  };
  return (await server.call('POST', '/automations', { body })).data.id;
}
const set = (id: string, schemi: unknown) => server.call('POST', `/ext/automations/${id}/files`, { body: { schemi } });
const runs = async (id: string): Promise<any[]> => (await server.call('GET', `/automations/${id}/runs`)).data.items;

covers('ext.automation-files.set', 'a changed file starts a run, whose own changes start none', async () => {
  let step = 0;
  server.model.script(() => {
    step += 1;
    if (step > 1) return { text: 'Updated the index.' };
    return { toolCalls: [{ name: 'scrivi', arguments: { percorso: 'docs/index.md', contenuto: '# Index\n' } }] };
  });
  const id = await automation();
  expect((await set(id, 'docs/**')).data.file).toEqual({ schemi: 'docs/**' });
  // The watch begins soon after: what changes before may be missed, and is changed again.
  for (let change = 1; (await runs(id)).length === 0; change += 1) {
    await server.project.write({ 'src/other.ts': 'x', '.git/docs/x': 'x', 'docs/new.md': `# New ${change}\n` });
    for (let look = 0; look < 100 && (await runs(id)).length === 0; look += 1) await pause(100);
  }
  const done = await until(async () => (await runs(id)).find(({ esito }) => esito === 'finita'));
  expect(done).toMatchObject({ riassunto: 'Updated the index.', manuale: true });
  const asked = JSON.stringify(server.model.requests.at(-1)?.body);
  expect(asked).toContain('docs/new.md');
  expect(asked).not.toContain('src/other.ts');
  await pause(4_000);
  expect(await runs(id)).toHaveLength(1);
  expect((await set(id, null)).data.file).toEqual({ schemi: null });
});

covers('ext.automation-files.read', 'shows the patterns, and answers NOT_FOUND for an unknown automation', async () => {
  const id = await automation();
  const read = (one: string) => server.call('GET', `/ext/automations/${one}/files`);
  expect((await read(id)).data.file).toEqual({ schemi: null });
  await set(id, '*.md');
  expect((await read(id)).data.file).toEqual({ schemi: '*.md' });
  expect((await read('nobody')).code).toBe('NOT_FOUND');
});

refuses('ext.automation-files.set', 'AUTOMATION_INVALID', 'for patterns that name no files', async () => {
  const id = await automation();
  for (const schemi of ['', '# nothing', '!a'])
    expect(await set(id, schemi)).toMatchObject({ code: 'AUTOMATION_INVALID', reason: 'watch-patterns' });
});
refuses('ext.automation-files.set', 'AUTOMATION_LEGACY', 'for an automation in the old form', async () => {
  const body = { taskId: 'carrello-sconti', intervalloMinuti: 60 };
  const { id } = (await server.call('POST', '/automations', { body })).data;
  expect((await set(id, '*.md')).code).toBe('AUTOMATION_LEGACY');
});
refuses('ext.automation-files.set', 'ORIGIN_FORBIDDEN', 'from another origin', async () => {
  const options = { body: { schemi: null }, headers: { origin: 'http://evil.example' } };
  expect((await server.call('POST', '/ext/automations/any/files', options)).code).toBe('ORIGIN_FORBIDDEN');
});
