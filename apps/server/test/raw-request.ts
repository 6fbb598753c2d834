import { connect } from 'node:net';
import { TOKEN } from './harness.ts';

/** Raw bytes, for requests that fetch would not send. */
export function raw({ port }: { port: number }, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(text));
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => (answer += chunk));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

export const get = (path: string, headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');

/** A write with the token, as the window at this Host and Origin sends it. */
export const writeNote = (server: { port: number }, { host, origin }: { host: string; origin: string }) =>
  raw(
    server,
    [
      'POST /api/v1/me/notes HTTP/1.1',
      `Host: ${host}`,
      `Origin: ${origin}`,
      cookie,
      'Content-Type: application/json',
      'Content-Length: 30',
      'Connection: close',
      '',
      '{"titolo":"a","contenuto":"b"}',
    ].join('\r\n'),
  );

/** The header line with the token. */
export const cookie = `Cookie: svc_token=${TOKEN}`;
