import { createCalls } from '@fucina/client';
import { language } from '../words/words.ts';
import { checkServer, setSignedOut } from './server-state.ts';

/** The requests of the window. All of them throw ApiError. */
export const api = createCalls({ language, fetch: observed });

/** What a request shows about the server: whether it answers, and whether it accepts this browser. */
async function observed(...request: Parameters<typeof fetch>): Promise<Response> {
  const [, init] = request;
  try {
    const response = await fetch(...request);
    if (response.ok || response.status === 401) setSignedOut(!response.ok);
    return response;
  } catch (cause) {
    if (!init?.signal?.aborted) void checkServer();
    throw cause;
  }
}
