import { createCalls } from '@fucina/client';
import { firstDrawing, takeFirstSessions } from '../first-requests.ts';
import { language } from '../words/words.ts';
import { checkServer, setSignedOut } from './server-state.ts';

/** The requests of the window. All of them throw ApiError. */
export const api = createCalls({ language, fetch: observed });

/** What a request shows about the server: whether it answers, and whether it accepts this browser. */
async function observed(...request: Parameters<typeof fetch>): Promise<Response> {
  const [, init] = request;
  try {
    const first = firstAnswer(...request);
    const response = await (first ?? fetch(...request));
    if (response.ok || response.status === 401) setSignedOut(!response.ok);
    // The table that reads the other answers is not part of the first load.
    if (!first) await firstDrawing;
    return response;
  } catch (cause) {
    if (!init?.signal?.aborted) void checkServer();
    throw cause;
  }
}

/** The answer to the page's first request for the list of sessions, which was sent before this code had arrived. */
function firstAnswer(...[input, init]: Parameters<typeof fetch>): Promise<Response> | undefined {
  const isList = init?.method === 'GET' && input instanceof URL && input.href === api.address('get', '/sessions');
  // A search has the same address.
  const isSearch = new Headers(init?.headers).has('x-svc-cerca');
  return isList && !isSearch ? takeFirstSessions() : undefined;
}
