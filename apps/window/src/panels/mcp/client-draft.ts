import type { McpDefinition } from '../../wire/mcp-servers.ts';

type Client = NonNullable<McpDefinition['client']>;
/** `browser`: the user signs in there. */
export type ClientWay = 'browser' | NonNullable<Client['mode']>;
type ClientText = Exclude<keyof Client, 'mode'>;

/** The OAuth client in the form. A secret is empty until it is typed anew. */
export interface ClientDraft extends Record<ClientText, string> {
  mode: ClientWay;
  /** The placeholders of the secrets in the key store. */
  stored: Partial<Record<SecretField, string>>;
}

export const SECRET_FIELDS = ['secret', 'identitySecret'] as const;
export type SecretField = (typeof SECRET_FIELDS)[number];

/** The fields of each way, in the order of the form. */
export const CLIENT_FIELDS = {
  browser: ['id', 'secret'],
  credentials: ['id', 'issuer', 'secret', 'keyFile'],
  upload: ['id', 'issuer', 'tokenFile'],
  company: ['id', 'secret', 'issuer', 'tokenFile', 'identityTokenUrl', 'identityId', 'identitySecret'],
} as const satisfies Record<ClientWay, readonly ClientText[]>;

export const CLIENT_WAYS = ['browser', 'credentials', 'upload', 'company'] as const;

const OPTIONAL: ReadonlySet<ClientText> = new Set(['secret', 'keyFile', 'identitySecret']);

export const isSecretField = (name: ClientText): name is SecretField =>
  (SECRET_FIELDS as readonly string[]).includes(name);

export function clientDraftOf(client: Client | undefined): ClientDraft {
  const { id = '', mode = 'browser', issuer = '', keyFile = '', tokenFile = '' } = client ?? {};
  const { identityTokenUrl = '', identityId = '', secret, identitySecret } = client ?? {};
  const texts = { id, issuer, keyFile, tokenFile, identityTokenUrl, identityId };
  return { ...texts, mode, secret: '', identitySecret: '', stored: { secret, identitySecret } };
}

/** The server stores a typed secret in the key store. */
export function savedClient(draft: ClientDraft): Pick<McpDefinition, 'client'> {
  const { mode, stored } = draft;
  const valueOf = (name: ClientText): string => draft[name].trim() || (isSecretField(name) ? (stored[name] ?? '') : '');
  const entries = CLIENT_FIELDS[mode].map((name) => [name, valueOf(name)] as const).filter(([, value]) => value);
  const fields = Object.fromEntries(entries) as Partial<Client>;
  const { id } = fields;
  return id === undefined ? {} : { client: { ...fields, id, ...(mode !== 'browser' && { mode }) } };
}

export type ClientProblem = ClientText;

/** A field that is missing. Without a browser there is no sign-in that could replace it. */
export function clientProblemOf(draft: ClientDraft): ClientProblem | undefined {
  const { mode } = draft;
  if (mode === 'browser') return undefined;
  const saved: Partial<Client> = savedClient({ ...draft, id: draft.id.trim() || '-' }).client ?? {};
  if (!draft.id.trim()) return 'id';
  const missing = CLIENT_FIELDS[mode].find((name) => !OPTIONAL.has(name) && !saved[name]);
  if (missing) return missing;
  return mode === 'credentials' && !saved.secret && !saved.keyFile ? 'secret' : undefined;
}
