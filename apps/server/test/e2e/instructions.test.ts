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
    '.claude/agents/reviewer.md': '---\ndescription: Reviews changes\ntools: Read, Telepathy\n---\nRead the diff.',
    '.claude/agents/broken.md': '---\nname: broken\n---\nNo description.',
  });
  server.model.script(() => ({ text: 'Done.' }));
  const id = await server.startSession({ consegna: 'Read' });
  await server.settled(id);
  const reply = await server.call('GET', `/ext/sessions/${id}/instructions`);
  expect([reply.status, reply.data.istruzioni]).toEqual([
    200,
    [
      { percorso: 'AGENTS.md', byte: 6, stato: 'inviato', motivo: null, ignorati: [] },
      { percorso: 'CLAUDE.md', byte: 6, stato: 'escluso', motivo: 'sostituito', ignorati: [] },
      { percorso: '.github/copilot-instructions.md', byte: 6, stato: 'escluso', motivo: 'stesso-testo', ignorati: [] },
      { percorso: '.cursor/rules/web.mdc', byte: 27, stato: 'elencato', motivo: null, ignorati: [] },
      { percorso: '.claude/agents/reviewer.md', byte: 74, stato: 'offerto', motivo: null, ignorati: ['Telepathy'] },
      {
        percorso: '.claude/agents/broken.md',
        byte: 36,
        stato: 'escluso',
        motivo: 'senza-descrizione',
        ignorati: [],
        line: 1,
        column: 1,
      },
    ],
  ]);
  const sent = JSON.stringify(server.model.requests[0]?.body);
  expect(sent).toContain('Project instructions from AGENTS.md:');
  expect(sent).toContain('- .cursor/rules/web.mdc (files: *.tsx)');
  expect(sent).toContain('- reviewer: Reviews changes');
  expect(sent).not.toContain('Hooks.');
  expect(sent).not.toContain('Read the diff.');
});
