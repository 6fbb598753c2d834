const MAX_NAME = 64;

/** A tool or a prompt of a server as models and users name it. */
export function toolName(serverId: string, name: string): string {
  return `mcp__${serverId}__${name}`.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME);
}
