import type { McpServer } from '@agentclientprotocol/sdk';
import type { SessionServer } from '@fucina/host';

/** The MCP servers of the editor's user. Which transport an address speaks is found when it is connected. */
export function serversOf(servers: readonly McpServer[]): SessionServer[] {
  const taken = new Set<string>();
  return servers.map((server) => {
    const id = freeId(server.name, taken);
    if (!('type' in server)) {
      const environment = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
      return { id, command: server.command, args: server.args, environment };
    }
    const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
    return { id, url: server.url, headers };
  });
}

const ID_LENGTH = 40;

/** Part of the names of its tools. */
function freeId(name: string, taken: Set<string>): string {
  const base =
    name
      .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, ID_LENGTH) || 'server';
  let id = base;
  for (let count = 2; taken.has(id); count += 1) id = `${base}-${count}`;
  taken.add(id);
  return id;
}
