import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { asksFor, FORM } from './asking.ts';
import { open } from './conversation-fixture.ts';
import { type TestComputer, testComputer } from './harness.ts';

const CALL = { toolCalls: [{ name: 'mcp__other__ask', arguments: {} }] };

/** A trusted server of the project; without an answer its first call asks. */
async function declareOther(computer: TestComputer, ...answer: string[]): Promise<void> {
  await asksFor(computer, FORM);
  const file = join(computer.project.path, '.svc/mcp.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"crm"', '"other"'));
  const { exit, stderr } = await computer.run(['mcp', 'trust', 'other', ...answer], { cwd: computer.project.path });
  expect([exit, stderr]).toEqual([0, '']);
}
const calls = async (computer: TestComputer): Promise<unknown> => {
  const { stdout } = await computer.run(['mcp', 'list', '--json'], { cwd: computer.project.path });
  return (/"calls":(\{[^}]*\}|null)/.exec(stdout) ?? [])[1];
};

test('the screen asks once about an MCP server, and the answer is stored', async () => {
  await using s = await open([CALL, { text: 'Done.' }]);
  await declareOther(s.computer);
  expect(await calls(s.computer)).toBe('null');
  await s.say('go');
  await s.until(() => s.conversation.request()?.kind === 'approval');
  expect(s.conversation.request()).toMatchObject({ action: { server: 'other', tool: 'ask', asks: 'server' } });
  await s.conversation.respond({ kind: 'approval', choice: 'always' });
  await s.until(() => s.conversation.request()?.kind === 'elicitation');
  await s.conversation.respond({ kind: 'elicitation', answer: { action: 'decline' } });
  await s.idle();
  expect(await calls(s.computer)).toBe('{"answer":"allow","allowedTools":[]}');
  expect(s.failures).toEqual([]);
});

test('a run without a terminal denies the first call of an MCP server and names the command that allows it', async () => {
  await using computer = await testComputer([CALL, { text: 'Done.' }]);
  await declareOther(computer);
  const { stderr } = await computer.run(['-p', 'go'], { cwd: computer.project.path });
  expect(stderr).toContain('fucina mcp trust other --calls allow');
  expect(await calls(computer)).toBe('null');
  await declareOther(computer, '--calls', 'by-tool');
  expect(await calls(computer)).toBe('{"answer":"by-tool","allowedTools":[]}');
});
