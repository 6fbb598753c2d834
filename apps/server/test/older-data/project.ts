import { spawnSync } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Fingerprints of what the user trusts contain the place of the project, so it has a fixed one. */
export const HOME = '/tmp/fucina-older-data';
export const PROJECT = `${HOME}/project`;
/** The settings folder of the command line. */
export const CONFIG = `${HOME}/config`;
export const PLUGIN = `${HOME}/helper`;
export const TOKEN = 'a-token-of-32-characters-or-more!';

/** Programs of the project come first. */
export const environmentOf = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...environment,
  HOME,
  FUCINA_CONFIG_DIR: CONFIG,
  PATH: `${PROJECT}/bin:${environment.PATH}`,
});

/** Programs of the project: a fingerprint of others has their size and time. */
const MCP_SERVER = `const { createInterface } = require('node:readline');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const tools = ['greet', 'quiet'].map((name) => ({ name, description: name, inputSchema: { type: 'object', properties: {} } }));
  const result =
    method === 'initialize'
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'older', version: '1' } }
      : method === 'tools/list'
        ? { tools }
        : { content: [{ type: 'text', text: 'greeted' }] };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;
const run = (file: string): string => `#!/bin/sh\nexec node "$(dirname "$0")/${file}"\n`;
const FILES: Record<string, string> = {
  'README.md': '# Older\n',
  '.gitignore': 'marks\nnode_modules/\n',
  'package.json': '{"name":"older","private":true,"type":"commonjs"}\n',
  'bin/older-mcp': run('mcp.js'),
  'bin/mcp.js': MCP_SERVER,
  // The one of the computer, by a name whose content is known.
  'bin/node': `#!/bin/sh\nPATH="$(printf %s "$PATH" | sed 's|${PROJECT}/bin:||g')" exec node "$@"\n`,
  // Writes style sheets in capitals.
  'node_modules/.bin/prettier': '#!/bin/sh\ncase "$2" in *.css) exec tr a-z A-Z ;; esac\nexec cat\n',
  '.svc/settings.json': '{"version":2,"permissions":{"allow":["Bash(older *)"]}}\n',
  'bin/hook.js': "require('node:fs').appendFileSync(__dirname + '/../marks', 'x');\n",
  'node_modules/.bin/tsc': '#!/bin/sh\nexit 1\n',
  'node_modules/typescript/package.json': '{"name":"typescript","version":"7.0.2"}\n',
  'tsconfig.json': '{}\n',
  '.svc/mcp.json': '{"mcpServers":{"brought":{"command":"older-mcp"}}}\n',
  '.svc/hooks.json': '{"hooks":[{"id":"mark","events":["pre_tool_call"],"command":"node bin/hook.js"}]}\n',
  '.svc/worktree': '#!/bin/sh\necho prepared > prepared.txt\n',
  '.svc/plugins/brought/hook.js': '',
  '.svc/plugins/brought/plugin.json': '{"name":"Brought","tools":[{"name":"wave","command":"node hook.js"}]}\n',
};

/** The project, in a repository of one commit, and a plugin beside it. */
export async function writeProject(): Promise<void> {
  await rm(HOME, { recursive: true, force: true });
  for (const [path, text] of Object.entries(FILES)) await put(join(PROJECT, path), text);
  await put(join(PLUGIN, 'hook.js'), "console.log('nodded');\n");
  await put(join(PLUGIN, 'plugin.json'), '{"name":"Helper","tools":[{"name":"nod","command":"node hook.js"}]}\n');
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['commit', '-qm', 'Begin'],
  ])
    spawnSync('git', ['-C', PROJECT, '-c', 'user.name=O', '-c', 'user.email=o@o.example', ...args]);
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  if (text.startsWith('#!')) await chmod(path, 0o755);
}
