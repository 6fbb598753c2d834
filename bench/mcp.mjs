// A call of a server's tool through ours, beside the same call by the bare SDK, alternating in one run. The official server of
// everything, one process of it for each side.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/lib.mjs';
import { median, nowMs, quantile, round, tempFolder } from './lib.mjs';

const CALLS = 2_000;
const from = createRequire(join(root, 'packages/extensions/package.json'));
const program = join(from.resolve('@modelcontextprotocol/server-everything/package.json'), '../dist/index.js');

export async function run() {
  const folder = tempFolder();
  try {
    const ours = await throughOurs(folder.path);
    const bare = await throughSdk();
    const times = { ours: [], bare: [] };
    for (let call = 0; call < CALLS + 100; call += 1) {
      for (const [side, act] of [
        ['ours', ours.call],
        ['bare', bare.call],
      ]) {
        const at = nowMs();
        await act();
        if (call >= 100) times[side].push(nowMs() - at);
      }
    }
    await ours.close();
    await bare.close();
    const method = `${CALLS} calls of echo over standard streams, alternating with the bare SDK; trust is checked before each of ours`;
    return [
      { figure: 'a call of an MCP tool, ms p50', value: round(median(times.ours), 2), bar: '–', method },
      { figure: 'the same, ms p95', value: round(quantile(times.ours, 0.95), 2), bar: '–', method: 'the same run' },
      {
        figure: 'the same by the bare SDK, ms p50',
        value: round(median(times.bare), 2),
        bar: '–',
        method: 'the same run',
      },
      {
        figure: 'what ours adds to a call, ms p50',
        value: round(median(times.ours) - median(times.bare), 2),
        bar: '≤ 2',
        method: 'the same run',
      },
    ];
  } finally {
    folder.remove();
  }
}

async function throughOurs(path) {
  const { createExtensions } = await import('../packages/extensions/dist/index.js');
  const { createOutboundHttp, systemAmbient } = await import('../packages/shared/dist/index.js');
  const ambient = systemAmbient('silent');
  const project = join(path, 'project');
  mkdirSync(join(project, '.svc'), { recursive: true });
  const server = { id: 'all', comando: 'node', argomenti: [program], allowlist: ['echo'] };
  writeFileSync(join(project, '.svc/mcp.json'), JSON.stringify({ server: [server] }));
  const http = createOutboundHttp({ ambient });
  const extensions = createExtensions({
    ambient,
    http,
    dataDir: join(path, 'data'),
    environment: process.env,
    capabilities: {},
  });
  await extensions.mcp.trust(project, 'all');
  const tools = await extensions.mcp.tools({ sessionId: 's', folder: project });
  const echo = tools.find(({ name }) => name === 'mcp__all__echo');
  const { signal } = new AbortController();
  const context = { signal, progress() {}, tell() {} };
  return {
    async call() {
      const { content } = await echo.run({ message: 'ciao' }, context);
      if (!content.includes('ciao')) throw new Error(content);
    },
    async close() {
      await extensions[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
    },
  };
}

async function throughSdk() {
  const { Client } = await import(from.resolve('@modelcontextprotocol/client'));
  const { StdioClientTransport } = await import(from.resolve('@modelcontextprotocol/client/stdio'));
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program], stderr: 'ignore' }));
  return {
    async call() {
      const { content } = await client.callTool({ name: 'echo', arguments: { message: 'ciao' } });
      if (!content[0].text.includes('ciao')) throw new Error('no answer');
    },
    close: () => client.close(),
  };
}
