import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ambient } from '@fucina/shared';

/** How long a sender may go on sending a refused body before its connection ends, in ms. */
const LINGER_MS = 5_000;

/**
 * Ends an answer that leaves before its request was read: all of `bytes` at once, the end of the connection once the
 * sender has stopped or the time is up. A connection closed with bytes unread is reset, and the reset can overtake the
 * answer.
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
