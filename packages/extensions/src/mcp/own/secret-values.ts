import type { ServerClient, ServerDefinition } from '../known-server.ts';
import { isPlaceholder } from '../placeholders.ts';

const SECRET_NAME =
  /(?:^|[^a-z])(?:api[-_]?key|access[-_]?key|key|tokens?|secrets?|passwords?|passwd|pwd|pat|auth|authorization|credentials?|cookie)(?:$|[^a-z])/i;
const CAMEL_SECRET_NAME = /[a-z](?:Key|Token|Secret|Password)$/;
const SECRET_VALUE =
  /^(?:Bearer |Basic )|\b(?:sk|pk|rk|ghp|gho|ghs|ghu|glpat|xox[abprs]|npm|figd|ntn|lin_api|pat)[-_][\w-]{8,}|github_pat_\w{10,}|\bAKIA[0-9A-Z]{12,}|\beyJ[\w-]{10,}\.[\w-]+|:\/\/[^/\s:@]+:[^/\s@]+@/;
const PLAIN_VALUE = /^(?:true|false|yes|no|on|off|null|none|\d{1,9}|)$/i;

/** Whether a value must not be written into a file. */
export function looksSecret(name: string, value: string): boolean {
  if (isPlaceholder(value) || PLAIN_VALUE.test(value)) return false;
  return SECRET_NAME.test(name) || CAMEL_SECRET_NAME.test(name) || SECRET_VALUE.test(value);
}

export interface SeparatedSecrets {
  /** Each secret is replaced by `${secret:NAME}`. */
  definition: ServerDefinition;
  secrets: Record<string, string>;
}

/** Takes what looks like a secret out of the texts of a server. */
export function separateSecrets(definition: ServerDefinition): SeparatedSecrets {
  const secrets: Record<string, string> = {};
  const put = (wanted: string, value: string): string => {
    const base = wanted.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^[_\d]+|_+$/g, '') || 'SECRET';
    let name = base;
    for (let number = 2; name in secrets && secrets[name] !== value; number += 1) name = `${base}_${number}`;
    secrets[name] = value;
    return `\${secret:${name}}`;
  };
  const record = (given: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, looksSecret(name, value) ? put(name, value) : value]),
    );
  return {
    definition: {
      ...definition,
      args: definition.args.map((argument, at) => cleanArgument(argument, definition.args[at - 1], put)),
      ...(definition.url !== undefined && { url: cleanAddress(definition.url, put) }),
      environment: record(definition.environment),
      headers: record(definition.headers),
      ...(definition.client && { client: cleanClient(definition.client, put) }),
    },
    secrets,
  };
}

/** The secrets of a client are secrets, whatever they look like. */
function cleanClient(client: ServerClient, put: Put): ServerClient {
  const clean = (name: string, given: string | undefined) =>
    given === undefined || isPlaceholder(given) ? given : put(name, given);
  const secret = clean('CLIENT_SECRET', client.secret);
  const identitySecret = clean('IDENTITY_SECRET', client.identitySecret);
  return {
    ...client,
    ...(secret !== undefined && { secret }),
    ...(identitySecret !== undefined && { identitySecret }),
  };
}

type Put = (name: string, value: string) => string;

/** `--token=value`, `--token value`, `NAME=value` and `Header: value`. */
function cleanArgument(argument: string, before: string | undefined, put: Put): string {
  const [, name, separator, value] = /^(-{0,2}[\w.-]+)(=|:\s*)(.+)$/s.exec(argument) ?? [];
  if (name !== undefined && value !== undefined && separator !== undefined && !value.startsWith('//')) {
    return looksSecret(name, value) ? `${name}${separator}${put(name, value)}` : argument;
  }
  const flag = before?.startsWith('--') && !before.includes('=') ? before : '';
  return !argument.startsWith('-') && looksSecret(flag, argument) ? put(flag || 'SECRET', argument) : argument;
}

function cleanAddress(address: string, put: Put): string {
  const at = address.indexOf('?');
  if (at < 0) return address;
  const parts = address.slice(at + 1).split('&');
  const cleaned = parts.map((part) => {
    const [name = '', ...rest] = part.split('=');
    const value = rest.join('=');
    return looksSecret(name, value) ? `${name}=${put(name, value)}` : part;
  });
  return `${address.slice(0, at)}?${cleaned.join('&')}`;
}
