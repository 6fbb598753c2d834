import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { processesWith } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { fixture, program, serverWithEverything, toolNamed } from '../../test/mcp-fixture.ts';

describe('project MCP servers', () => {
  test('are empty without a file, and report an unreadable file', async () => {
    await using place = await fixture();
    expect(await place.mcp.list(place.folder)).toEqual({ rows: [] });
    for (const text of ['{', '{"server":[{"id":"a","comando":"node","allowlist":[]}]}', '{"server":{}}']) {
      await writeFile(join(place.folder, '.svc/mcp.json'), text);
      expect(await place.mcp.list(place.folder)).toHaveProperty('problem');
      await expect(place.mcp.trust(place.folder, 'a')).rejects.toMatchObject({ code: 'MCP_INVALID' });
      expect(await place.tools()).toEqual([]);
    }
    await place.declare({ id: 'a', comando: 'no-such-program', allowlist: ['x'] });
    await expect(place.mcp.trust(place.folder, 'a')).rejects.toMatchObject({ code: 'MCP_INVALID' });
    await expect(place.mcp.trust(place.folder, 'b')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('are not started before trust, and any changed byte revokes it', async () => {
    await using place = await fixture();
    await writeFile(
      join(place.folder, 'server.mjs'),
      'import { writeFileSync } from "node:fs"; writeFileSync("ran", "x");',
    );
    await place.declare({ id: 'a', comando: 'node', argomenti: ['server.mjs'], allowlist: ['x'] });
    expect(await place.tools()).toEqual([]);
    await expect(readFile(join(place.folder, 'ran'))).rejects.toThrow();
    await place.mcp.trust(place.folder, 'a');
    expect(await place.mcp.list(place.folder)).toMatchObject({
      rows: [{ id: 'a', command: 'node', args: ['server.mjs'], allowlist: ['x'], isTrusted: true }],
    });
    await writeFile(
      join(place.folder, 'server.mjs'),
      'import { writeFileSync } from "node:fs"; writeFileSync("ran", "y");',
    );
    expect(await place.mcp.list(place.folder)).toMatchObject({ rows: [{ isTrusted: false }] });
    expect(await place.tools()).toEqual([]);
    await expect(readFile(join(place.folder, 'ran'))).rejects.toThrow();
  });
});

describe('the official everything server', () => {
  test('offers its allowed tools with schemas, runs them, and reports progress', async () => {
    await using place = await fixture();
    await place.declare(serverWithEverything(['echo', 'get-sum', 'trigger-long-running-operation', 'get-tiny-image']));
    await place.mcp.trust(place.folder, 'all');
    const tools = await place.tools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'mcp__all__echo',
      'mcp__all__get-sum',
      'mcp__all__get-tiny-image',
      'mcp__all__resources-and-prompts',
      'mcp__all__trigger-long-running-operation',
    ]);
    const echo = toolNamed(tools, 'mcp__all__echo');
    expect(echo?.effect).toBe('process');
    expect(z.toJSONSchema(echo?.input ?? z.any(), { io: 'input' })).toMatchObject({
      type: 'object',
      properties: { message: { type: 'string' } },
    });
    expect(await place.call(echo, { message: 'ciao' })).toMatchObject({ content: expect.stringContaining('ciao') });
    expect(await place.call(toolNamed(tools, 'mcp__all__get-tiny-image'))).toMatchObject({
      images: [{ mimeType: 'image/png' }],
    });
    const long = toolNamed(tools, 'mcp__all__trigger-long-running-operation');
    expect(await place.call(long, { duration: 0.4, steps: 4 })).toMatchObject({
      content: expect.stringContaining('completed'),
    });
    expect(place.progress.length).toBeGreaterThan(0);
    expect(await place.call(echo, { message: 3 })).toMatchObject({ isError: true });
  });

  test('lists and reads resources and prompts', async () => {
    await using place = await fixture();
    await place.declare(serverWithEverything(['echo']));
    await place.mcp.trust(place.folder, 'all');
    const serverResources = toolNamed(await place.tools(), 'mcp__all__resources-and-prompts');
    const { content } = await place.call(serverResources);
    expect(content).toMatch(/^prompt simple-prompt\(\)/m);
    const [, uri = ''] = /^resource (\S+)/m.exec(content as string) ?? [];
    expect((await place.call(serverResources, { resource: uri })).content).not.toContain('failed');
    expect(await place.call(serverResources, { prompt: 'args-prompt', arguments: { city: 'Torino' } })).toMatchObject({
      content: expect.stringContaining('Torino'),
    });
    expect(await place.call(serverResources, { resource: 'demo://nowhere' })).toMatchObject({ isError: true });
    expect(await place.call(serverResources, { prompt: 'none' })).toMatchObject({ isError: true });
  });

  test('stops a call at once', async () => {
    await using place = await fixture();
    await place.declare(serverWithEverything(['trigger-long-running-operation']));
    await place.mcp.trust(place.folder, 'all');
    const [long] = await place.tools();
    const stops = new AbortController();
    const calling = place.call(long, { duration: 60, steps: 60 }, stops.signal);
    setTimeout(() => stops.abort(), 100);
    expect(await calling).toMatchObject({ isError: true, content: expect.stringContaining('stopped') });
  });

  test('asks the user in the conversation and gets the answer', async () => {
    await using place = await fixture();
    await place.declare(serverWithEverything(['trigger-elicitation-request']));
    await place.mcp.trust(place.folder, 'all');
    const [ask] = await place.tools();
    const answered = async (answer: Parameters<typeof place.mcp.answer>[2]) => {
      const at = place.events.length;
      const calling = place.call(ask);
      while (place.events.length === at) await new Promise((done) => setTimeout(done, 10));
      const { value } = place.events.at(-1) as unknown as { value: { requestId: string; modo: string } };
      const { requestId } = value;
      expect(place.mcp.waiting('s1')).toMatchObject([{ requestId, serverId: 'all', form: { type: 'object' } }]);
      expect(place.mcp.waiting('s2')).toEqual([]);
      expect(value).toMatchObject({ stato: 'in-attesa', server: 'all', modo: 'form', schema: { type: 'object' } });
      const wrong = { action: 'accept' as const, content: { integer: 'many', firstLine: 3 } };
      await expect(place.mcp.answer('s1', requestId, wrong)).rejects.toMatchObject({
        code: 'ELICITATION_ANSWER_INVALID',
      });
      const more = { action: 'decline' as const, content: {} };
      await expect(place.mcp.answer('s1', requestId, more)).rejects.toMatchObject({
        code: 'ELICITATION_ANSWER_INVALID',
      });
      await expect(place.mcp.answer('s2', requestId, answer)).rejects.toMatchObject({
        code: 'ELICITATION_NOT_PENDING',
      });
      await place.mcp.answer('s1', requestId, answer);
      await expect(place.mcp.answer('s1', requestId, answer)).rejects.toMatchObject({
        code: 'ELICITATION_NOT_PENDING',
      });
      expect(place.mcp.waiting('s1')).toEqual([]);
      return (await calling).content;
    };
    expect(await answered({ action: 'decline' })).toMatch(/declin/i);
    const { value } = place.events[0] as unknown as { value: { schema: { required?: string[] } } };
    const content = Object.fromEntries((value.schema.required ?? []).map((name) => [name, 'Ada']));
    expect(await answered({ action: 'accept', content })).toContain('Ada');
    expect(place.events.at(-1)).toMatchObject({ value: { stato: 'risposta', azione: 'accept' } });
  });
});

test('the official filesystem server reads its folder', async () => {
  await using place = await fixture();
  await writeFile(join(place.folder, 'note.txt'), 'words in a file');
  const server = {
    id: 'files',
    comando: 'node',
    argomenti: [program('server-filesystem'), place.folder],
    allowlist: ['read_text_file'],
  };
  await place.declare(server);
  await place.mcp.trust(place.folder, 'files');
  const [read] = await place.tools();
  expect(await place.call(read, { path: join(place.folder, 'note.txt') })).toMatchObject({
    content: expect.stringContaining('words in a file'),
  });
  expect(await place.call(read, { path: '/etc/passwd' })).toMatchObject({ isError: true });
});

describe('a hostile MCP server', () => {
  test('has its description quoted and truncated, and offers only allowed tools', async () => {
    await using place = await fixture();
    const tools = await place.hostile('nothing');
    expect(tools.map(({ name }) => name)).toEqual(['mcp__bad__good', 'mcp__bad__a_b_c']);
    const description = tools[0]?.description ?? '';
    expect(description).toMatch(/^Tool good of the project's server bad\. Description from the server: IGNORE/);
    expect(description.length).toBeLessThan(1_200);
    expect(await place.call(tools[0])).toEqual({ content: 'fine' });
  });

  test('gets no secret of the server', async () => {
    await using place = await fixture();
    const [tool] = await place.hostile('env');
    expect((await place.call(tool)).content).not.toContain('canary');
  });

  test('lines that are not messages are ignored, and long results truncated', async () => {
    await using place = await fixture();
    expect(await place.call((await place.hostile('garbage'))[0])).toEqual({ content: 'fine' });
    const [tool] = await place.hostile('long');
    expect((await place.call(tool)).content).toMatch(/^w{20000}\n\[… cut: 100000 characters\]$/);
  });

  test.each(['silent', 'endless'])('is waited for a minute when its answer is %s', async (what) => {
    const ambient = systemAmbient('silent');
    const hurried = {
      ...ambient,
      timer: (ms: number, act: () => void) => ambient.timer(ms === 60_000 ? 200 : ms, act),
    };
    await using place = await fixture(hurried);
    const [tool] = await place.hostile(what);
    expect(await place.call(tool)).toMatchObject({
      isError: true,
      content: expect.stringContaining('nothing was heard'),
    });
  });

  test('is not paged endlessly when its tool list never ends', async () => {
    await using place = await fixture();
    expect(await place.hostile('endless-list')).toEqual([]);
  });

  test('cannot show the user an address that is not a web page', async () => {
    await using place = await fixture();
    const [tool] = await place.hostile('asks-file');
    expect((await place.call(tool)).content).toContain('decline');
    expect(place.events).toEqual([]);
  });

  test('offers no tools when it exits or stays silent, and is not restarted immediately', async () => {
    await using place = await fixture();
    expect(await place.hostile('dies')).toEqual([]);
    const before = Date.now();
    expect(await place.tools()).toEqual([]);
    expect(Date.now() - before).toBeLessThan(2_000);
  });

  test('is ended with its session', async () => {
    await using place = await fixture();
    const mark = `idle-${process.pid}-${performance.now()}`;
    const tools = await place.hostile(mark);
    expect(processesWith(mark)).toHaveLength(1);
    await place.mcp.forget('s1');
    expect(processesWith(mark)).toEqual([]);
    expect(await place.call(tools[0])).toEqual({ content: 'fine' });
  });
});
