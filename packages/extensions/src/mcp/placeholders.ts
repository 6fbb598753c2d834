import { basename } from 'node:path';
import type { Environment } from '@fucina/shared';
import type { ServerDefinition } from './known-server.ts';

/**
 * Placeholders in the texts of a server: `${secret:NAME}` (also written `${input:NAME}`) is a value of the key store,
 * `${NAME}`, `${NAME:-default}` and `${env:NAME}` are variables of this process, `${workspaceFolder}`,
 * `${workspaceFolderBasename}` and `${userHome}` are folders.
 */
const PLACEHOLDER = /\$\{(?:(secret|input|env):)?([A-Za-z_][A-Za-z0-9_.-]*)(?::-([^}]*))?\}/g;

export interface PlaceholderValues {
  environment: Environment;
  homeDir: string;
  folder: string;
}

export interface MissingValue {
  reason: 'secret-missing' | 'variable-missing';
  name: string;
}

/** Names of the secrets that the server uses, in the order of their first use. */
export function secretNames({
  command = '',
  args,
  url = '',
  environment,
  headers,
  client,
}: ServerDefinition): string[] {
  const values = [...Object.values(environment), ...Object.values(headers)];
  const texts = [command, ...args, url, ...values, ...Object.values(present(client ?? {}))];
  const found = texts.flatMap((text) =>
    [...text.matchAll(PLACEHOLDER)].flatMap(([, kind, name = '']) => (isSecret(kind) ? [name] : [])),
  );
  return [...new Set(found)];
}

export function isPlaceholder(text: string): boolean {
  return text.replaceAll(PLACEHOLDER, '') !== text;
}

/** Everything but the secrets: what may be shown and compared. Throws nothing; a variable that is not set is returned. */
export function expandVariables(
  definition: ServerDefinition,
  values: PlaceholderValues,
): ServerDefinition | MissingValue {
  return expand(definition, (whole, { kind, name, otherwise }) => {
    if (isSecret(kind)) return whole;
    const known = kind === undefined ? folderNamed(name, values) : undefined;
    return known ?? (values.environment[name] || otherwise) ?? { reason: 'variable-missing', name };
  });
}

export function expandSecrets(
  definition: ServerDefinition,
  secrets: Readonly<Record<string, string>>,
): ServerDefinition | MissingValue {
  return expand(definition, (whole, { kind, name }) => {
    if (!isSecret(kind)) return whole;
    return secrets[name] ?? { reason: 'secret-missing', name };
  });
}

/** Only the texts that are set. */
function present(client: object): Record<string, string> {
  return Object.fromEntries(Object.entries(client).filter(([, value]) => value !== undefined));
}

function folderNamed(name: string, { folder, homeDir }: PlaceholderValues): string | undefined {
  if (name === 'workspaceFolder') return folder;
  if (name === 'workspaceFolderBasename') return basename(folder);
  return name === 'userHome' ? homeDir : undefined;
}

const isSecret = (kind: string | undefined): boolean => kind === 'secret' || kind === 'input';

interface Placeholder {
  kind: string | undefined;
  name: string;
  otherwise: string | undefined;
}

function expand(
  { command, args, workingFolder, url, environment, headers, client }: ServerDefinition,
  valueOf: (whole: string, placeholder: Placeholder) => string | MissingValue,
): ServerDefinition | MissingValue {
  let missing: MissingValue | undefined;
  const text = (given: string): string =>
    given.replaceAll(PLACEHOLDER, (whole, ...groups: (string | undefined)[]) => {
      const [kind, name = '', otherwise] = groups;
      const value = valueOf(whole, { kind, name, otherwise });
      if (typeof value === 'string') return value;
      missing ??= value;
      return '';
    });
  const record = (given: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, text(value)]));
  const expanded = {
    ...(command !== undefined && { command: text(command) }),
    args: args.map(text),
    ...(workingFolder !== undefined && { workingFolder: text(workingFolder) }),
    ...(url !== undefined && { url: text(url) }),
    environment: record(environment),
    headers: record(headers),
    ...(client && { client: { ...client, ...record(present(client)) } }),
  };
  return missing ?? expanded;
}
