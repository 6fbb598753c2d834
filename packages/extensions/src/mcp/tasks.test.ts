import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { fixture, program, toolNamed } from '../../test/mcp-fixture.ts';

const OFFERING = join(import.meta.dirname, '../../test/offering-server.mjs');

async function place(server = program('server-everything'), name = 'simulate-research-query') {
  const local = await fixture();
  const definition = { command: 'node', args: [server], environment: {}, headers: {} };
  await local.mcp.servers.add({ scope: 'everywhere', folder: null, id: 'all', definition, secrets: {} });
  return { ...local, tool: toolNamed(await local.tools(), `mcp__all__${name}`) };
}

describe('a tool that runs only as a task', () => {
  test('is called as one, with its status as progress', async () => {
    await using at = await place();
    const result = await at.call(at.tool, { topic: 'forges' });
    expect(result.content).toContain('# Research Report: forges');
    // Which of its stages are seen depends on the moment of each question.
    expect(at.progress.join('')).toMatch(/(?:Gathering|Analyzing|Synthesizing|Generating) \w+\.\.\.\n/);
  });

  test('asks the user while it runs', async () => {
    await using at = await place();
    const calling = at.call(at.tool, { topic: 'python', ambiguous: true });
    while (at.mcp.waiting('s1').length === 0) await new Promise((done) => setTimeout(done, 50));
    const [{ requestId } = { requestId: '' }] = at.mcp.waiting('s1');
    await at.mcp.answer('s1', requestId, { action: 'accept', content: { interpretation: 'snake' } });
    expect((await calling).content).toContain('python (snake)');
  });

  test('is cancelled when the call is stopped', async () => {
    await using at = await place(OFFERING, 'endless');
    const stopping = new AbortController();
    const calling = at.call(at.tool, {}, stopping.signal);
    while (at.progress.length === 0) await new Promise((done) => setTimeout(done, 50));
    expect(at.progress).toEqual(['still there\n']);
    stopping.abort();
    expect(await calling).toMatchObject({ isError: true, content: expect.stringContaining('stopped') });
    const log = await at.mcp.servers.log({ scope: 'everywhere', folder: null, id: 'all' });
    expect(log.map(({ text }) => text)).toContain('info: cancelled t1');
  });
});
