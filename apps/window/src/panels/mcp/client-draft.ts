import type { McpDefinition } from '../../wire/mcp-servers.ts';

type Client = NonNullable<McpDefinition['client']>;
/** `browser`: the user signs in there. */
export type ClientWay = 'browser' | NonNullable<Client['modo']>;
type ClientText = Exclude<keyof Client, 'modo'>;

/** The OAuth client in the form. A secret is empty until it is typed anew. */
export interface ClientDraft extends Record<ClientText, string> {
  modo: ClientWay;
  /** The placeholders of the secrets in the key store. */
  stored: Partial<Record<SecretField, string>>;
}

export const SECRET_FIELDS = ['segreto', 'segretoIdentita'] as const;
export type SecretField = (typeof SECRET_FIELDS)[number];

/** The fields of each way, in the order of the form. */
export const CLIENT_FIELDS = {
  browser: ['id', 'segreto'],
  credenziali: ['id', 'emittente', 'segreto', 'fileChiave'],
  carico: ['id', 'emittente', 'fileToken'],
  azienda: ['id', 'segreto', 'emittente', 'fileToken', 'urlIdentita', 'idIdentita', 'segretoIdentita'],
} as const satisfies Record<ClientWay, readonly ClientText[]>;

export const CLIENT_WAYS = ['browser', 'credenziali', 'carico', 'azienda'] as const;

const OPTIONAL: ReadonlySet<ClientText> = new Set(['segreto', 'fileChiave', 'segretoIdentita']);

export const isSecretField = (name: ClientText): name is SecretField =>
  (SECRET_FIELDS as readonly string[]).includes(name);

export function clientDraftOf(client: Client | undefined): ClientDraft {
  const { id = '', modo = 'browser', emittente = '', fileChiave = '', fileToken = '' } = client ?? {};
  const { urlIdentita = '', idIdentita = '', segreto, segretoIdentita } = client ?? {};
  const texts = { id, emittente, fileChiave, fileToken, urlIdentita, idIdentita };
  return { ...texts, modo, segreto: '', segretoIdentita: '', stored: { segreto, segretoIdentita } };
}

/** The server stores a typed secret in the key store. */
export function savedClient(draft: ClientDraft): Pick<McpDefinition, 'client'> {
  const { modo, stored } = draft;
  const valueOf = (name: ClientText): string => draft[name].trim() || (isSecretField(name) ? (stored[name] ?? '') : '');
  const entries = CLIENT_FIELDS[modo].map((name) => [name, valueOf(name)] as const).filter(([, value]) => value);
  const fields = Object.fromEntries(entries) as Partial<Client>;
  const { id } = fields;
  return id === undefined ? {} : { client: { ...fields, id, ...(modo !== 'browser' && { modo }) } };
}

export type ClientProblem = ClientText;

/** A field that is missing. Without a browser there is no sign-in that could replace it. */
export function clientProblemOf(draft: ClientDraft): ClientProblem | undefined {
  const { modo } = draft;
  if (modo === 'browser') return undefined;
  const saved: Partial<Client> = savedClient({ ...draft, id: draft.id.trim() || '-' }).client ?? {};
  if (!draft.id.trim()) return 'id';
  const missing = CLIENT_FIELDS[modo].find((name) => !OPTIONAL.has(name) && !saved[name]);
  if (missing) return missing;
  return modo === 'credenziali' && !saved.segreto && !saved.fileChiave ? 'segreto' : undefined;
}
