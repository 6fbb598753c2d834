import { createHash } from 'node:crypto';
import { isAbsolute, join, resolve } from 'node:path';
import { type Environment, isWithin } from '@fucina/shared';
import { type ExecutedContents, fingerprintOf, namesFileOf } from '../trust/fingerprint.ts';
import { findProgram } from '../trust/program.ts';
import type { TrustStore, TrustSubject } from '../trust/trust-store.ts';
import type { KnownServer, ServerDefinition } from './known-server.ts';
import { isSafeAddress } from './mcp-file.ts';
import type { ServerTransport } from './open-client.ts';
import type { CallSubject } from './own/call-answers.ts';
import type { OwnServers } from './own/own-servers.ts';
import { expandSecrets, expandVariables, secretNames } from './placeholders.ts';
import { StartFailure } from './server-failure.ts';

/** What would start, as far as it can be known without the secrets. */
export interface Examined {
  /** What must equal the trusted fingerprint; undefined for a server that needs no trust. */
  fingerprint: string | undefined;
  isTrusted: boolean;
  /** What the user's answer about its calls applies to. */
  subject: CallSubject;
  /** Reads the secrets. Throws StartFailure, PROVIDER_STORE_UNAVAILABLE. */
  prepare(): Promise<Startable>;
}

export interface Startable {
  way: ServerTransport;
  /** Changes with everything that would be started. */
  hash: string;
  secrets: readonly string[];
}

export interface ExamineNeeds {
  environment: Environment;
  homeDir: string;
  trust: TrustStore;
  own: Pick<OwnServers, 'secretsOf'>;
}

/**
 * Examines a server as it is now. A file's server needs trust always; one that the user added only where it would run
 * something of the project: a file of it that an argument names, or any program started in its folder. Without a
 * project (undefined) a server of every project starts in the home folder.
 * Throws StartFailure for what cannot start.
 */
export async function examine(
  needs: ExamineNeeds,
  server: KnownServer,
  project: string | undefined,
): Promise<Examined> {
  const folder = project ?? server.folder ?? needs.homeDir;
  const isOwn = server.scope !== 'file';
  const definition = isOwn ? withVariables(needs, server, folder) : server.definition;
  const contents = await contentsOf(needs, { server, definition, folder });
  const hasProject = project !== undefined || server.folder !== null;
  const fingerprint = hasProject && (await needsTrust(server, contents)) ? await fingerprintOf(contents) : undefined;
  const known = fingerprint === undefined ? undefined : await needs.trust.trustedHash(trustSubject(server, folder));
  return {
    fingerprint,
    isTrusted: fingerprint === known,
    subject: {
      server,
      folder: fingerprint === undefined ? server.folder : folder,
      fingerprint: fingerprint ?? sha256Of(server.definition),
    },
    async prepare() {
      const secrets = server.secrets.length > 0 ? await needs.own.secretsOf(server) : {};
      const whole = isOwn ? expandSecrets(definition, secrets) : definition;
      if ('reason' in whole) throw new StartFailure(whole.reason, whole.name);
      const way = wayOf(whole, contents);
      return { way, hash: sha256Of([fingerprint, way]), secrets: Object.values(secrets) };
    },
  };
}

/** What an answer about its calls applies to now; undefined while it cannot start or is not trusted. */
export async function trustedSubject(
  needs: ExamineNeeds,
  server: KnownServer,
  project: string | undefined,
): Promise<CallSubject | undefined> {
  try {
    const { isTrusted, subject } = await examine(needs, server, project);
    return isTrusted ? subject : undefined;
  } catch (error) {
    if (error instanceof StartFailure) return undefined;
    throw error;
  }
}

const sha256Of = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** The trust of a server in a project, as it is stored. */
export function trustSubject({ scope, id }: KnownServer, folder: string): TrustSubject {
  return scope === 'file' ? { kind: 'mcp', folder, id } : { kind: 'mcp-own', folder, id: `${scope}.${id}` };
}

function withVariables(needs: ExamineNeeds, server: KnownServer, folder: string): ServerDefinition {
  const { environment, homeDir } = needs;
  const expanded = expandVariables(server.definition, { environment, homeDir, folder });
  if ('reason' in expanded) throw new StartFailure(expanded.reason, expanded.name);
  const missing = secretNames(server.definition).find((name) => !server.secrets.includes(name));
  if (missing !== undefined) throw new StartFailure('secret-missing', missing);
  return expanded;
}

interface Placed {
  server: KnownServer;
  definition: ServerDefinition;
  folder: string;
}

async function contentsOf(needs: ExamineNeeds, { server, definition, folder }: Placed): Promise<ExecutedContents> {
  const isOwn = server.scope !== 'file';
  const { declared = server.definition } = server;
  const home = server.scope === 'everywhere' ? needs.homeDir : folder;
  const startFolder = definition.workingFolder ?? home;
  if (definition.url !== undefined) return { folder, definition: declared, argv: [], startFolder };
  const given = definition.command ?? '';
  const isPath = isOwn && !isAbsolute(given) && /[\\/]/.test(given);
  const program = await findProgram(isPath ? join(startFolder, given) : given, needs.environment);
  if (program === undefined) throw new StartFailure('program-not-found', given);
  // Before environments could be declared, the fingerprint had none: the definition contains it.
  return { folder, definition: declared, argv: [program, ...definition.args], startFolder };
}

async function needsTrust({ scope }: KnownServer, contents: ExecutedContents): Promise<boolean> {
  if (scope === 'file') return true;
  const { folder, argv, startFolder = folder } = contents;
  if (argv.length === 0) return false;
  return isWithin(folder, resolve(startFolder)) || namesFileOf(contents);
}

function wayOf(definition: ServerDefinition, { argv, startFolder }: ExecutedContents): ServerTransport {
  const { url, headers, environment, args, client } = definition;
  if (url !== undefined) {
    if (!isSafeAddress(url)) throw new StartFailure('address', null);
    return { url, headers, ...(client && { client }) };
  }
  return { argv: [argv[0] ?? '', ...args], extraEnvironment: environment, cwd: startFolder };
}
