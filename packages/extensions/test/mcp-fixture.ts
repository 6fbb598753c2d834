import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  type Ambient,
  createOutboundHttp,
  realFolder,
  type SessionEvent,
  systemAmbient,
  type Tool,
  type ToolContext,
} from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { createMcp } from '../src/mcp/mcp.ts';
import { createTrustStore } from '../src/trust/trust-store.ts';

const require = createRequire(import.meta.url);
const OFFICIAL = {
  'server-everything': require.resolve('@modelcontextprotocol/server-everything/package.json'),
  'server-filesystem': require.resolve('@modelcontextprotocol/server-filesystem/package.json'),
};

/** The main file of an official server. */
export const program = (name: keyof typeof OFFICIAL): string => join(OFFICIAL[name], '..', 'dist', 'index.js');

/** How long a turn waits for a server that starts. */
const START_WAIT_MS = 2_500;

/** A project whose servers can be declared, trusted and called. */
export async function fixture(given: Ambient = systemAmbient('silent'), { startWaitMs = 30_000 } = {}) {
  // A busy computer starts servers slowly.
  const timer: Ambient['timer'] = (ms, act) => given.timer(ms === START_WAIT_MS ? startWaitMs : ms, act);
  const logged: Record<string, unknown>[] = [];
  const log = { ...given.log, warn: (event: string, fields = {}) => void logged.push({ event, ...fields }) };
  const ambient = { ...given, timer, log };
  const dir = await tempDir();
  await mkdir(join(dir.path, 'project', '.svc'), { recursive: true });
  const folder = await realFolder(join(dir.path, 'project'));
  const http = createOutboundHttp({ ambient });
  const dataDir = join(dir.path, 'data');
  const homeDir = join(dir.path, 'home');
  await mkdir(homeDir);
  const keyStore = new Map<string, string>();
  const open = () =>
    createMcp({
      isEnabled: () => true,
      ambient,
      http,
      dataDir,
      homeDir,
      secrets: {
        read: async (account) => keyStore.get(account),
        write: async (account, value) => void keyStore.set(account, value),
        remove: async (account) => void keyStore.delete(account),
      },
      environment: { ...process.env, HOME: homeDir, SECRET_TOKEN: 'canary' },
      trust: createTrustStore({ ambient, dataDir }),
    });
  const mcp = open();
  const session = { sessionId: 's1', folder };
  const events: SessionEvent[] = [];
  const progress: string[] = [];
  const context = (signal = new AbortController().signal, more: Partial<ToolContext> = {}) =>
    ({
      ...more,
      signal,
      progress: (text: string) => progress.push(text),
      tell: (some: readonly SessionEvent[]) => events.push(...some),
    }) as unknown as ToolContext;
  return {
    mcp,
    /** Another process with the same data. */
    open,
    dataDir,
    homeDir,
    keyStore,
    logged,
    folder,
    session,
    events,
    progress,
    declare: (...server: object[]) => writeFile(join(folder, '.svc/mcp.json'), JSON.stringify({ server })),
    async hostile(what: string, allowlist = ['good', 'a b/c']) {
      await copyFile(join(import.meta.dirname, 'hostile-server.mjs'), join(folder, 'server.mjs'));
      const server = { id: 'bad', comando: 'node', argomenti: ['server.mjs', what], allowlist };
      await writeFile(join(folder, '.svc/mcp.json'), JSON.stringify({ server: [server] }));
      await mcp.trust(folder, 'bad');
      return mcp.tools(session);
    },
    tools: () => mcp.tools(session),
    call: (tool: Tool | undefined, input: object = {}, ...[signal, more]: Parameters<typeof context>) =>
      tool ? tool.run(tool.input.parse(input), context(signal, more)) : Promise.reject(new Error('no such tool')),
    async [Symbol.asyncDispose]() {
      await mcp[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

export const serverWithEverything = (allowlist: string[]) => ({
  id: 'all',
  comando: 'node',
  argomenti: [program('server-everything')],
  allowlist,
});
export const toolNamed = (tools: readonly Tool[], name: string) => tools.find((tool) => tool.name === name);
