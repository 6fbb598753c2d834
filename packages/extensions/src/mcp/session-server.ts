import type { Environment } from '@fucina/shared';
import { fingerprintOf } from '../trust/fingerprint.ts';
import { findProgram } from '../trust/program.ts';
import { isSafeAddress } from './mcp-file.ts';
import type { ServerTransport } from './open-client.ts';
import { type CallAnswers, type CallSubject, serverCalls } from './own/call-answers.ts';
import type { RunnableServer } from './runner.ts';
import { StartFailure } from './server-failure.ts';

/** A server that the client brings for one session: it needs no trust to start, and has all of its tools. */
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

export const broughtKey = (id: string): string => `editor/${id}`;

interface BroughtNeeds {
  environment: Environment;
  answers: CallAnswers;
  /** Of the session. */
  folder: string;
}

/** A server of a session's client, ready to start. */
export function broughtServer(server: SessionServer, { environment, answers, folder }: BroughtNeeds): RunnableServer {
  return {
    key: broughtKey(server.id),
    id: server.id,
    offTools: new Set(),
    calls: serverCalls(answers, async () => {
      try {
        return await subjectOf(server, await transportOf(server, environment), folder);
      } catch (error) {
        if (error instanceof StartFailure) return undefined;
        throw error;
      }
    }),
    async startable() {
      const way = await transportOf(server, environment);
      return { way, hash: JSON.stringify(way), secrets: [] };
    },
  };
}

/** Values of variables and headers may change with each start of the client: only their names count. */
async function subjectOf(server: SessionServer, way: ServerTransport, folder: string): Promise<CallSubject> {
  const { id } = server;
  const definition =
    'url' in server
      ? { url: server.url, headers: Object.keys(server.headers).sort() }
      : { args: server.args, environment: Object.keys(server.environment).sort() };
  const fingerprint = await fingerprintOf({ folder, definition, argv: 'argv' in way ? way.argv : [] });
  return { server: { scope: 'editor', folder, id }, folder, fingerprint };
}
