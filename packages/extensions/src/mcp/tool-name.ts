import { createHash } from 'node:crypto';
import { textStart } from '@fucina/shared';

const MAX_NAME = 64;
const HASH_LENGTH = 8;

/** A tool or a prompt of a server as models and users name it. */
export function toolName(serverId: string, name: string): string {
  return textStart(whole(serverId, name), MAX_NAME);
}

/**
 * A name for each of a server's tools, by its own name. Of several with the same name here the one that is written so
 * keeps it; the others end with a hash of their own name. So a name never changes its meaning with the order of the list.
 */
export function toolNames(serverId: string, names: readonly string[]): Map<string, string> {
  const own = [...new Set(names)];
  const uses = new Map<string, number>();
  for (const name of own) uses.set(toolName(serverId, name), (uses.get(toolName(serverId, name)) ?? 0) + 1);
  return new Map(
    own.map((name) => {
      const usual = toolName(serverId, name);
      const isExact = usual === `mcp__${serverId}__${name}`;
      return [name, isExact || uses.get(usual) === 1 ? usual : hashed(serverId, name)];
    }),
  );
}

function hashed(serverId: string, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${whole(serverId, name).slice(0, MAX_NAME - HASH_LENGTH - 1)}_${hash}`;
}

function whole(serverId: string, name: string): string {
  return `mcp__${serverId}__${name}`.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
