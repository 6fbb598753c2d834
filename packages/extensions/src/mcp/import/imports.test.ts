import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { fixture } from '../../../test/mcp-fixture.ts';
import { importSources } from './import-sources.ts';
import { parseConfig } from './parse-config.ts';

async function put(folder: string, path: string, text: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const CODEX = `
# a comment
model = "gpt"
[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-mcp"]
env_vars = ["LOCAL_TOKEN"]
disabled_tools = ["delete"]
enabled = false
[mcp_servers.docs.env]
API_KEY = "codex-canary"
[mcp_servers.web]
url = "https://web.example/mcp"
bearer_token_env_var = "WEB_TOKEN"
http_headers = { "X-Region" = "eu" }
`;

const VSCODE = `{
  // comments and trailing commas
  "inputs": [{ "id": "perplexity-key", "type": "promptString", "password": true }],
  "servers": {
    "Perplexity Search": { "type": "stdio", "command": "npx -y perplexity", "env": { "KEY": "\${input:perplexity-key}" }, },
  },
}`;

describe('servers of other programs', () => {
  test('are found in the files of the project and of the user, without their secrets', async () => {
    await using place = await fixture();
    const { folder, homeDir } = place;
    const github = {
      command: 'docker',
      args: ['run', '-e', 'TOKEN=ghp_argumentcanary1'],
      env: { T_TOKEN: 'canary-2' },
    };
    await put(folder, '.mcp.json', JSON.stringify({ mcpServers: { github } }));
    await put(folder, '.vscode/mcp.json', VSCODE);
    await put(homeDir, '.cursor/mcp.json', '{"mcpServers":{"remote":{"url":"https://c.example/sse","type":"sse"}}}');
    await put(homeDir, '.codex/config.toml', CODEX);
    const claude = {
      mcpServers: { mine: { command: 'a' } },
      projects: { [folder]: { mcpServers: { here: { command: 'b' } } } },
    };
    await put(homeDir, '.claude.json', JSON.stringify(claude));
    await put(homeDir, '.config/Claude/claude_desktop_config.json', '{"mcpServers": [');
    const files = await place.mcp.imports.files(folder);
    expect(JSON.stringify(files)).not.toContain('canary');
    const named = files.map(({ id, candidates }) => [id, candidates.map(({ name }) => name)]);
    expect(named).toEqual([
      ['project-mcp-json', ['github']],
      ['project-vscode', ['Perplexity Search']],
      ['local-claude-code', ['here']],
      ['user-claude-code', ['mine']],
      ['user-claude-desktop', []],
      ['user-cursor', ['remote']],
      ['user-codex', ['docs', 'web']],
    ]);
    expect(files.find(({ program }) => program === 'claude-desktop')?.problem).toContain('line 1');
    const all = files.flatMap(({ candidates }) => candidates);
    expect(all.find(({ name }) => name === 'github')).toMatchObject({
      definition: { args: ['run', '-e', 'TOKEN=${secret:TOKEN}'], environment: { T_TOKEN: '${secret:T_TOKEN}' } },
      secrets: ['TOKEN', 'T_TOKEN'],
      missing: [],
    });
    expect(all.find(({ id }) => id === 'Perplexity-Search')).toMatchObject({
      definition: { command: 'npx', args: ['-y', 'perplexity'] },
      missing: ['perplexity-key'],
    });
    expect(all.find(({ name }) => name === 'remote')).toMatchObject({
      notes: [],
      definition: { url: 'https://c.example/sse' },
    });
    expect(all.find(({ name }) => name === 'docs')).toMatchObject({
      isOn: false,
      definition: { environment: { LOCAL_TOKEN: '${env:LOCAL_TOKEN:-}', API_KEY: '${secret:API_KEY}' } },
    });
    expect(all.find(({ name }) => name === 'web')).toMatchObject({
      definition: { headers: { Authorization: 'Bearer ${env:WEB_TOKEN}', 'X-Region': 'eu' } },
      secrets: [],
    });
  });

  test('in a file that is a pipe or too large are not waited for, and the others are shown', async () => {
    await using place = await fixture();
    const { folder, homeDir } = place;
    execFileSync('mkfifo', [join(folder, '.mcp.json')]);
    await put(folder, '.vscode/mcp.json', ' '.repeat(16 * 1024 ** 2 + 1));
    await put(homeDir, '.cursor/mcp.json', '{"mcpServers":{"remote":{"url":"https://c.example/mcp"}}}');
    const problem = 'not a readable file of 16 MiB at most';
    expect(await place.mcp.imports.files(folder)).toMatchObject([
      { id: 'project-mcp-json', problem },
      { id: 'project-vscode', problem },
      { id: 'user-cursor', problem: null },
    ]);
  });

  test('are added only as they were shown, all or none', async () => {
    await using place = await fixture();
    const { folder, mcp } = place;
    const text = (value: string) =>
      JSON.stringify({ mcpServers: { a: { command: 'node', env: { KEY: value } }, b: { command: 'node' } } });
    await put(folder, '.mcp.json', text('canary-1'));
    const [shown] = await mcp.imports.files(folder);
    const chosen = (shown?.candidates ?? []).map(({ name, fingerprint }) => ({ name, fingerprint }));
    const request = { source: { id: 'project-mcp-json' }, chosen, scope: 'project' as const, folder };
    await put(folder, '.mcp.json', text('canary-2'));
    await expect(mcp.imports.run(request)).rejects.toMatchObject({ code: 'MCP_INVALID', reason: 'changed' });
    expect((await mcp.servers.list(folder)).rows).toEqual([]);
    await put(folder, '.mcp.json', text('canary-1'));
    expect(await mcp.imports.run(request)).toEqual(['a', 'b']);
    expect((await mcp.servers.list(folder)).rows).toMatchObject([
      { id: 'a', scope: 'project', secrets: [{ name: 'KEY', isStored: true }] },
      { id: 'b', scope: 'project' },
    ]);
    await expect(mcp.imports.run(request)).rejects.toMatchObject({ code: 'MCP_INVALID', reason: 'exists' });
    expect(await mcp.imports.run({ ...request, scope: 'everywhere' })).toEqual(['a', 'b']);
    expect((await mcp.servers.list(undefined)).rows.filter(({ scope }) => scope === 'everywhere')).toHaveLength(2);
  });

  test('keep their state and the tools that are turned off', async () => {
    await using place = await fixture();
    const [docs] = await place.mcp.imports.read(CODEX);
    const chosen = [{ name: 'docs', fingerprint: docs?.fingerprint ?? '' }];
    await place.mcp.imports.run({ source: { text: CODEX }, chosen, scope: 'everywhere', folder: null });
    expect((await place.mcp.servers.list(undefined)).rows).toMatchObject([
      { id: 'docs', state: 'off', offTools: ['delete'] },
    ]);
  });

  test('in project files are not started by viewing them', async () => {
    await using place = await fixture();
    const touch = { command: 'node', args: ['-e', 'require("fs").writeFileSync("ran", "x")'] };
    await put(place.folder, '.mcp.json', JSON.stringify({ mcpServers: { touch } }));
    await place.mcp.imports.files(place.folder);
    expect(await place.tools()).toEqual([]);
    expect((await place.mcp.servers.list(place.folder)).rows).toEqual([]);
  });
});

describe('pasted text', () => {
  test.each([
    ['the usual object', '{"mcpServers":{"a":{"command":"x"}}}', ['a']],
    ['a part of it', '"a": {"command":"x"}, "b": {"url":"https://b.example"}', ['a', 'b']],
    ['servers by name', '{"a":{"command":"x"}}', ['a']],
    ['one server without a name', '{"command":"npx","args":["-y","@scope/server-files@1.2"]}', ['server-files']],
    ['one address without a name', '{"url":"https://api.example/mcp"}', ['api.example']],
    ['settings of VS Code', '{"mcp":{"servers":{"a":{"command":"x"}}}}', ['a']],
    ['a table of Codex', '[mcp_servers.a]\ncommand = "x"', ['a']],
  ])('is read as %s', async (_what, text, names) => {
    expect((await parseConfig(text)).map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ['{"mcpServers":', 'text'],
    ['[mcp_servers.a\ncommand', 'text'],
    ['hello', 'text'],
    ['[]', 'text'],
    ['{"other":{}}', 'no-servers'],
    ['{"mcpServers":{}}', 'no-servers'],
  ])('is refused with its reason: %s', async (text, reason) => {
    await using place = await fixture();
    await expect(place.mcp.imports.read(text)).rejects.toMatchObject({ code: 'MCP_INVALID', reason });
  });

  test('shows a server that cannot be used with its problem', async () => {
    await using place = await fixture();
    const [a, b] = await place.mcp.imports.read('{"mcpServers":{"a":{"url":"http://a.example"},"b":{"command":7}}}');
    expect(a).toMatchObject({ definition: null, problem: expect.stringContaining('url') });
    expect(b).toMatchObject({ definition: null, problem: expect.stringContaining('command') });
  });
});

test('the configurations are where each system keeps them', () => {
  const at = (platform: NodeJS.Platform, environment = {}) =>
    importSources({ platform, environment, homeDir: '/home/ada' }).map(({ path }) => path);
  expect(at('linux')).toContain('/home/ada/.config/Claude/claude_desktop_config.json');
  expect(at('darwin')).toContain('/home/ada/Library/Application Support/Code/User/mcp.json');
  expect(at('win32', { APPDATA: '/data' })).toContain('/data/Claude/claude_desktop_config.json');
  expect(at('linux', { CODEX_HOME: '/elsewhere' })).toContain('/elsewhere/config.toml');
});
