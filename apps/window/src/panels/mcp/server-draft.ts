import type { McpServer, OwnScope, SavedServer } from '../../wire/mcp-servers.ts';
import { type ClientDraft, type ClientProblem, clientDraftOf, clientProblemOf, savedClient } from './client-draft.ts';

/** A variable or a header in the form. */
export interface DraftField {
  key: number;
  name: string;
  value: string;
  isSecret: boolean;
  /** Its value is in the key store: an empty field keeps it. */
  isStored: boolean;
}

export interface ServerDraft {
  name: string;
  scope: OwnScope;
  kind: 'stdio' | 'http';
  command: string;
  /** One in each line. */
  args: string;
  workingFolder: string;
  url: string;
  environment: readonly DraftField[];
  headers: readonly DraftField[];
  client: ClientDraft;
}

let lastKey = 0;
export const newField = (given: Partial<DraftField> = {}): DraftField => ({
  key: (lastKey += 1),
  name: '',
  value: '',
  isSecret: false,
  isStored: false,
  ...given,
});

export const emptyDraft = (scope: OwnScope): ServerDraft => ({
  name: '',
  scope,
  kind: 'stdio',
  command: '',
  args: '',
  workingFolder: '',
  url: '',
  environment: [],
  headers: [],
  client: clientDraftOf(undefined),
});

const WHOLE_SECRET = /^\$\{secret:([^}]+)\}$/;
const SECRETS = /\$\{(?:secret|input):([^}:]+)\}/g;

export function draftOf({ name: serverName, scope, definition, secrets }: McpServer): ServerDraft {
  const stored = new Set(secrets.filter(({ isSaved }) => isSaved).map(({ name }) => name));
  const fields = (record: Readonly<Record<string, string>>): DraftField[] =>
    Object.entries(record).map(([name, value]) => {
      // Only a secret of the field's own name is the whole field: others are listed apart.
      const isSecret = WHOLE_SECRET.exec(value)?.[1] === name;
      return newField({ name, value: isSecret ? '' : value, isSecret, isStored: isSecret && stored.has(name) });
    });
  return {
    name: serverName,
    scope: scope === 'project' ? 'project' : 'everywhere',
    kind: definition.url === undefined ? 'stdio' : 'http',
    command: definition.command ?? '',
    args: definition.arguments.join('\n'),
    workingFolder: definition.workingFolder ?? '',
    url: definition.url ?? '',
    environment: fields(definition.environment),
    headers: fields(definition.headers),
    client: clientDraftOf(definition.client),
  };
}

const SECRET_NAME = /key|token|secret|password|passwd|auth|credential|cookie/i;

/** Whether a field with this name is probably a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** Secrets that the texts of the form name, other than whole fields. */
export function namedSecrets(draft: ServerDraft): string[] {
  const fields = draft.kind === 'stdio' ? draft.environment : draft.headers;
  const plain = fields.filter(({ isSecret }) => !isSecret).map(({ value }) => value);
  const texts = draft.kind === 'stdio' ? [draft.command, draft.args, ...plain] : [draft.url, ...plain];
  const found = texts.flatMap((text) => [...text.matchAll(SECRETS)].map(([, name = '']) => name));
  return [...new Set(found)];
}

/** `values`: of the secrets that the texts name. */
export function savedOf(draft: ServerDraft, values: Readonly<Record<string, string>>): SavedServer {
  const isProgram = draft.kind === 'stdio';
  const fields = (isProgram ? draft.environment : draft.headers).filter(({ name }) => name.trim() !== '');
  const record = Object.fromEntries(
    fields.map(({ name, value, isSecret }) => [name.trim(), isSecret ? `\${secret:${name.trim()}}` : value]),
  );
  const typed = fields.filter(({ isSecret, value }) => isSecret && value !== '');
  const named = namedSecrets(draft).filter((name) => values[name]);
  const secrets = Object.fromEntries([
    ...typed.map(({ name, value }) => [name.trim(), value]),
    ...named.map((name) => [name, values[name] ?? '']),
  ]);
  const [command = '', ...words] = wordsOf(draft);
  const folder = draft.workingFolder.trim();
  return {
    name: draft.name.trim(),
    scope: draft.scope,
    definition: isProgram
      ? {
          command,
          arguments: words,
          ...(folder && { workingFolder: folder }),
          environment: record,
          headers: {},
        }
      : { url: draft.url.trim(), arguments: [], environment: {}, headers: record, ...savedClient(draft.client) },
    secrets,
  };
}

/** A command line in the field of the program is split where there are no arguments. */
function wordsOf({ command, args }: ServerDraft): string[] {
  const lines = args.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > 0) return [command.trim(), ...lines];
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, word]) => double ?? single ?? word ?? '',
  );
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export type DraftProblem = 'name' | 'command' | 'url' | ClientProblem;

export function problemOf(draft: ServerDraft): DraftProblem | undefined {
  if (!NAME.test(draft.name.trim()) || draft.name.includes('..')) return 'name';
  if (draft.kind === 'stdio') return draft.command.trim() ? undefined : 'command';
  return draft.url.trim() ? clientProblemOf(draft.client) : 'url';
}

/** What would run, as one line. */
export const commandOf = ({ command, arguments: args, url }: McpServer['definition']): string =>
  url ?? [command, ...args].join(' ');
