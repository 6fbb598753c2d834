import type { IncomingMessage } from 'node:http';

/** All values of a header: Node joins or drops repeated ones, which would hide an attack. */
export function headerValues(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === name) values.push(request.rawHeaders[index + 1] ?? '');
  }
  return values;
}
