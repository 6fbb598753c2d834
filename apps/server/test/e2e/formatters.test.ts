import { chmod, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptedToolCall } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type Reply, type TestServer, testServer } from '../harness.ts';

const BIN = 'node_modules/.bin/prettier';
const TIDY = '#!/bin/sh\ntr -s " "\n';

let server: TestServer;
let cartella: string;
beforeAll(async () => {
  server = await testServer({ isApart: true });
  cartella = await realpath(server.project.path);
  await install(TIDY);
});
afterAll(async () => server[Symbol.asyncDispose]());

async function install(program: string): Promise<void> {
  await server.project.write({ [BIN]: program });
  await chmod(join(cartella, BIN), 0o755);
}
const list = async (query: object = { cartella }): Promise<Reply> =>
  server.call('GET', '/ext/formatters', { query: query as Record<string, string> });
const turn = (attivo: boolean, { id = 'prettier', place = { cartella } }: { id?: string; place?: object } = {}) =>
  server.call('POST', `/ext/formatters/${id}/choices`, { body: { ...place, attivo } });
const text = (path: string): Promise<string> => readFile(join(cartella, path), 'utf8');

/** A session whose model makes these calls; what they answered. */
async function edits(...calls: ScriptedToolCall[]) {
  let step = 0;
  server.model.script(() => {
    const call = calls[step++];
    return call ? { toolCalls: [call] } : { text: 'Done.' };
  });
  const id = await server.startSession({ permessi: 'Workspace write' });
  await server.settled(id);
  const events = await server.events(id);
  const results = events.flatMap((event) =>
    event.type === 'ToolCallResult' ? [String((event as { content?: unknown }).content)] : [],
  );
  return { id, results, events };
}
const write = (percorso: string, contenuto: string) => ({ name: 'scrivi', arguments: { percorso, contenuto } });
const read = (percorso: string) => ({ name: 'leggi', arguments: { percorso } });
const replace = (percorso: string, vecchio: string, nuovo: string) => ({
  name: 'file_edit',
  arguments: { percorso, vecchio, nuovo },
});

covers('ext.formatters.list', 'lists what is installed; nothing is on', async () => {
  const { formattatori } = (await list()).data;
  expect(formattatori.find(({ id }: { id: string }) => id === 'prettier')).toEqual({
    id: 'prettier',
    estensioni: expect.arrayContaining(['.ts']),
    comando: join(cartella, BIN),
    delProgetto: true,
    attivo: false,
    fidato: false,
  });
  const { results } = await edits(write('off.ts', 'a  =  1;\n'));
  expect([await text('off.ts'), results.join('\n')]).toEqual(['a  =  1;\n', expect.not.stringContaining('prettier')]);
});

covers(
  'ext.formatters.turn',
  'formats the files that the agent writes and edits, and tells it in one line',
  async () => {
    expect((await turn(true)).data.formattatore).toMatchObject({ attivo: true, fidato: true });
    const { results } = await edits(write('new.ts', 'a  =  1;\n'), replace('new.ts', 'a = 1;', 'b   =   2;'));
    expect(await text('new.ts')).toBe('b = 2;\n');
    for (const result of results) expect(result).toContain('prettier then formatted new.ts');
    expect((await edits(write('same.ts', 'a = 1;\n'))).results.join('\n')).not.toContain('prettier');
  },
);

describe('a formatted edit', () => {
  test('is one change: undo restores the text before it, and the diff is the formatted one', async () => {
    await server.project.write({ 'old.ts': 'first;\n' });
    const { id, events } = await edits(read('old.ts'), write('old.ts', 'x  =  1;\n'));
    expect(await text('old.ts')).toBe('x = 1;\n');
    expect(JSON.stringify(events)).toContain('x = 1;');
    await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: '/undo' } });
    await server.settled(id);
    expect(await text('old.ts')).toBe('first;\n');
  });

  test.each([
    ['fails', '#!/bin/sh\necho "unexpected token" >&2\nexit 2\n', 'unexpected token'],
    ['writes', '#!/bin/sh\necho x > hacked.txt; exit 3\n', 'prettier did not format'],
  ])('stays as it is when the formatter %s', async (name, program, reason) => {
    await install(program);
    await turn(true);
    const { results } = await edits(write(`${name}.ts`, 'a  =  1;\n'));
    expect(await text(`${name}.ts`)).toBe('a  =  1;\n');
    expect(results.join('\n')).toContain(`prettier did not format ${name}.ts`);
    expect(results.join('\n')).toContain(reason);
    await expect(text('hacked.txt')).rejects.toThrow('ENOENT');
    await install(TIDY);
    await turn(true);
  });

  test('is not made by another version than the trusted one', async () => {
    await turn(true);
    await install(`${TIDY}# other\n`);
    const { results } = await edits(write('other.ts', 'a  =  1;\n'));
    expect(await text('other.ts')).toBe('a  =  1;\n');
    expect(results.join('\n')).toContain('it changed since the user trusted it');
    await install(TIDY);
  });
});

describe('formatters', () => {
  refuses('ext.formatters.list', 'WORKSPACE_NOT_AVAILABLE', 'for a folder that is gone', async () => {
    expect((await list({ cartella: join(cartella, 'absent') })).code).toBe('WORKSPACE_NOT_AVAILABLE');
    expect((await list({})).code).toBe('QUERY_INVALID');
  });
  refuses('ext.formatters.turn', 'WORKSPACE_NOT_AVAILABLE', 'for a folder that is gone', async () => {
    const reply = await turn(true, { place: { cartella: join(cartella, 'absent') } });
    expect(reply.code).toBe('WORKSPACE_NOT_AVAILABLE');
    expect((await turn(true, { place: {} })).code).toBe('QUERY_INVALID');
    expect((await turn(true, { id: 'biome' })).code).toBe('NOT_FOUND');
  });
  refuses('ext.formatters.turn', 'ORIGIN_FORBIDDEN', 'from another origin', async () => {
    const headers = { Origin: 'http://evil.example' };
    const reply = await server.call('POST', '/ext/formatters/prettier/choices', {
      body: { cartella, attivo: true },
      headers,
    });
    expect(reply.code).toBe('ORIGIN_FORBIDDEN');
  });
});
