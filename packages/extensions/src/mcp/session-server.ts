import type { Environment } from '@fucina/shared';
import { findProgram } from '../trust/program.ts';
import { isSafeAddress } from './mcp-file.ts';
import type { ServerTransport } from './open-client.ts';
import { StartFailure } from './server-failure.ts';

/** A server that the client brings for one session: it needs no trust, and all of its tools are allowed. */
export type SessionServer = { id: string } & (
  | { command: string; args: readonly string[]; environment: Readonly<Record<string, string>> }
  | { url: string; headers: Readonly<Record<string, string>> }
);

/** Throws StartFailure for a missing program, and for an address that is neither https nor on this computer. */
export async function transportOf(server: SessionServer, environment: Environment): Promise<ServerTransport> {
  if ('url' in server) {
    const { url, headers } = server;
    if (!isSafeAddress(url)) throw new StartFailure('address', null);
    return { url, headers };
  }
  const { command, args } = server;
  const program = await findProgram(command, environment);
  if (program === undefined) throw new StartFailure('program-not-found', command);
  return { argv: [program, ...args], extraEnvironment: server.environment };
}
