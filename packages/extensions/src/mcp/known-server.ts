import type { McpFailure } from '@fucina/shared';
import { placeName, type Reference, type Scope } from '../own/reference.ts';

export type ServerScope = Scope;
export type ServerReference = Reference;

/** A program to start, or an address to call. Texts may contain placeholders (see `placeholders.ts`). */
export interface ServerDefinition {
  command?: string | undefined;
  args: readonly string[];
  /** Absolute. Default: the project, or the home folder for a server of every project. */
  workingFolder?: string | undefined;
  url?: string | undefined;
  environment: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  /** How a sign-in names this program, where the user registered it; otherwise it registers itself. */
  client?: ServerClient | undefined;
}

export interface ServerClient {
  id: string;
  secret?: string | undefined;
  /** How the program gets tokens by itself; absent: the user signs in in the browser. */
  grant?: ProgramGrant | undefined;
  /** The only authorization server that gets the credentials. Required with `grant`. */
  issuer?: string | undefined;
  /** A file with the private key that replaces the secret. */
  keyFile?: string | undefined;
  /** A file with the token of the workload, or with the user's ID token of the company. */
  tokenFile?: string | undefined;
  /** The token endpoint of the company's identity provider, and this program there. */
  identityTokenUrl?: string | undefined;
  identityId?: string | undefined;
  identitySecret?: string | undefined;
}

/**
 * `client-credentials`: a secret or a key of the program; `workload`: the token that the system gave to this workload
 * (RFC 7523); `company`: the user's ID token of the company, exchanged at its identity provider (enterprise-managed
 * authorization).
 */
export const PROGRAM_GRANTS = ['client-credentials', 'workload', 'company'] as const;
export type ProgramGrant = (typeof PROGRAM_GRANTS)[number];

/** A client that needs no sign-in of the user. */
export type ProgramClient = ServerClient & { grant: ProgramGrant; issuer: string };

export function isProgramClient(client: ServerClient | undefined): client is ProgramClient {
  return client?.grant !== undefined && client.issuer !== undefined;
}

/** A server that may run, wherever it is configured. */
export interface KnownServer extends ServerReference {
  definition: ServerDefinition;
  /** Names of the allowed tools; absent: all of them. */
  allowlist?: readonly string[] | undefined;
  /** What the trust of a file's server covers, as the file declares it. */
  declared?: unknown;
  /** Names of the secrets that are in the key store. */
  secrets: readonly string[];
}

/** One name for each server, also of different projects. */
export function serverKey({ scope, folder, id }: ServerReference): string {
  return `${scope}/${placeName(folder)}/${id}`;
}

/** Why a server cannot be used now. */
export interface ServerFailure {
  reason: McpFailure;
  /** The underlying message, or the missing name. */
  detail: string | null;
}
