import { type EventsOptions, sessionEvents } from './events.ts';
import type { Answer, JsonPath, Method, OperationPath, OptionsArguments, SessionEvent } from './operations.ts';
import { dataOf, type RequestOptions, sender } from './request.ts';

export interface ClientOptions {
  /** Where the server listens, such as `http://127.0.0.1:4317`. Default: the origin of the page. */
  url?: string | URL;
  /** The token that the server was started with. A page of the same origin has the cookie and needs none. */
  token?: string;
  /** The language of error texts. Default: that of the request, else the server's. */
  language?: 'it' | 'en';
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
}

/** How an approval is allowed beyond this one call: for the folder, or the path, for the rest of the session. */
export interface Decision {
  scope?: 'cartella' | 'percorso';
  signal?: AbortSignal;
}

type Call<M extends Method> = <Path extends JsonPath<M>>(
  path: Path,
  ...options: OptionsArguments<M, Path>
) => Promise<Answer<M, Path>>;

/** Every method throws ApiError for a failed request, and the signal's reason after an abort. */
export interface Client {
  get: Call<'get'>;
  post: Call<'post'>;
  patch: Call<'patch'>;
  delete: Call<'delete'>;
  /** The successful answer itself, for operations that answer bytes, a page or a stream. */
  fetch<M extends Method, Path extends OperationPath<M>>(
    method: M,
    path: Path,
    ...options: OptionsArguments<M, Path>
  ): Promise<Response>;
  /** The events of a session, each once and in order, across reconnections. */
  events(sessionId: string, options?: EventsOptions): AsyncGenerator<SessionEvent, void>;
  /** Answers an `ApprovalRequested` event: the call runs. */
  approve(sessionId: string, requestId: string, decision?: Decision): Promise<void>;
  /** Answers an `ApprovalRequested` event: the call does not run, and the agent continues. */
  deny(sessionId: string, requestId: string): Promise<void>;
  /** Answers a `UserQuestionRequested` event, by the ids of its questions. */
  answer(sessionId: string, requestId: string, answers: Record<string, string | string[]>): Promise<void>;
}

export function createClient(options: ClientOptions = {}): Client {
  const send = sender({
    url: new URL(options.url ?? pageOrigin()),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    headers: {
      ...(options.token !== undefined && { cookie: `svc_token=${options.token}` }),
      ...(options.language && { 'accept-language': options.language }),
    },
  });
  const call =
    <M extends Method>(method: M): Call<M> =>
    async (path, ...[given]) => {
      const request = given as RequestOptions | undefined;
      return (await dataOf(await send(method, path, request), request?.signal)) as Answer<M, typeof path>;
    };
  const post = call('post');

  return {
    get: call('get'),
    post,
    patch: call('patch'),
    delete: call('delete'),
    fetch: (method, path, ...[given]) => send(method, path, given as RequestOptions | undefined),
    events: (sessionId, how = {}) => sessionEvents(send, sessionId, how),
    async approve(sessionId, requestId, { scope, signal } = {}) {
      const body = { requestId, approvato: true, ...(scope && { ambito: scope }) };
      await post('/sessions/{sessionId}/approve', { path: { sessionId }, body, ...(signal && { signal }) });
    },
    async deny(sessionId, requestId) {
      await post('/sessions/{sessionId}/approve', { path: { sessionId }, body: { requestId, approvato: false } });
    },
    async answer(sessionId, requestId, answers) {
      const body = { requestId, status: 'answered' as const, answers };
      await post('/sessions/{sessionId}/question', { path: { sessionId }, body });
    },
  };
}

function pageOrigin(): string {
  const { location } = globalThis as { location?: { origin: string } };
  if (!location) throw new TypeError('Outside of a page, createClient needs the url of the server');
  return location.origin;
}
