import type { Environment } from '@fucina/shared';
import { extensionsError } from '../errors.ts';
import { findProgram } from '../trust/program.ts';
import { isSafeAddress } from './mcp-file.ts';
import type { ServerTransport } from './open-client.ts';

/** A server that the client brings for one session: it needs no trust, and all of its tools are allowed. */
export type SessionServer = { id: string } & (
  | { command: string; args: readonly string[]; environment: Readonly<Record<string, string>> }
  | { url: string; headers: Readonly<Record<string, string>> }
);

/** MCP_INVALID for a missing program, and for an address that is neither https nor on this computer. */
export async function transportOf(server: SessionServer, environment: Environment): Promise<ServerTransport> {
  if ('url' in server) {
    const { id, url, headers } = server;
    if (!isSafeAddress(url)) throw extensionsError('MCP_INVALID', { reason: 'address', params: { id } });
    return { url, headers };
  }
  const { id, command, args } = server;
  const program = await findProgram(command, environment);
  if (program === undefined) throw extensionsError('MCP_INVALID', { reason: 'program', params: { id } });
  return { argv: [program, ...args], extraEnvironment: server.environment };
}
