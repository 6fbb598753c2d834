import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentScript, SAMPLE_BUG, scriptedAgent } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { type TestServer, testServer } from '../harness.ts';

async function start(server: TestServer, script: AgentScript, fields: Record<string, unknown> = {}): Promise<string> {
  const body = { agente: { ...scriptedAgent(script), settings: {} } };
  expect((await server.call('POST', '/providers/esterno/runtime', { body })).status).toBe(200);
  return server.startSession({ modello: 'esterno:agente', ...fields });
}

const textOf = (events: readonly any[]): string =>
  events.map(({ type, delta }) => (type === 'TextMessageContent' ? delta : '')).join('');

test('an external agent reads, writes and runs commands through the session’s tools and remembers the next turn', async () => {
  await using server = await testServer();
  const { path } = server.project;
  const file = join(path, SAMPLE_BUG.path);
  const fixed = (await readFile(file, 'utf8')).replace(SAMPLE_BUG.before, SAMPLE_BUG.after);
  const script: AgentScript = {
    turns: [
      [
        { think: 'Let me look.' },
        { write: { path: file, content: fixed } },
        { run: { command: 'echo', args: ['a b'] } },
      ],
      [{ echo: true }],
    ],
  };
  const id = await start(server, script);
  expect(await server.settled(id)).toMatchObject({ motivoChiusura: 'fine-lavoro', modello: 'esterno:agente' });
  expect(await readFile(file, 'utf8')).toBe(fixed);
  const events = (await server.events(id)) as any[];
  expect(events.filter(({ type }) => type === 'ToolCallStart').map(({ toolCallName }) => toolCallName)).toEqual([
    'scrivi',
    'shell',
  ]);
  expect(textOf(events)).toContain('writtenexit 0:');
  expect(events.find(({ type }) => type === 'StateDelta')?.delta[0].path).toBe(`/file/${SAMPLE_BUG.path}`);

  await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'And again?' } });
  await server.settled(id);
  expect(textOf((await server.events(id)) as any[]).endsWith('And again?')).toBe(true);
});

test('at "Read only" it changes nothing, and at "On request" it asks the user', async () => {
  await using server = await testServer();
  const steps: AgentScript['turns'][number] = [
    { write: { path: 'new.txt', content: 'x' } },
    { permission: { kind: 'execute', title: 'rm -r .', rawInput: { command: 'rm -r .' } } },
  ];
  const closed = await start(server, { turns: [steps] }, { permessi: 'Read only' });
  await server.settled(closed);
  const said = textOf((await server.events(closed)) as any[]);
  expect(said).toContain('write failed');
  expect(said).toContain('permission: reject_once');

  const asked = await start(server, { turns: [steps] }, { permessi: 'On request' });
  for (const [tipo, approva] of [
    ['scrivi', true],
    ['shell', false],
  ] as const) {
    const { requestId, azione } = await server.pending(asked);
    expect(azione.tipo).toBe(tipo);
    await server.call('POST', `/sessions/${asked}/approve`, { body: { requestId, approvato: approva } });
  }
  await server.settled(asked);
  expect(await readFile(join(server.project.path, 'new.txt'), 'utf8')).toBe('x');
  expect(textOf((await server.events(asked)) as any[])).toBe('writtenpermission: reject_once');
});

test('stopping a turn stops the agent, and a missing program is reported', async () => {
  await using server = await testServer();
  const id = await start(server, { turns: [[{ say: 'working' }, { wait: true }]] });
  while (!textOf((await server.events(id)) as any[])) await new Promise((resolve) => setImmediate(resolve));
  await server.call('POST', `/sessions/${id}/stop`);
  await server.settled(id);
  expect((await server.events(id)).at(-1)).toMatchObject({ type: 'RunError', code: 'fermato' });

  const body = { agente: { command: '/nonexistent/agent' } };
  await server.call('POST', '/providers/esterno/runtime', { body });
  const missing = await server.startSession({ modello: 'esterno:agente' });
  await server.settled(missing);
  expect((await server.events(missing)).at(-1)).toMatchObject({
    type: 'RunError',
    code: 'PROVIDER_RUNTIME_UNAVAILABLE',
    classe: 'da-configurare',
  });
});

test('testing the agent starts it and reports its version and sign-in state', async () => {
  await using server = await testServer();
  const headers = { 'accept-language': 'en' };
  const check = async (agent: object) => {
    expect((await server.call('POST', '/providers/esterno/runtime', { body: { agente: agent } })).status).toBe(200);
    return (await server.call('POST', '/providers/esterno/test', { headers })).data;
  };
  const missing = await server.call('POST', '/providers/esterno/test', { headers });
  expect(missing.data).toMatchObject({ esito: 'da-configurare', latenzaMs: null });
  expect(missing.data.dettaglio).toContain('enter the command');

  const about = { name: 'Scripted', version: '3.1.4' };
  const scripted = (script: Partial<AgentScript>) => ({
    ...scriptedAgent({ turns: [], about, ...script }),
    settings: {},
  });
  expect(await check(scripted({}))).toEqual({
    esito: 'raggiunto',
    modelli: null,
    latenzaMs: expect.any(Number),
    dettaglio: 'Scripted 3.1.4: The agent responds and is signed in.',
    agente: { nome: 'Scripted', versione: '3.1.4', accessoEffettuato: true },
  });
  expect(await check(scripted({ newSession: { error: -32_000 } }))).toMatchObject({
    esito: 'credenziale-rifiutata',
    agente: { accessoEffettuato: false },
  });
  expect(await check(scripted({ newSession: { error: -32_603 } }))).toMatchObject({
    esito: 'fallito',
    messaggioFornitore: 'scripted',
  });
  expect((await check(scripted({ initialize: { error: -32_603 } }))).dettaglio).toContain('does not start');
  expect((await check({ command: '/no/such/program', args: [], settings: {} })).esito).toBe('fallito');
});
