import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { plain, type TestComputer, testComputer } from './harness.ts';

const EVERYTHING = join(
  createRequire(join(import.meta.dirname, '../../../packages/extensions/package.json')).resolve(
    '@modelcontextprotocol/server-everything/package.json',
  ),
  '../dist/index.js',
);
const json = async (computer: TestComputer, ...args: string[]): Promise<any> =>
  JSON.parse((await computer.run([...args, '--json'])).stdout);
const said = async (computer: TestComputer, ...args: string[]): Promise<string> =>
  plain((await computer.run(args)).stdout);

test('fucina mcp adds, tests, turns off and removes a server', async () => {
  await using computer = await testComputer([]);
  expect(await said(computer, 'mcp')).toBe('This project has no MCP servers.\n');
  expect(await said(computer, 'mcp', 'add', 'all', '--env', 'MODE=x', '--', 'node', EVERYTHING)).toContain(
    'all added for',
  );
  expect((await json(computer, 'mcp')).mcp).toMatchObject([
    { id: 'all', scope: 'project', state: 'idle', command: 'node', args: [EVERYTHING] },
  ]);
  expect(await said(computer, 'mcp', 'test', 'all')).toMatch(/^✓ all: connected, tools: \d+\n[^]* {2}echo /);
  expect(await said(computer, 'mcp', 'off', 'all')).toBe('Off: all\n');
  expect(await said(computer, 'mcp')).toMatch(/^all {2}off {2}/);
  expect((await computer.run(['mcp', 'add', 'all', '--', 'node'])).stderr).toContain('[MCP_INVALID]');
  expect(await said(computer, 'mcp', 'remove', 'all')).toBe('Deleted: all\n');
  expect((await computer.run(['mcp', 'remove', 'all'])).stderr).toContain('[NOT_FOUND]');
}, 30_000);

test('fucina mcp test says why a server fails', async () => {
  await using computer = await testComputer([]);
  await computer.run(['mcp', 'add', 'bad', '--', 'node', '-e', 'console.error("no luck");process.exit(3)']);
  const { exit, stdout } = await computer.run(['mcp', 'test', 'bad']);
  expect([exit, plain(stdout)]).toEqual([1, '✗ bad: failed: ended: exit code 3: no luck\n']);
});

test('fucina mcp add reads secrets from standard input and refuses wrong usage', async () => {
  await using computer = await testComputer([]);
  const given = ['mcp', 'add', 'web', '--url', 'https://web.example/mcp', '--header', 'X-Region: eu'];
  const empty = await computer.run([...given, '--secret', 'X-Key'], { input: '' });
  expect([empty.exit, empty.stderr]).toEqual([2, expect.stringContaining('a secret is empty')]);
  for (const wrong of [
    ['mcp', 'add', 'a'],
    ['mcp', 'add', 'a', '--url', 'https://a.example', '--', 'node'],
    ['mcp', 'add', 'a', '--env', 'NAME', '--', 'node'],
    ['mcp', 'add', 'a', '--url', 'https://a.example', '--header', 'none'],
  ]) {
    expect((await computer.run(wrong)).exit).toBe(2);
  }
  const typed = await computer.run([...given, '--secret', 'X-Key', '--everywhere', '--json'], {
    input: 'secret-canary\n',
  });
  expect(JSON.parse(typed.stdout)).toMatchObject({
    scope: 'everywhere',
    definition: { headers: { 'X-Region': 'eu', 'X-Key': '${secret:X-Key}' } },
    secrets: [{ name: 'X-Key', isStored: true }],
  });
  expect(typed.stdout).not.toContain('canary');
});

test('fucina mcp import lists what other programs have and adds what is named', async () => {
  await using computer = await testComputer([]);
  expect(await said(computer, 'mcp', 'import')).toBe('No configurations with MCP servers were found.\n');
  const server = { command: 'node', args: ['a.mjs'], env: { K_TOKEN: 'import-canary' } };
  await computer.project.write({ '.mcp.json': JSON.stringify({ mcpServers: { one: server, two: server } }) });
  const found = await said(computer, 'mcp', 'import');
  expect(found).toContain('one  node a.mjs');
  expect(found).not.toContain('canary');
  expect((await json(computer, 'mcp')).mcp).toEqual([]);
  expect(await said(computer, 'mcp', 'import', 'one')).toBe('Imported: one\n');
  expect((await json(computer, 'mcp')).mcp).toMatchObject([{ id: 'one', secrets: [{ name: 'K_TOKEN' }] }]);
  expect((await computer.run(['mcp', 'import', 'absent'])).stderr).toContain('[NOT_FOUND]');
});
