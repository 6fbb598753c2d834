import { language } from '../words/words.ts';
import { checkServer, setSignedOut } from './server-state.ts';

export interface WireErrorBody {
  code: string;
  message: string;
  title: string;
  explanation: string;
  action: string;
  doctorReference?: string;
  reason?: string;
}

/** A failed request. `OFFLINE`: the server did not answer. */
export class WireError extends Error {
  override readonly name = 'WireError';
  readonly code: string;
  readonly body: WireErrorBody | undefined;

  constructor(code: string, body?: WireErrorBody, cause?: unknown) {
    super(body?.message ?? code, { cause });
    this.code = code;
    this.body = body;
  }
}

export const BASE = '/api/v1';

type Query = Record<string, string | undefined>;

/** The address of an operation; path parts are encoded, absent query values omitted. */
export function address(parts: readonly string[], query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  const tail = search.size > 0 ? `?${search}` : '';
  return `${BASE}/${parts.map(encodeURIComponent).join('/')}${tail}`;
}

async function reach(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    void checkServer();
    throw new WireError('OFFLINE', undefined, cause);
  }
}

async function opened<Data>(response: Response): Promise<Data> {
  let envelope: { ok?: boolean; data?: Data; error?: WireErrorBody } | undefined;
  try {
    envelope = (await response.json()) as typeof envelope;
  } catch (cause) {
    throw new WireError('OFFLINE', undefined, cause);
  }
  if (response.status === 401) setSignedOut(true);
  if (!envelope?.ok) throw new WireError(envelope?.error?.code ?? 'INTERNAL_ERROR', envelope?.error);
  setSignedOut(false);
  return envelope.data as Data;
}

const exchange = async <Data>(url: string, request: RequestInit): Promise<Data> => opened(await reach(url, request));

/** The whole answer with its headers. Throws WireError. */
export async function readEnvelope(url: string): Promise<Response> {
  const response = await reach(url, { headers: { 'accept-language': language() } });
  return response.ok ? response : opened(response);
}

/** Like `readWhole`, without headers. */
export const readBlob = async (url: string): Promise<Blob> => (await readEnvelope(url)).blob();

/** Throws WireError. */
export function read<Data>(url: string, signal?: AbortSignal, more: Record<string, string> = {}): Promise<Data> {
  return exchange(url, { headers: { 'accept-language': language(), ...more }, ...(signal ? { signal } : {}) });
}

/** Without a body nothing is sent: some operations reject even an empty object. Throws WireError. */
export function send<Data>(url: string, body?: unknown, signal?: AbortSignal): Promise<Data> {
  const headers = { 'accept-language': language() };
  return exchange(url, {
    method: 'POST',
    ...(signal ? { signal } : {}),
    ...(body === undefined
      ? { headers }
      : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
}

/** Changes only the fields of `body`. Throws WireError. */
export function amend<Data>(url: string, body: unknown): Promise<Data> {
  const headers = { 'accept-language': language(), 'content-type': 'application/json' };
  return exchange(url, { method: 'PATCH', headers, body: JSON.stringify(body) });
}

/** Uploads a raw file with its name. Throws WireError. */
export function sendFile<Data>(url: string, file: Blob, name: string): Promise<Data> {
  const headers = {
    'accept-language': language(),
    'content-type': 'application/octet-stream',
    'x-svc-file-name': encodeURIComponent(name),
  };
  return exchange(url, { method: 'POST', headers, body: file });
}

/** Throws WireError. */
export function erase<Data>(url: string): Promise<Data> {
  return exchange(url, { method: 'DELETE', headers: { 'accept-language': language() } });
}
