import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ambient } from '@fucina/shared';

/** How long a client may continue to send a rejected body before its connection is closed, in ms. */
const LINGER_MS = 5_000;

/**
 * Sends a response before its request was read: all of `bytes` at once, then closes the connection when the client has
 * stopped sending or the time is up. Closing a connection with unread bytes resets it, and the reset can overtake the
 * response.
 */
export function endBeforeBody(
  { request, response, ambient }: { request: IncomingMessage; response: ServerResponse; ambient: Ambient },
  bytes: Buffer | undefined,
): void {
  if (bytes) response.write(bytes);
  else response.flushHeaders();
  const end = (): void => {
    cancel();
    response.end();
  };
  const cancel = ambient.timer(LINGER_MS, end);
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
