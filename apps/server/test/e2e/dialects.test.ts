import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { redirectOrigins, SAMPLE_BUG } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestServer, testServer } from '../harness.ts';

let server: TestServer;
const out = createOutboundHttp({ ambient: systemAmbient('silent') });
beforeAll(async () => {
  const origins: Record<string, string> = {};
  server = await testServer({ http: redirectOrigins(out, origins) });
  origins['https://generativelanguage.googleapis.com'] = server.model.url;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await out[Symbol.asyncDispose]();
});

/** Of the interface: no model reads them. */
const WIRE_WORDS =
  /\b(leggi|scrivi|elenca|cerca|prova|processi|naviga|delega_sottotask|percorso|righe|pagina|contenuto|vecchio|nuovo|tutte|altre|comando|descrizione|secondi|sfondo|azione|flusso|testo|nome|cartella|agente|isolamento|simbolo|riga|titolo)\b/;
const MAX_FIRST_REQUEST = 14_000;

const offered = (body: any): string[] => {
  const tools = body.tools.flatMap((tool: any) => tool.functionDeclarations ?? [tool.function ?? tool]);
  return tools.map(({ name }: any) => name);
};

test('a patch of a GPT model changes several files at once, as one turn that can be undone', async () => {
  const { path, before } = SAMPLE_BUG;
  const made = join(server.project.path, 'made.txt');
  const file = join(server.project.path, path);
  const text = await readFile(file, 'utf8');
  const line = text.split('\n').find((one) => one.includes(before));
  const patch = [
    '*** Begin Patch',
    '*** Add File: made.txt',
    '+made',
    `*** Update File: ${path}`,
    '@@',
    `-${line}`,
    '+// patched',
    '*** End Patch',
  ].join('\n');
  server.model.script(({ lastRole }) =>
    lastRole === 'tool'
      ? { text: 'Done.' }
      : { toolCalls: [{ name: 'apply_patch', arguments: { input: patch }, pieces: 5 }] },
  );
  const id = await server.startSession({ modello: 'ollama:gpt-oss', permessi: 'Workspace write' });
  await server.settled(id);
  const result = ((await server.events(id)) as any[]).find(({ type }) => type === 'ToolCallResult');
  expect(result.content).toContain('Wrote made.txt.');
  expect(result).not.toHaveProperty('fallito');
  expect(await readFile(made, 'utf8')).toBe('made\n');
  expect(await readFile(file, 'utf8')).toContain('// patched');
  const undone = await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: '/undo' } });
  expect(undone.ok).toBe(true);
  await server.settled(id);
  expect(existsSync(made)).toBe(false);
  expect(await readFile(file, 'utf8')).toBe(text);
});

describe.each([
  ['ollama:tiny', '', 'read', { path: SAMPLE_BUG.path }],
  ['openai:gpt-5.6', '/v1', 'read_file', { path: SAMPLE_BUG.path }],
  ['ollama:gpt-oss', '', 'read_file', { path: SAMPLE_BUG.path }],
  ['zai-anthropic:claude-opus-4-5', '/api/anthropic/v1', 'Read', { file_path: SAMPLE_BUG.path }],
  ['gemini:gemini-2.5-pro', '/v1beta', 'read', { path: SAMPLE_BUG.path }],
] as const)('%s', (modello, prefix, name, input) => {
  const provider = modello.split(':')[0] as string;

  test('is asked in its words, and the session has the names of the interface', async () => {
    if (provider !== 'ollama') {
      const endpoint = `${server.model.url}${prefix}`;
      await server.call('POST', `/providers/${provider}/runtime`, { body: { endpoint, timeoutSeconds: 30 } });
      const body = { key: 'sk-wire-0123456789', priorita: 0 };
      await server.call('POST', `/providers/${provider}/keys`, { body });
    }
    server.model.script(({ lastRole }) =>
      lastRole === 'tool' ? { text: 'It is there.' } : { toolCalls: [{ name, arguments: input, pieces: 4 }] },
    );
    const from = server.model.requests.length;
    const id = await server.startSession({ modello });
    expect(await server.settled(id)).toMatchObject({ motivoChiusura: 'fine-lavoro' });
    const [first, second] = server.model.requests.slice(from).map(({ body }) => body as any);
    expect(offered(first)).toContain(name);
    expect(WIRE_WORDS.exec(JSON.stringify(first))?.[0]).toBeUndefined();
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(MAX_FIRST_REQUEST);
    expect(JSON.stringify(second)).toContain(name);
    expect(JSON.stringify(second)).not.toMatch(/"leggi"/);

    const events = (await server.events(id)) as any[];
    const started = events.filter(({ type }) => type === 'ToolCallStart').map(({ toolCallName }) => toolCallName);
    const given = events.filter(({ type }) => type === 'ToolCallArgs').map(({ delta }) => delta);
    expect([started, JSON.parse(given.join(''))]).toEqual([['leggi'], { percorso: SAMPLE_BUG.path }]);
    const { content } = events.find(({ type }) => type === 'ToolCallResult');
    expect(content).toContain(SAMPLE_BUG.before);
    expect(content).not.toContain('Repaired');
  });
});
