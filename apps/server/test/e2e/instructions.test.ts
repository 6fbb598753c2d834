import { afterAll, beforeAll, expect } from '@jest/globals';
import { covers } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

covers('ext.sessions.instructions', 'lists what was read by precedence, and why files are left out', async () => {
  await server.project.write({
    'AGENTS.md': 'Build.',
    'CLAUDE.md': 'Other.',
    '.github/copilot-instructions.md': 'Build.',
    '.cursor/rules/web.mdc': '---\nglobs: *.tsx\n---\nHooks.',
  });
  server.model.script(() => ({ text: 'Done.' }));
  const id = await server.startSession({ consegna: 'Read' });
  await server.settled(id);
  const reply = await server.call('GET', `/ext/sessions/${id}/istruzioni`);
  expect([reply.status, reply.data.istruzioni]).toEqual([
    200,
    [
      { percorso: 'AGENTS.md', byte: 6, stato: 'inviato', motivo: null },
      { percorso: 'CLAUDE.md', byte: 6, stato: 'escluso', motivo: 'sostituito' },
      { percorso: '.github/copilot-instructions.md', byte: 6, stato: 'escluso', motivo: 'stesso-testo' },
      { percorso: '.cursor/rules/web.mdc', byte: 27, stato: 'elencato', motivo: null },
    ],
  ]);
  const sent = JSON.stringify(server.model.requests[0]?.body);
  expect(sent).toContain('Project instructions from AGENTS.md:');
  expect(sent).toContain('- .cursor/rules/web.mdc (files: *.tsx)');
  expect(sent).not.toContain('Hooks.');
});
