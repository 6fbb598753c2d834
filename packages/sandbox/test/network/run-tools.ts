import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess, systemAmbient } from '@fucina/shared';
import { createNetworkRules } from '../../src/network/network-rules.ts';
import { createSessionNetworks, type SessionNetworkNeeds } from '../../src/network/session-network.ts';
import { createSandbox } from '../../src/sandbox.ts';
import { lookup, startRegistry, TOOLS } from './registry.ts';

/** Output of a tool with the rule that allows the registry, and without one. */
export interface ToolResult {
  tool: string;
  isInstalled: boolean;
  allowed: string;
  refused: string;
}

const [base = '', home] = process.argv.slice(2);
const environment = { ...process.env, ...(home !== undefined && { HOME: home }) };
const ambient = systemAmbient('silent');
const registry = await startRegistry(base);

async function runTool(script: string, name: string, allow: string[]): Promise<string> {
  const rules = createNetworkRules({ allow, ask: [], deny: [] });
  await using networks = createSessionNetworks({
    ambient,
    environment,
    programs: async () => ({ bubblewrap: '/usr/bin/bwrap', nsenter: '/usr/bin/nsenter' }),
    rule: async (target) => rules.judge(target),
    lookup: lookup as unknown as NonNullable<SessionNetworkNeeds['lookup']>,
  });
  const sandbox = createSandbox({ ambient, environment, dataDir: join(base, 'data'), networks });
  const folder = join(base, 'projects', name);
  mkdirSync(folder, { recursive: true });
  const argv = ['/bin/bash', '--noprofile', '--norc', '-c', script] as const;
  const { settle, ...contained } = await sandbox.contain({
    argv,
    sessionId: name,
    folder,
    cwd: folder,
    writes: 'folder',
  });
  if (!contained.isContainer) throw new Error(`no sandbox: ${(await sandbox.state()).detail}`);
  const { stdout, stderr } = await runProcess({ ...contained, ambient, environment, timeoutMs: 120_000 });
  await settle();
  return Buffer.concat([stdout.bytes, stderr.bytes]).toString() + contained.notices().join('\n');
}

const results: ToolResult[] = [];
for (const { tool, script } of TOOLS) {
  const isInstalled = (
    await runTool(`(${tool} --version || ${tool} version) && echo installed`, `${tool}-version`, [])
  ).includes('installed');
  const text = script(registry);
  const allow = [`Network(registry.example:${registry.port})`];
  results.push({
    tool,
    isInstalled,
    allowed: isInstalled ? await runTool(text, `${tool}-allowed`, allow) : '',
    refused: isInstalled ? await runTool(text, `${tool}-refused`, []) : '',
  });
}
process.stdout.write(`${JSON.stringify(results)}\n`);
process.exit();
