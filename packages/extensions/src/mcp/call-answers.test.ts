import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realFolder } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { fixture, program, serverWithEverything, toolNamed } from '../../test/mcp-fixture.ts';
import type { ServerChange } from './servers.ts';

type Place = Awaited<ReturnType<typeof fixture>>;

const definition = { command: process.execPath, args: [program('server-everything')], environment: {}, headers: {} };
const added = (place: Place, more: Partial<ServerChange> = {}): ServerChange => ({
  scope: 'project',
  folder: place.folder,
  id: 'all',
  definition,
  secrets: {},
  ...more,
});
const mine = (place: Place, id = 'all') => ({ scope: 'project', folder: place.folder, id }) as const;
const callsOf = async (place: Place, id = 'all', folder = place.folder) =>
  (await place.mcp.servers.list(folder)).rows.find((row) => row.id === id)?.calls;
/** What the gate gets for a call of this tool. */
const leave = async (place: Place, tool = 'echo', id = 'all') =>
  toolNamed(await place.tools(), `mcp__${id}__${tool}`)?.calls?.();
const answerFiles = async ({ dataDir }: Place): Promise<string[]> => {
  const found = await readdir(join(dataDir, 'mcp', 'calls'), { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

describe('the answer about the calls of a server', () => {
  test('is open until the user gives it, and then decides for each of its tools', async () => {
    await using place = await fixture();
    await place.mcp.servers.add(added(place));
    expect([await callsOf(place), await leave(place)]).toEqual([null, 'ask-server']);
    await place.mcp.servers.answerCalls(mine(place), place.folder, { answer: 'allow' });
    expect([await leave(place), await leave(place, 'get-sum')]).toEqual(['allow', 'allow']);
    await place.mcp.servers.answerCalls(mine(place), place.folder, { answer: 'ask' });
    expect([await leave(place), await leave(place, 'get-sum')]).toEqual(['ask', 'ask']);
    // A tool that is allowed alone makes the others ask, each by itself.
    await place.mcp.servers.answerCalls(mine(place), place.folder, { allowTool: 'echo' });
    expect([await leave(place), await leave(place, 'get-sum')]).toEqual(['allow', 'ask-tool']);
    await place.mcp.servers.answerCalls(mine(place), place.folder, { allowTool: 'get-sum' });
    expect(await callsOf(place)).toEqual({ answer: 'by-tool', allowedTools: ['echo', 'get-sum'] });
    await place.mcp.servers.answerCalls(mine(place), place.folder, { answer: 'by-tool' });
    expect([await leave(place), await callsOf(place)]).toEqual(['ask-tool', { answer: 'by-tool', allowedTools: [] }]);
  });

  test('keeps every tool of answers that are given at once', async () => {
    await using place = await fixture();
    await place.mcp.servers.add(added(place));
    const tools = ['a', 'b', 'c', 'd'];
    await Promise.all(
      tools.map((allowTool) => place.mcp.servers.answerCalls(mine(place), place.folder, { allowTool })),
    );
    expect(await callsOf(place)).toEqual({ answer: 'by-tool', allowedTools: tools });
  });

  test('is asked for again when the definition changes, and given with it', async () => {
    await using place = await fixture();
    await place.mcp.servers.add(added(place, { calls: 'allow' }));
    expect(await leave(place)).toBe('allow');
    const other = { ...definition, environment: { MODE: 'other' } };
    await place.mcp.servers.change(added(place, { definition: other }));
    expect(await leave(place)).toBe('ask-server');
    await place.mcp.servers.change(added(place, { calls: 'by-tool' }));
    expect(await leave(place)).toBe('ask-tool');
  });

  test('applies to no other server, project or scope, and goes with its server', async () => {
    await using place = await fixture();
    const other = join(place.folder, '..', 'other');
    await mkdir(other);
    const otherFolder = await realFolder(other);
    const everywhere = { scope: 'everywhere', folder: null } as const;
    await place.mcp.servers.add(added(place, { calls: 'allow' }));
    await place.mcp.servers.add(added(place, { id: 'all2', calls: 'ask' }));
    await place.mcp.servers.add(added(place, { ...everywhere, id: 'wide', calls: 'allow' }));
    await place.mcp.servers.add(added(place, { folder: otherFolder }));
    expect(await callsOf(place, 'all', otherFolder)).toBeNull();
    // A server of all projects has one answer.
    expect(await callsOf(place, 'wide', otherFolder)).toEqual({ answer: 'allow', allowedTools: [] });
    await place.mcp.servers.remove(mine(place));
    expect(await callsOf(place, 'all2')).toEqual({ answer: 'ask', allowedTools: [] });
    expect(await callsOf(place, 'wide')).toEqual({ answer: 'allow', allowedTools: [] });
    await place.mcp.servers.add(added(place));
    expect(await callsOf(place)).toBeNull();
  });

  test('about a server of the project is given with the trust, and a changed file asks again', async () => {
    await using place = await fixture();
    await writeFile(join(place.folder, 'server.mjs'), `await import(${JSON.stringify(program('server-everything'))});`);
    await place.declare({ ...serverWithEverything(['echo', 'get-sum']), argomenti: ['server.mjs'] });
    const reference = { scope: 'file', folder: place.folder, id: 'all' } as const;
    await expect(place.mcp.servers.answerCalls(reference, place.folder, { answer: 'allow' })).rejects.toMatchObject({
      code: 'MCP_INVALID',
      reason: 'changed',
    });
    await place.mcp.servers.trust(reference, place.folder, 'allow');
    expect(await leave(place)).toBe('allow');
    const tool = toolNamed(await place.tools(), 'mcp__all__echo');
    await writeFile(join(place.folder, 'server.mjs'), '// another program');
    // The tool that a turn already has asks, too.
    expect(await tool?.calls?.()).toBe('ask-server');
    await place.mcp.servers.trust(reference, place.folder);
    expect([await callsOf(place), await tool?.calls?.()]).toEqual([null, 'ask-server']);
  });

  test('asks once about a server that was trusted before there were answers, and its trust stays', async () => {
    await using place = await fixture();
    await place.declare(serverWithEverything(['echo']));
    await place.mcp.trust(place.folder, 'all');
    expect(await leave(place)).toBe('ask-server');
    await place.mcp.answerCalls(place.session, 'all', { answer: 'allow' });
    await using later = place.open();
    const tools = await later.tools(place.session);
    expect(await toolNamed(tools, 'mcp__all__echo')?.calls?.()).toBe('allow');
    await expect(place.mcp.answerCalls(place.session, 'al', { answer: 'allow' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('is none when its file is damaged', async () => {
    await using place = await fixture();
    await place.mcp.servers.add(added(place, { calls: 'allow' }));
    const [file = ''] = await answerFiles(place);
    for (const text of ['', '{', '{"answer":"allow"}', (await readFile(file, 'utf8')).replace('allow', 'all')]) {
      await writeFile(file, text);
      expect(await callsOf(place)).toBeNull();
    }
  });

  test('about a server of an editor covers its program in this project, not the values of its variables', async () => {
    await using place = await fixture();
    const file = join(place.folder, 'server.mjs');
    await writeFile(file, `await import(${JSON.stringify(program('server-everything'))});`);
    const brought = (value: string) => ({
      id: 'my own: all',
      command: process.execPath,
      args: [file],
      environment: { TOKEN: value },
    });
    await place.mcp.useServers('s1', [brought('first')]);
    const [tool] = await place.tools();
    expect(await tool?.calls?.()).toBe('ask-server');
    await place.mcp.answerCalls(place.session, 'my own: all', { answer: 'allow' });
    await place.mcp.useServers('s1', [brought('second')]);
    expect(await (await place.tools())[0]?.calls?.()).toBe('allow');
    await writeFile(file, `await import(${JSON.stringify(program('server-everything'))}); // changed`);
    expect(await (await place.tools())[0]?.calls?.()).toBe('ask-server');
  });
});
