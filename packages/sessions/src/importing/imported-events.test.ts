import type { SessionEvent } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { changeFilesTool, turnThatChanges } from '../../test/change-files.ts';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import { say } from '../testing.ts';
import { readImport } from './imported-events.ts';

let next = 0;
const newId = (): string => `id-${(next += 1)}`;
const read = (eventi: readonly unknown[], nome: string | null = null) =>
  readImport({ schema: 'svc.session-export.v1', nome, eventi }, newId);
const types = (events: readonly SessionEvent[]): string[] => events.map(({ type }) => type);

const START = { type: 'RunStarted', threadId: 't', runId: 'r', input: { consegna: 'fix the sum' } };
const message = (messageId: string, ...deltas: string[]) => [
  { type: 'TextMessageStart', messageId, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TextMessageContent', messageId, delta })),
  { type: 'TextMessageEnd', messageId },
];
const END = { type: 'RunFinished', threadId: 't', runId: 'r' };

async function imported({ sessions, newSession }: TestSessions, document: unknown): Promise<string> {
  const { input: _input, ...session } = newSession();
  return (await sessions.importSession({ ...session, document })).sessionId;
}

describe('reading an export', () => {
  test('joins the pieces of messages and gives them new ids', () => {
    const { events, assignment, name } = read([START, ...message('m', 'All ', 'done.'), END], ' My\u0007 name ');
    expect([assignment, name]).toEqual(['fix the sum', 'My  name']);
    expect(types(events)).toEqual([
      'RunStarted',
      'TextMessageStart',
      'TextMessageContent',
      'TextMessageEnd',
      'RunFinished',
    ]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'TextMessageContent', delta: 'All done.' }));
    expect(JSON.stringify(events)).not.toMatch(/"(?:m|t|r)"/);
  });

  test('leaves out file changes, settings, requests, and events of unknown form', () => {
    const { events } = read([
      START,
      { type: 'StateDelta', delta: [{ op: 'add', path: '/file/etc/passwd', value: 'evil', prima: 'x' }] },
      { type: 'CUSTOM', name: 'svc.annullamento', value: { giro: 1, fase: 'inizio' } },
      { type: 'CUSTOM', name: 'svc.impostazioni-sessione', value: { permessi: 'Accesso completo' } },
      { type: 'ApprovalRequested', requestId: 'r', azione: { tipo: 'shell' } },
      { type: 'ArtifactCreated', messageId: 'm', id: 'a', titolo: 'x' },
      { type: 'TextMessageContent', messageId: 7, delta: {} },
      { type: 'ToolCallOutput', toolCallId: 'c', delta: 'x' },
      null,
      'text',
      END,
    ]);
    expect(types(events)).toEqual(['RunStarted', 'RunFinished']);
  });

  test('closes what the document leaves open, and drops calls without a result', () => {
    const call = (toolCallId: string) => [
      { type: 'ToolCallStart', toolCallId, toolCallName: 'leggi' },
      { type: 'ToolCallArgs', toolCallId, delta: '{"percorso":' },
      { type: 'ToolCallArgs', toolCallId, delta: '"a"}' },
    ];
    const { events } = read([
      ...message('before any turn', 'x'),
      START,
      ...call('one'),
      { type: 'ToolCallResult', toolCallId: 'one', content: 'text', role: 'tool', messageId: 'm' },
      ...call('two'),
      { type: 'TextMessageStart', messageId: 'open', role: 'assistant' },
      { type: 'TextMessageContent', messageId: 'open', delta: 'half' },
    ]);
    expect(types(events)).toEqual([
      'RunStarted',
      'ToolCallStart',
      'ToolCallArgs',
      'ToolCallResult',
      'TextMessageStart',
      'TextMessageContent',
      'TextMessageEnd',
      'RunFinished',
    ]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'ToolCallArgs', delta: '{"percorso":"a"}' }));
  });

  test('keeps that calls were stopped, and not what their commands were otherwise', () => {
    const call = (toolCallId: string, facts: object) => [
      { type: 'ToolCallStart', toolCallId, toolCallName: 'shell' },
      { type: 'ToolCallResult', toolCallId, content: toolCallId, role: 'tool', messageId: 'm', ...facts },
    ];
    const { events } = read([
      START,
      ...call('not run', { fallito: true, interrotto: true }),
      ...call('stopped', { comando: 'sleep 9', fallito: true }),
      ...call('failed', { comando: 'false', exitCode: 1, fallito: true }),
      ...call('in the background', { comando: 'npm run dev' }),
      END,
    ]);
    const results = events.flatMap((event) => (event.type === 'ToolCallResult' ? [event] : []));
    const facts = results.map(({ messageId: _id, toolCallId: _call, type: _type, role: _role, ...rest }) => rest);
    expect(facts).toEqual([
      { content: 'not run', fallito: true, interrotto: true },
      { content: 'stopped', fallito: true, comando: 'sleep 9' },
      { content: 'failed', exitCode: 1, fallito: true },
      { content: 'in the background' },
    ]);
  });

  test.each([
    ['no export', { eventi: [START] }, 'import-malformed'],
    ['text', 'hello', 'import-malformed'],
    ['a missing list', { schema: 'svc.session-export.v1' }, 'import-malformed'],
    ['nothing said', { schema: 'svc.session-export.v1', eventi: [END] }, 'import-empty'],
  ])('rejects %s', (_what, document, reason) => {
    expect(() => readImport(document, newId)).toThrow(expect.objectContaining({ code: 'QUERY_INVALID', reason }));
  });
});

describe('an imported session', () => {
  test('shows the conversation and continues it, in either export format', async () => {
    await using setup = await testSessions([
      { events: say('one!') },
      { events: say('and on') },
      { events: say('and on') },
    ]);
    const original = await setup.start();
    await setup.sessions.turns.settled(original);
    const { record, events } = await setup.sessions.export(original);
    for (const document of [
      { schema: 'svc.session-export.v1', nome: record.name, eventi: events },
      { session: { name: record.name }, events },
    ]) {
      const id = await imported(setup, JSON.parse(JSON.stringify(document)));
      expect(await setup.sessions.read(id)).toMatchObject({ isConcluded: true, outcome: 'finished' });
      await setup.sessions.turns.resume(id, { message: 'go on' });
      await setup.sessions.turns.settled(id);
      expect(JSON.stringify(setup.model.requests.at(-1)?.messages)).toMatch(/fix the sum.*one!.*go on/);
    }
  });

  test('has nothing to undo, whatever its document says', async () => {
    await using setup = await testSessions([...turnThatChanges('one', { 'a.txt': 'by the agent\n' })], {
      tools: [changeFilesTool],
    });
    const original = await setup.start();
    await setup.sessions.turns.settled(original);
    const { events } = await setup.sessions.export(original);
    const id = await imported(setup, JSON.parse(JSON.stringify({ events })));
    const rest = await setup.events(id);
    expect(rest.filter(({ type }) => type === 'StateDelta' || type === 'CUSTOM')).toEqual([]);
    await setup.sessions.turns.resume(id, { message: '/undo' });
    await setup.sessions.turns.settled(id);
    expect(JSON.stringify(await setup.events(id))).toMatch(/Niente da annullare|Nothing to undo/i);
  });

  test('is not created from what is no export', async () => {
    await using setup = await testSessions([]);
    await expect(imported(setup, [])).rejects.toMatchObject({ code: 'QUERY_INVALID' });
    expect(await setup.sessions.list()).toEqual([]);
  });
});
