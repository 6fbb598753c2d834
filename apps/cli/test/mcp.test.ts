import { createRequire } from 'node:module';
import { join } from 'node:path';
import { guardedMcpServer } from '@fucina/testkit';
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
});

test('fucina mcp and fucina hooks name the place, the key and what is allowed in a file written by hand', async () => {
  await using computer = await testComputer([]);
  await computer.project.write({
    '.svc/mcp.json': '{\n "mcpServers": { "a": { "command": 7 } }\n}',
    '.svc/hooks.json': '{\n "hooks": [{ "id": "x", "events": ["session_end"], "command": "c", "timeout": 601 }]\n}',
  });
  for (const [command, problem] of [
    ['mcp', '.svc/mcp.json:2:36: mcpServers.a.command: expected string'],
    ['hooks', '.svc/hooks.json:2:79: hooks.0.timeout: expected number to be <=600'],
  ] as const) {
    const { exit, stderr } = await computer.run([command]);
    expect([exit, plain(stderr)]).toEqual([expect.any(Number), expect.stringContaining(problem)]);
    expect(exit).not.toBe(0);
  }
});

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

test('fucina mcp login prints the page to open, waits for the browser, and logout forgets it', async () => {
  await using server = await guardedMcpServer();
  await using computer = await testComputer([]);
  await computer.run(['mcp', 'add', 'far', '--url', server.url]);
  const visits: Promise<Response>[] = [];
  const { exit, stdout } = await computer.run(['mcp', 'login', 'far'], {
    watch(seen) {
      const [address] = /http:\S+\/authorize\S+/.exec(seen.stdout) ?? [];
      if (address && visits.length === 0) visits.push(visit(address));
    },
  });
  expect([exit, plain(stdout)]).toEqual([0, expect.stringMatching(/^Open this page[^]+\nSigned in: far\n$/)]);
  const page = await visits[0];
  expect([page?.status, await page?.text()]).toEqual([200, expect.stringContaining('Signed in')]);
  expect(await said(computer, 'mcp', 'logout', 'far')).toBe('Signed out: far\n');
});

/** The page of the server, then the return to this computer; before it, one with a guessed state. */
async function visit(address: string): Promise<Response> {
  const { headers } = await fetch(address, { redirect: 'manual' });
  const back = new URL(headers.get('location') ?? '');
  const guessed = new URL(back);
  guessed.searchParams.set('state', 'guessed');
  expect((await fetch(guessed)).status).toBe(400);
  expect((await fetch(new URL('/other', back))).status).toBe(404);
  return fetch(back);
}

test('fucina mcp login says why a sign-in fails, and can be stopped', async () => {
  await using closed = await guardedMcpServer({ refusesRegistration: true });
  await using server = await guardedMcpServer();
  await using computer = await testComputer([]);
  await computer.run(['mcp', 'add', 'closed', '--url', closed.url]);
  await computer.run(['mcp', 'add', 'far', '--url', server.url]);
  expect((await computer.run(['mcp', 'login', 'closed'])).stderr).toContain('[OAUTH_NON_CONFIGURATO]');
  const stopped = await computer.run(['mcp', 'login', 'far'], {
    watch: ({ stdout }, interrupt) => void (stdout.includes('/authorize') && interrupt()),
  });
  expect([stopped.exit, stopped.stderr]).toEqual([130, expect.stringContaining('stopped')]);
});
