import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { EVERYTHING } from '../everything-server.ts';
import { type TestServer, testServer, until } from '../harness.ts';

const definizione = { comando: 'node', argomenti: [EVERYTHING], ambiente: {}, intestazioni: {} };

let server: TestServer;
let cartella: string;
let sessionId: string;
beforeEach(async () => {
  server = await testServer();
  cartella = await realpath(server.project.path);
  server.model.script(() => ({ text: 'Ready.' }));
  sessionId = await server.startSession();
  await server.settled(sessionId);
});
afterEach(async () => server[Symbol.asyncDispose]());

const add = (nome: string, more: object = {}) =>
  server.call('POST', '/ext/mcp', { body: { nome, ambito: 'progetto', cartella, definizione, ...more } });
const answer = (body: object, nome = 'all') => server.call('POST', `/ext/mcp/${nome}/calls`, { body });
const callsOf = async (nome = 'all') => {
  const { data } = await server.call('GET', '/ext/mcp', { query: { cartella } });
  return data.server.find((row: { nome: string }) => row.nome === nome)?.calls;
};

interface Card {
  requestId: string;
  azione: { tipo: string; chiede?: string };
}

const cards = async (): Promise<Card[]> =>
  ((await server.events(sessionId)) as (Card & { type: string })[]).filter(({ type }) => type === 'ApprovalRequested');
const results = async (): Promise<string[]> =>
  ((await server.events(sessionId)) as { type: string; content?: string }[]).flatMap(({ type, content }) =>
    type === 'ToolCallResult' ? [String(content)] : [],
  );

/** A turn in which the model calls this tool once. */
async function startCall(tool: string, args: Record<string, unknown>): Promise<void> {
  server.model.script(({ lastRole }) =>
    lastRole === 'tool' ? { text: 'Done.' } : { toolCalls: [{ name: `mcp__all__${tool}`, arguments: args }] },
  );
  await server.call('POST', `/sessions/${sessionId}/resume`, { body: { messaggio: 'Go on.' } });
}

/** The same, with this answer to its card; without a card when it may run. */
async function callTool(tool: string, args: Record<string, unknown>, reply?: object): Promise<string> {
  const before = (await cards()).length;
  await startCall(tool, args);
  if (reply) {
    const { requestId } = await until(async () => (await cards())[before]);
    await answer({ sessionId, ...reply });
    await server.call('POST', `/sessions/${sessionId}/approve`, { body: { requestId, approvato: true } });
  }
  await server.settled(sessionId);
  expect((await cards()).length).toBe(before + (reply ? 1 : 0));
  return (await results()).at(-1) ?? '';
}

/** Neither is marked as reading only: both ask. */
const LOGGING = 'toggle-simulated-logging';
const UPDATES = 'toggle-subscriber-updates';
const RAN = /started|stopped/i;

covers('ext.mcp.calls', 'answers about a server from the card of its first call, once', async () => {
  await add('all');
  expect(await callsOf()).toBeNull();
  // Marked as reading only, in a closed world: it never asks.
  expect(await callTool('echo', { message: 'heard' })).toContain('heard');
  expect(await callTool(LOGGING, {}, { answer: 'allow' })).toMatch(RAN);
  expect((await cards()).at(-1)?.azione).toMatchObject({ server: 'all', attrezzo: LOGGING, chiede: 'server' });
  expect(await callsOf()).toEqual({ answer: 'allow', allowedTools: [] });
  expect(await callTool(LOGGING, {})).toMatch(RAN);
  expect(await callTool(UPDATES, {})).toMatch(RAN);
});

test('each tool of an MCP server asks until it is allowed, and then runs without a card', async () => {
  await add('all', { calls: 'by-tool' });
  expect(await callTool(LOGGING, {}, { allowTool: LOGGING })).toMatch(RAN);
  expect((await cards()).at(-1)?.azione).toMatchObject({ chiede: 'attrezzo' });
  expect(await callTool(LOGGING, {})).toMatch(RAN);
  expect(await callTool(UPDATES, {}, { allowTool: UPDATES })).toMatch(RAN);
  expect(await callsOf()).toEqual({ answer: 'by-tool', allowedTools: [LOGGING, UPDATES] });
});

test('every call of an MCP server asks after that answer, and a denied one does not run', async () => {
  await add('all', { calls: 'ask' });
  for (const isApproved of [true, false]) {
    const before = (await cards()).length;
    await startCall(LOGGING, {});
    const card = await until(async () => (await cards())[before]);
    expect(card.azione.chiede).toBeUndefined();
    const body = { requestId: card.requestId, approvato: isApproved };
    await server.call('POST', `/sessions/${sessionId}/approve`, { body });
    await server.settled(sessionId);
    expect(RAN.test((await results()).at(-1) ?? '')).toBe(isApproved);
  }
});

test('a plain approval of the first call allows that call only, and the next one asks again', async () => {
  await add('all');
  for (const at of [0, 1]) {
    await startCall(LOGGING, {});
    const card = await until(async () => (await cards())[at]);
    expect(card.azione.chiede).toBe('server');
    const body = { requestId: card.requestId, approvato: true };
    await server.call('POST', `/sessions/${sessionId}/approve`, { body });
    await server.settled(sessionId);
    expect((await results()).at(-1)).toMatch(RAN);
  }
  expect(await callsOf()).toBeNull();
});

test('an answer is given with the trust in a server, and a changed server asks for both again', async () => {
  const declare = (...args: string[]) =>
    writeFile(join(cartella, '.svc/mcp.json'), JSON.stringify({ mcpServers: { all: { command: 'node', args } } }));
  const trust = async (more: object = {}) =>
    (await server.call('POST', '/ext/mcp/all/trust', { body: { ambito: 'file', cartella, ...more } })).data.server;
  await mkdir(join(cartella, '.svc'), { recursive: true });
  await declare(EVERYTHING);
  expect((await trust({ calls: 'allow' })).calls).toEqual({ answer: 'allow', allowedTools: [] });
  expect(await callTool(LOGGING, {})).toMatch(RAN);
  await declare(EVERYTHING, 'stdio');
  expect((await trust()).calls).toBeNull();
  expect(await callTool(LOGGING, {}, { answer: 'by-tool' })).toMatch(RAN);
});

test('answers about a server by the place where it is configured, and about no other', async () => {
  await add('all');
  await add('all2');
  expect((await answer({ folder: cartella, scope: 'project', answer: 'ask' })).data).toEqual({ ok: true });
  expect([await callsOf('all'), await callsOf('all2')]).toEqual([{ answer: 'ask', allowedTools: [] }, null]);
  expect((await answer({ folder: cartella, scope: 'everywhere', answer: 'ask' })).code).toBe('NOT_FOUND');
  expect((await answer({ sessionId, answer: 'ask' }, 'al')).code).toBe('NOT_FOUND');
  for (const body of [
    { answer: 'ask' },
    { sessionId },
    { sessionId, answer: 'always' },
    { sessionId, answer: 'ask', allowTool: 'echo' },
    { sessionId, allowTool: '' },
  ]) {
    expect((await answer(body)).code).toBe('QUERY_INVALID');
  }
});

refuses('ext.mcp.calls', 'MCP_INVALID', 'for a server that is not trusted as it is now', async () => {
  await mkdir(join(cartella, '.svc'), { recursive: true });
  await writeFile(join(cartella, '.svc/mcp.json'), JSON.stringify({ mcpServers: { mine: { command: 'node' } } }));
  const reply = await answer({ folder: cartella, scope: 'file', answer: 'allow' }, 'mine');
  expect([reply.status, reply.code, reply.reason]).toEqual([422, 'MCP_INVALID', 'changed']);
});

refuses('ext.mcp.calls', 'WORKSPACE_NOT_AVAILABLE', 'for a folder that is not there', async () => {
  const reply = await answer({ folder: `${cartella}/absent`, scope: 'project', answer: 'allow' });
  expect(reply.code).toBe('WORKSPACE_NOT_AVAILABLE');
});

refuses('ext.mcp.calls', 'ORIGIN_FORBIDDEN', 'from a page of another origin', async () => {
  await add('all');
  const headers = { Origin: 'http://evil.example' };
  const body = { sessionId, answer: 'allow' };
  expect((await server.call('POST', '/ext/mcp/all/calls', { body, headers })).code).toBe('ORIGIN_FORBIDDEN');
  expect(await callsOf()).toBeNull();
});
