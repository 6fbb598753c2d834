import { APICallError } from '@ai-sdk/provider';
import { MAX_LINE } from '@fucina/shared';
import { secretsOf } from '../connection/access.ts';
import { failureInStream } from './classify.ts';
import { platformRequest } from './claude-platform.ts';
import { CANNOT_BE_READ, interrupted, WireFailure } from './failure.ts';
import { providerMessage } from './provider-message.ts';
import { asWireFailure, openStream, type WireCall } from './wire.ts';

/** A placeholder for the key: the real one is added later, and the library never sees it. */
export const PLACEHOLDER_KEY = 'set-by-fucina';

/** The headers of a vendor's library that are sent; credentials are ours. */
const PASSED_HEADERS = /^(content-type|anthropic-|openai-)/i;

export interface SdkFetch {
  /** The address without its query, which `fetch` appends again. */
  baseURL: string;
  fetch: typeof globalThis.fetch;
  /** The first failure of the request: a library may wrap or swallow what it is thrown. */
  failure(): WireFailure | undefined;
  /** The failure behind an error of the library: what the provider reported inside its stream. */
  reported(error: unknown): WireFailure;
}

/** A `fetch` for a vendor's library that uses our outbound HTTP with its limits. */
export function createSdkFetch(call: WireCall): SdkFetch {
  let failure: WireFailure | undefined;
  const keep = (error: unknown, hasStarted: boolean): unknown => {
    const wrapped = asWireFailure(error, hasStarted);
    if (wrapped instanceof WireFailure) failure ??= wrapped;
    return wrapped;
  };
  const { origin, pathname, search } = new URL(call.endpoint);
  return {
    baseURL: origin + pathname.replace(/\/+$/, ''),
    failure: () => failure,
    reported: (error) => reportedFailure(error, call),
    async fetch(input, init) {
      const sent = Object.entries((init?.headers ?? {}) as Record<string, string>);
      const headers = Object.fromEntries(sent.filter(([name]) => PASSED_HEADERS.test(name)));
      try {
        const given = withQuery(input instanceof Request ? input.url : input.toString(), search);
        const text = typeof init?.body === 'string' ? init.body : '';
        const { url, body } = platformRequest(call, { url: given, body: text });
        const answer = await openStream(call, url, { headers, body });
        const read = readable(answer.body, (error) => keep(error, true));
        return new Response(read, { status: answer.status, headers: answer.headers });
      } catch (error) {
        throw keep(error, false);
      }
    },
  };
}

function withQuery(url: string, search: string): string {
  if (search === '') return url;
  return url + (url.includes('?') ? `&${search.slice(1)}` : search);
}

function reportedFailure(error: unknown, { access }: WireCall): WireFailure {
  if (error instanceof WireFailure) return error;
  // The libraries' own errors quote what they could not parse.
  if (error instanceof Error && !APICallError.isInstance(error))
    return new WireFailure(interrupted(CANNOT_BE_READ), { cause: error });
  const said = APICallError.isInstance(error) ? error.message : error;
  return new WireFailure(failureInStream(said, providerMessage(said, secretsOf(access))), { cause: error });
}

function readable(source: AsyncIterable<Uint8Array>, judge: (error: unknown) => unknown): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  let lineBytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (done) return controller.close();
        lineBytes = longestOpenLine(value, lineBytes);
        controller.enqueue(value);
      } catch (error) {
        controller.error(judge(error));
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Bytes of the incomplete line after the chunk; throws when any line is too long. */
function longestOpenLine(chunk: Uint8Array, before: number): number {
  const first = chunk.indexOf(0x0a);
  const last = chunk.lastIndexOf(0x0a);
  const open = first === -1 ? before + chunk.length : chunk.length - last - 1;
  if (open > MAX_LINE || before + first > MAX_LINE) throw new WireFailure(interrupted(CANNOT_BE_READ));
  return open;
}
