import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Script } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { ASKS_FORM, asksFor, FORM } from './asking.ts';
import { plain, type TestComputer, testComputer } from './harness.ts';

/** The agent delegates the task to a sub-agent, whose first answer this is. */
const delegating =
  (reply: object): Script =>
  ({ body }) => {
    const text = JSON.stringify((body as { messages: unknown[] }).messages);
    if (text.includes('"role":"tool"')) return { text: 'Done.' };
    if (text.includes('look around')) return reply;
    return { toolCalls: [{ name: 'delega_sottotask', arguments: { task: 'look around' } }] };
  };
const TOUCHES = delegating({ toolCalls: [{ name: 'shell', arguments: { comando: 'touch made.txt' } }] });
const onRequest = ['--permissions', 'On request'];
const asProgram = ['--input-format', 'stream-json', '--model', 'ollama:tiny', ...onRequest];
const agentRequests = (stdout: string): { type: string; request: { requestId: string } }[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{"type":"agent_request"'))
    .map((line) => JSON.parse(line));
const isMade = (computer: TestComputer): boolean => existsSync(join(computer.project.path, 'made.txt'));

describe('a request of a sub-agent in one-shot mode', () => {
  test('is denied without a terminal, reported, and gives exit code 3', async () => {
    await using computer = await testComputer(TOUCHES);
    const { exit, stdout, stderr } = await computer.go([...onRequest, '--json']);
    expect(exit).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'finished', denials: 1 });
    expect(plain(stderr)).toContain('Denied, because there is no terminal to ask on: Running touch made.txt');
    expect(isMade(computer)).toBe(false);
  });

  test('is asked on a terminal', async () => {
    await using computer = await testComputer(TOUCHES);
    const { exit, stderr } = await computer.go(onRequest, { answers: ['y'] });
    expect(exit).toBe(0);
    expect(plain(stderr)).toMatch(/Requested by the agent working on: look around\n[^]*touch made.txt\n/);
    expect(isMade(computer)).toBe(true);
  });

  test('asks several requests one after the other', async () => {
    const names = ['one', 'two', 'three'];
    const calls = names.map((task) => ({ name: 'delega_sottotask', arguments: { task: `make ${task}` } }));
    const script: Script = ({ body }) => {
      const text = JSON.stringify((body as { messages: unknown[] }).messages);
      if (text.includes('"role":"tool"')) return { text: 'Done.' };
      const own = names.find((name) => text.includes(`make ${name}`));
      if (own === undefined) return { toolCalls: calls };
      return { toolCalls: [{ name: 'shell', arguments: { comando: `touch ${own}.txt` } }] };
    };
    await using computer = await testComputer(script);
    const { exit, stderr } = await computer.go(onRequest, { answers: ['y', 'y', 'y'] });
    expect(exit).toBe(0);
    expect(plain(stderr).match(/Run this command\?/g)).toHaveLength(3);
    for (const name of names) expect(existsSync(join(computer.project.path, `${name}.txt`))).toBe(true);
  });

  test('is a record in stream-json, and is denied when no input is left', async () => {
    await using computer = await testComputer(TOUCHES);
    const input = `${JSON.stringify({ type: 'user', message: 'go' })}\n`;
    const { exit, stdout } = await computer.run(asProgram, { input });
    expect(exit).toBe(3);
    expect(agentRequests(stdout)).toEqual([
      {
        type: 'agent_request',
        sessionId: expect.any(String),
        task: 'look around',
        request: {
          kind: 'approval',
          requestId: expect.any(String),
          action: expect.objectContaining({ tipo: 'shell', comando: 'touch made.txt' }),
        },
      },
    ]);
    expect(isMade(computer)).toBe(false);
  });

  test('is answered through stream-json like a request of the main agent', async () => {
    await using computer = await testComputer(TOUCHES);
    const input = new PassThrough();
    input.write(`${JSON.stringify({ type: 'user', message: 'go' })}\n`);
    const { exit } = await computer.run(asProgram, {
      stream: input,
      watch({ stdout }) {
        const [asked] = agentRequests(stdout);
        if (!asked || input.writableEnded) return;
        input.end(`${JSON.stringify({ type: 'approval', requestId: asked.request.requestId, approved: true })}\n`);
      },
    });
    expect(exit).toBe(0);
    expect(isMade(computer)).toBe(true);
  });

  test('declines a form without a terminal', async () => {
    await using computer = await testComputer(delegating(ASKS_FORM));
    await asksFor(computer, FORM);
    const { exit, stderr } = await computer.go();
    expect(exit).toBe(0);
    expect(plain(stderr)).toContain('the server crm asked “Who is the customer?”');
  });
});
