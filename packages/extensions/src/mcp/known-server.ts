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
