import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { fixture, program, toolNamed } from '../../test/mcp-fixture.ts';
import { fingerprintOf } from '../trust/fingerprint.ts';
import { createTrustStore } from '../trust/trust-store.ts';
import type { ServerDefinition } from './known-server.ts';
import type { ServerChange } from './servers.ts';

type Place = Awaited<ReturnType<typeof fixture>>;

const EVERYTHING: ServerDefinition = {
  command: process.execPath,
  args: [program('server-everything'), 'stdio'],
  environment: {},
  headers: {},
};

function change(place: Place, more: Partial<ServerChange> = {}): ServerChange {
  return { scope: 'project', folder: place.folder, id: 'all', definition: EVERYTHING, secrets: {}, ...more };
}

const everywhere = { scope: 'everywhere', folder: null } as const;
const mine = (place: Place, id = 'all') => ({ scope: 'project', folder: place.folder, id }) as const;
const rowsIn = async (place: Place) => (await place.mcp.servers.list(place.folder)).rows;

/** Every file of the data folder, as one text. */
async function storedText(dataDir: string): Promise<string> {
  const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

describe('servers that the user added', () => {
  test('run for sessions with all their tools, except those that are turned off', async () => {
    await using place = await fixture();
    await place.mcp.servers.add(change(place));
    expect(await rowsIn(place)).toMatchObject([
      { id: 'all', scope: 'project', state: 'idle', isOn: true, tools: null },
    ]);
    const names = (await place.tools()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['mcp__all__echo', 'mcp__all__get-sum']));
    expect(await rowsIn(place)).toMatchObject([
      { state: 'connected', tools: expect.arrayContaining([expect.objectContaining({ name: 'echo' })]) },
    ]);
    await place.mcp.servers.choose(mine(place), { offTools: ['echo'] });
    expect((await place.tools()).map(({ name }) => name)).not.toContain('mcp__all__echo');
    await place.mcp.servers.choose(mine(place), { isOn: false });
    expect(await place.tools()).toEqual([]);
    expect(await rowsIn(place)).toMatchObject([{ state: 'off', offTools: ['echo'] }]);
  });

  test('keep secrets in the key store and never in a file, a row or the log', async () => {
    await using place = await fixture();
    const definition = {
      ...EVERYTHING,
      args: [...EVERYTHING.args, '--api-key=argument-canary', 'ordinary'],
      environment: { SERVICE_TOKEN: 'ghp_environmentcanary', MODE: 'fast', CHOSEN: '${secret:PIN}' },
    };
    await place.mcp.servers.add(change(place, { definition, secrets: { PIN: 'pin-canary' } }));
    expect(await storedText(place.dataDir)).not.toContain('canary');
    const [row] = await rowsIn(place);
    expect(row).toMatchObject({
      definition: {
        args: [...EVERYTHING.args, '--api-key=${secret:api_key}', 'ordinary'],
        environment: { SERVICE_TOKEN: '${secret:SERVICE_TOKEN}', MODE: 'fast', CHOSEN: '${secret:PIN}' },
      },
      secrets: [
        { name: 'api_key', isStored: true },
        { name: 'SERVICE_TOKEN', isStored: true },
        { name: 'PIN', isStored: true },
      ],
    });
    const { content } = await place.call(toolNamed(await place.tools(), 'mcp__all__get-env'));
    for (const value of ['ghp_environmentcanary', 'pin-canary']) expect(content).toContain(value);
    await place.mcp.servers.connect(mine(place), place.folder);
    expect(JSON.stringify(await place.mcp.servers.log(mine(place)))).not.toContain('canary');
    expect([...place.keyStore.keys()]).toHaveLength(1);
    await place.mcp.servers.remove(mine(place));
    expect([...place.keyStore.keys()]).toEqual([]);
    expect(await rowsIn(place)).toEqual([]);
  });

  test('keep a stored secret on a change, and ask for it again when the address changes', async () => {
    await using place = await fixture();
    const at = (url: string, headers = { Authorization: 'Bearer ${secret:TOKEN}' }) => ({
      ...change(place),
      definition: { url, args: [], environment: {}, headers },
      secrets: {},
    });
    await place.mcp.servers.add({ ...at('https://one.example/mcp'), secrets: { TOKEN: 'first' } });
    await place.mcp.servers.change(at('https://one.example/other'));
    expect([...place.keyStore.values()]).toEqual(['{"TOKEN":"first"}']);
    await expect(place.mcp.servers.change(at('https://two.example/mcp'))).rejects.toMatchObject({
      code: 'MCP_INVALID',
      reason: 'secret-for-other-address',
    });
    expect(await rowsIn(place)).toMatchObject([{ definition: { url: 'https://one.example/other' } }]);
    await place.mcp.servers.change({ ...at('https://two.example/mcp'), secrets: { TOKEN: 'second' } });
    expect([...place.keyStore.values()]).toEqual(['{"TOKEN":"second"}']);
  });

  test('need a review when a file of the project that they run changes', async () => {
    await using place = await fixture();
    const file = join(place.folder, 'server.mjs');
    await writeFile(file, 'process.stderr.write("first words\\n"); process.exit(3)');
    await place.mcp.servers.add(change(place, { definition: { ...EVERYTHING, args: ['server.mjs'] } }));
    await place.mcp.servers.connect(mine(place), place.folder);
    expect(await rowsIn(place)).toMatchObject([
      { state: 'failed', failure: { reason: 'ended', detail: 'exit code 3: first words' } },
    ]);
    await writeFile(file, 'import { writeFileSync } from "node:fs"; writeFileSync("ran", "x")');
    expect(await rowsIn(place)).toMatchObject([{ state: 'untrusted' }]);
    await place.mcp.servers.connect(mine(place), place.folder);
    expect(await place.tools()).toEqual([]);
    await expect(readFile(join(place.folder, 'ran'))).rejects.toThrow();
    await place.mcp.servers.trust(mine(place), place.folder);
    await place.mcp.servers.connect(mine(place), place.folder);
    expect(await readFile(join(place.folder, 'ran'), 'utf8')).toBe('x');
  });

  test('of every project start in the home folder, and run a file of a project only after a review there', async () => {
    await using place = await fixture();
    await mkdir(join(place.folder, 'bin'));
    const file = join(place.folder, 'bin/server.mjs');
    await writeFile(file, 'import { writeFileSync } from "node:fs"; writeFileSync("ran", "x")');
    const started = { ...EVERYTHING, args: ['-e', 'process.stderr.write(process.cwd()); process.exit(1)'] };
    const file2 = { ...EVERYTHING, args: ['${workspaceFolder}/bin/server.mjs'] };
    await place.mcp.servers.add({ ...change(place, { id: 'free', definition: started }), ...everywhere });
    await place.mcp.servers.add({ ...change(place, { id: 'bound', definition: file2 }), ...everywhere });
    await place.mcp.servers.connect({ ...everywhere, id: 'free' }, place.folder);
    expect(await rowsIn(place)).toMatchObject([
      { id: 'bound', state: 'untrusted' },
      { id: 'free', state: 'failed', failure: { detail: `exit code 1: ${place.homeDir}` } },
    ]);
    await place.tools();
    await expect(readFile(join(place.homeDir, 'ran'))).rejects.toThrow();
    expect((await place.mcp.servers.list(undefined)).rows.map(({ state }) => state)).not.toContain('untrusted');
    await place.mcp.servers.trust({ ...everywhere, id: 'bound' }, place.folder);
    await place.tools();
    expect(await readFile(join(place.homeDir, 'ran'), 'utf8')).toBe('x');
  });

  test('take precedence over a server of the project with the same id', async () => {
    await using place = await fixture();
    await place.declare({ id: 'all', comando: 'node', argomenti: ['server.mjs'], allowlist: ['x'] });
    await place.mcp.servers.add({ ...change(place), ...everywhere });
    expect(await rowsIn(place)).toMatchObject([
      { scope: 'everywhere', isReplaced: false },
      { scope: 'file', state: 'untrusted', isReplaced: true },
    ]);
    await place.mcp.servers.add(change(place));
    expect((await rowsIn(place)).map(({ scope, isReplaced }) => [scope, isReplaced])).toEqual([
      ['everywhere', true],
      ['project', false],
      ['file', true],
    ]);
  });

  test('keep the names of their tools from a server of the project', async () => {
    await using place = await fixture();
    await place.mcp.servers.add({ ...change(place), ...everywhere, id: 'notes.all' });
    for (const id of ['notes_all', 'notes-all', 'notes.all__x', 'notes']) {
      await place.declare({ id, comando: 'node', argomenti: ['server.mjs'], allowlist: ['x'] });
      const [, declared] = await rowsIn(place);
      expect([id, declared?.isReplaced]).toEqual([id, ['notes_all', 'notes.all__x'].includes(id)]);
    }
  });

  test('are seen by another process at its next turn', async () => {
    await using place = await fixture();
    await using other = place.open();
    expect(await other.tools(place.session)).toEqual([]);
    await place.mcp.servers.add(change(place));
    expect((await other.tools(place.session)).length).toBeGreaterThan(1);
    await place.mcp.servers.remove(mine(place));
    expect(await other.tools(place.session)).toEqual([]);
  });

  test.each([
    [{ command: 'no-such-program' }, { reason: 'program-not-found', detail: 'no-such-program' }],
    [{ environment: { A: '${secret:ABSENT}' } }, { reason: 'secret-missing', detail: 'ABSENT' }],
    [{ environment: { A: '${FUCINA_ABSENT}' } }, { reason: 'variable-missing', detail: 'FUCINA_ABSENT' }],
  ])('say why they cannot start: %j', async (given, failure) => {
    await using place = await fixture();
    await place.mcp.servers.add(change(place, { definition: { ...EVERYTHING, ...given } }));
    expect(await rowsIn(place)).toMatchObject([{ state: 'failed', failure }]);
    expect(await place.tools()).toEqual([]);
  });

  test.each([
    [{ command: undefined }, 'definition'],
    [{ url: 'https://a.example' }, 'definition'],
    [{ command: undefined, url: 'http://a.example' }, 'definition'],
    [{ command: undefined, url: 'https://user:word@a.example' }, 'definition'],
    [{ environment: { 'A B': 'x' } }, 'definition'],
    [{ environment: { A: 'x\ny' } }, 'definition'],
    [{ workingFolder: 'relative' }, 'definition'],
  ])('are refused when they are malformed, and nothing is stored: %j', async (given, reason) => {
    await using place = await fixture();
    const adding = place.mcp.servers.add(change(place, { definition: { ...EVERYTHING, ...given } }));
    await expect(adding).rejects.toMatchObject({ code: 'MCP_INVALID', reason });
    expect(await rowsIn(place)).toEqual([]);
  });

  test.each(['../up', '..', 'a/b', '', '-a', 'x'.repeat(65)])('are refused with the name %j', async (id) => {
    await using place = await fixture();
    await expect(place.mcp.servers.add(change(place, { id }))).rejects.toMatchObject({ code: 'MCP_INVALID' });
    expect(await storedText(dirname(place.dataDir))).not.toContain('"version":1');
  });

  test('are not added twice, and not changed or removed when they do not exist', async () => {
    await using place = await fixture();
    await expect(place.mcp.servers.change(change(place))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(place.mcp.servers.remove(mine(place))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await place.mcp.servers.add(change(place));
    await expect(place.mcp.servers.add(change(place))).rejects.toMatchObject({ code: 'MCP_INVALID', reason: 'exists' });
    for (const id of ['../all', '..', '', 'a/b']) {
      await expect(place.mcp.servers.remove(mine(place, id))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('with a damaged file are reported and can be removed', async () => {
    await using place = await fixture();
    await place.mcp.servers.add({ ...change(place), ...everywhere });
    await writeFile(join(place.dataDir, 'mcp/servers/everywhere/all.json'), '{"version":1');
    expect(await rowsIn(place)).toMatchObject([{ id: 'all', state: 'failed', failure: { reason: 'unreadable' } }]);
    await place.mcp.servers.remove({ ...everywhere, id: 'all' });
    expect(await rowsIn(place)).toEqual([]);
  });
});

describe('a file of the project', () => {
  const declaredAs = async (place: Place, text: object) => {
    await writeFile(join(place.folder, '.svc/mcp.json'), JSON.stringify(text));
    return place.mcp.servers.list(place.folder);
  };

  test('may use English keys and the usual mcpServers', async () => {
    await using place = await fixture();
    const server = { command: 'node', args: ['a.mjs'], env: { MODE: 'x' } };
    const expected = { id: 'a', scope: 'file', state: 'untrusted', definition: { command: 'node', args: ['a.mjs'] } };
    for (const text of [
      { mcpServers: { a: server } },
      { servers: [{ id: 'a', ...server }] },
      { server: [{ id: 'a', ...server, tools: ['x'] }] },
    ]) {
      expect(await declaredAs(place, text)).toMatchObject({ problem: null, rows: [expected] });
    }
    expect(await declaredAs(place, { mcpServers: { a: { args: [] } } })).toMatchObject({
      problem: expect.stringContaining('mcpServers.a'),
      rows: [],
    });
  });

  test('does not get variables of the user’s environment', async () => {
    await using place = await fixture();
    await declaredAs(place, {
      mcpServers: {
        all: { command: 'node', args: [program('server-everything')], env: { TAKEN: '${SECRET_TOKEN}' } },
      },
    });
    await place.mcp.trust(place.folder, 'all');
    const { content } = await place.call(toolNamed(await place.tools(), 'mcp__all__get-env'));
    expect(content).toContain('"TAKEN": "${SECRET_TOKEN}"');
    expect(content).not.toContain('canary');
  });

  test('keeps the trust it had before environments could be declared', async () => {
    await using place = await fixture();
    const server = { id: 'a', comando: process.execPath, argomenti: ['a.mjs'], allowlist: ['x'] };
    const { folder } = place;
    const hash = await fingerprintOf({ folder, definition: server, argv: [process.execPath, 'a.mjs'] });
    const { systemAmbient } = await import('@fucina/shared');
    const trust = createTrustStore({ ambient: systemAmbient('silent'), dataDir: place.dataDir });
    await trust.trust({ kind: 'mcp', folder, id: 'a' }, hash);
    await place.declare(server);
    expect(await place.mcp.list(folder)).toMatchObject({ rows: [{ id: 'a', isTrusted: true }] });
    await declaredAs(place, { server: [{ ...server, ambiente: { NODE_OPTIONS: '--require ./evil.cjs' } }] });
    expect(await place.mcp.list(folder)).toMatchObject({ rows: [{ id: 'a', isTrusted: false }] });
  });

  test('is turned off by the user without losing its trust', async () => {
    await using place = await fixture();
    await declaredAs(place, { mcpServers: { all: { command: 'node', args: [program('server-everything')] } } });
    const reference = { scope: 'file', folder: place.folder, id: 'all' } as const;
    await place.mcp.servers.trust(reference, place.folder);
    await place.mcp.servers.choose(reference, { isOn: false });
    expect(await place.tools()).toEqual([]);
    await place.mcp.servers.choose(reference, { isOn: true });
    expect((await place.tools()).length).toBeGreaterThan(1);
    await expect(place.mcp.servers.remove(reference)).rejects.toMatchObject({ code: 'MCP_INVALID' });
  });
});
