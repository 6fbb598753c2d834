import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestServer, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const report = {
  blocks: [
    { type: 'h', text: 'Sintesi' },
    { type: 'table', header: ['Area', 'Valore'], rows: [['Nord', 10]] },
  ],
};
const create = { name: 'document_create', arguments: { format: 'docx', title: 'Bilancio', report } };

function script(...calls: { name: string; arguments: Record<string, unknown> }[]): void {
  let step = 0;
  server.model.script(() => {
    const call = calls[step++];
    return call ? { toolCalls: [call] } : { text: 'Done.' };
  });
}

test('creates a document in the session folder, attaches it, and reads it back', async () => {
  script(create, { name: 'leggi', arguments: { percorso: 'Bilancio.docx' } });
  const id = await server.startSession({ permessi: 'Workspace write' });
  await server.settled(id);
  const events = await server.events(id);
  const delta = events
    .flatMap((event) => (event.type === 'StateDelta' ? event.delta : []))
    .find(({ path }) => path.startsWith('/file/'));
  const bytes = await readFile(join(server.project.path, 'Bilancio.docx'));
  expect(delta).toMatchObject({
    op: 'add',
    path: '/file/Bilancio.docx',
    allegato: { nome: 'Bilancio.docx', formato: 'docx', byte: bytes.length },
  });
  const results = events.flatMap((event) => (event.type === 'ToolCallResult' ? [event.content] : []));
  expect(results[0]).toMatch(/^Created Bilancio\.docx \(Word document/);
  expect(results[1]).toMatch(/Sintesi[^]*\| Nord \| 10 \|/);
});

test('the card shows the full content, and a denial writes nothing', async () => {
  script(create);
  const id = await server.startSession({ permessi: 'On request' });
  const { requestId, azione } = await server.pending(id);
  expect(azione).toMatchObject({
    tipo: 'document_create',
    percorso: 'Bilancio.docx',
    formato: 'docx',
    titolo: 'Bilancio',
    rapporto: report,
  });
  await server.call('POST', `/sessions/${id}/approve`, { body: { requestId, approvato: false } });
  await server.settled(id);
  expect(
    (await server.call('GET', `/sessions/${id}/tree`)).data.voci.map(({ nome }: { nome: string }) => nome),
  ).not.toContain('Bilancio (2).docx');
});
