import { operationOf } from './english.ts';
import type {
  AddressArguments,
  Answer,
  Frame,
  JsonPath,
  Method,
  OperationPath,
  OptionsArguments,
} from './operations.ts';
import { addressOf, dataOf, type RequestOptions, type Send, sender } from './request.ts';

type Language = 'it' | 'en';

export interface ClientOptions {
  /** Where the server listens, such as `http://127.0.0.1:4317`. Default: the origin of the page. */
  url?: string | URL;
  /** The token that the server was started with. A page of the same origin has the cookie and needs none. */
  token?: string;
  /** The language of error texts; a function is called for each request. Default: that of the request, else the server's. */
  language?: Language | (() => Language);
  /** Sends every request. Default: the global `fetch`. */
  fetch?: typeof fetch;
}

type Call<M extends Method> = <Path extends JsonPath<M>>(
  path: Path,
  ...options: OptionsArguments<M, Path>
) => Promise<Answer<M, Path>>;

/** Every request throws ApiError when it fails, and the signal's reason after an abort. */
export interface Calls {
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
  /** The `data` of an answer that arrived by another way than `get` and the like, in English. */
  read<M extends Method, Path extends JsonPath<M>>(method: M, path: Path, data: unknown): Promise<Answer<M, Path>>;
  /** The data of one frame of a stream, in English. */
  readFrame<Path extends OperationPath<'get'>>(path: Path, data: string): Promise<Frame<Path>>;
  /** The address of an operation, for what sends the request itself: a link, an image, an `EventSource`. */
  address<M extends Method, Path extends OperationPath<M>>(
    method: M,
    path: Path,
    ...options: AddressArguments<M, Path>
  ): string;
}

/** The calls of a client without its events and replies: what remains of it is not loaded. */
export function createCalls(options: ClientOptions = {}): Calls {
  return callsOf(options, connect(options));
}

/** How the requests of a client are sent. */
export function connect(options: ClientOptions): Send {
  const { language } = options;
  return sender({
    url: () => urlOf(options),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    headers: () => ({
      ...(options.token !== undefined && { cookie: `svc_token=${options.token}` }),
      ...(language && { 'accept-language': typeof language === 'function' ? language() : language }),
    }),
  });
}

export function callsOf(options: ClientOptions, send: Send): Calls {
  const call =
    <M extends Method>(method: M): Call<M> =>
    async (path, ...[given]) => {
      const request = given as RequestOptions | undefined;
      const response = await send(method, path, request);
      return (await dataOf(response, operationOf(method, path), request?.signal)) as Answer<M, typeof path>;
    };
  return {
    get: call('get'),
    post: call('post'),
    patch: call('patch'),
    delete: call('delete'),
    fetch: (method, path, ...[given]) => send(method, path, given as RequestOptions | undefined),
    read: async (method, path, data) => (await operationOf(method, path).answerFromWire(data)) as never,
    readFrame: async (path, data) => (await operationOf('get', path).frameFromWire(JSON.parse(data))) as never,
    address: (method, path, ...[given]) =>
      addressOf(urlOf(options), operationOf(method, path), given as RequestOptions).href,
  };
}

function urlOf({ url }: ClientOptions): URL {
  if (url !== undefined) return new URL(url);
  const { location } = globalThis as { location?: { origin: string } };
  if (!location) throw new TypeError('Outside of a page, a client needs the url of the server');
  return new URL(location.origin);
}
