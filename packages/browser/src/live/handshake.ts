import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';

const MOST_BYTES = 16 * 1024;
const END = Buffer.from('\r\n\r\n');

/** The start of a connection: the head of an HTTP request if it is one, else the bytes received. */
export interface Handshake {
  bytes: Buffer;
  request?: { method: string; headers: IncomingHttpHeaders };
}

/**
 * Undefined when the connection ended before a whole head arrived, or the head is too long. Leaves the socket paused.
 */
export function handshakeOf(socket: Socket, head: Buffer): Promise<Handshake | undefined> {
  return new Promise((resolve) => {
    let bytes = head;
    const settle = (found: Handshake | undefined): void => {
      socket.off('data', take);
      socket.off('close', gone);
      socket.pause();
      resolve(found);
    };
    const gone = (): void => settle(undefined);
    const look = (): void => {
      if (bytes.length === 0) return;
      if (!isRequest(bytes)) return settle({ bytes });
      const end = bytes.indexOf(END);
      if (end >= 0) return settle({ bytes, request: parse(bytes.subarray(0, end).toString('latin1')) });
      if (bytes.length > MOST_BYTES) settle(undefined);
    };
    const take = (more: Buffer): void => {
      bytes = Buffer.concat([bytes, more]);
      look();
    };
    socket.on('data', take);
    socket.once('close', gone);
    look();
  });
}

/** An HTTP request begins with a method in capitals; a TLS connection begins with a byte that is not a letter. */
function isRequest(bytes: Buffer): boolean {
  const first = bytes[0] as number;
  return first >= 0x41 && first <= 0x5a;
}

function parse(text: string): { method: string; headers: IncomingHttpHeaders } {
  const [line = '', ...rest] = text.split('\r\n');
  const headers: IncomingHttpHeaders = {};
  for (const row of rest) {
    const at = row.indexOf(':');
    if (at > 0) headers[row.slice(0, at).trim().toLowerCase()] = row.slice(at + 1).trim();
  }
  return { method: line.split(' ', 1)[0] ?? '', headers };
}
