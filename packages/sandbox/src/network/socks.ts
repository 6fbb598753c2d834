import type { Socket } from 'node:net';
import { canonicalHost, type NetworkTarget } from '../permission-rules/host-pattern.ts';

export const SOCKS_VERSION = 5;
const NO_AUTHENTICATION = 0;
const CONNECT = 1;
/** Maximum size of method choice, greeting and request together. */
const MAX_BYTES = 1024;

export const SOCKS_REPLY = {
  granted: 0,
  failed: 1,
  notAllowed: 2,
  unreachable: 4,
  unknownCommand: 7,
  unknownAddress: 8,
};
export type SocksReply = (typeof SOCKS_REPLY)[keyof typeof SOCKS_REPLY];

/**
 * Reads a SOCKS5 greeting and its CONNECT request. Bytes after them are put back. Undefined for anything else, after
 * the error reply of the protocol, if it has one.
 */
export async function readSocksRequest(socket: Socket): Promise<NetworkTarget | undefined> {
  const bytes = createReader(socket);
  const [version, methodCount] = await bytes.take(2);
  if (version !== SOCKS_VERSION || methodCount === undefined) return undefined;
  const methods = await bytes.take(methodCount);
  if (methods.length < methodCount || !methods.includes(NO_AUTHENTICATION)) {
    socket.write(Buffer.from([SOCKS_VERSION, 0xff]));
    return undefined;
  }
  socket.write(Buffer.from([SOCKS_VERSION, NO_AUTHENTICATION]));
  const [again, command, , kind] = await bytes.take(4);
  if (again !== SOCKS_VERSION || kind === undefined) return undefined;
  const host = await readHost(bytes, kind);
  const port = await bytes.take(2);
  bytes.release();
  if (port.length < 2) return undefined;
  if (host !== undefined && command === CONNECT) return { host, port: port.readUInt16BE() };
  replySocks(socket, host === undefined ? SOCKS_REPLY.unknownAddress : SOCKS_REPLY.unknownCommand);
  return undefined;
}

async function readHost(bytes: Reader, kind: number): Promise<string | undefined> {
  if (kind === 1) return canonicalHost([...(await bytes.take(4))].join('.'));
  if (kind === 4) {
    const groups = (await bytes.take(16)).toString('hex').match(/.{4}/g) ?? [];
    return canonicalHost(groups.join(':'));
  }
  if (kind !== 3) return undefined;
  const [length = 0] = await bytes.take(1);
  return canonicalHost((await bytes.take(length)).toString('latin1'));
}

/** With an address of zeros: our local address is not revealed. */
export function replySocks(socket: Socket, reply: SocksReply): void {
  socket.write(Buffer.from([SOCKS_VERSION, reply, 0, 1, 0, 0, 0, 0, 0, 0]));
}

interface Reader {
  /** Fewer bytes only at the end of the stream. */
  take(count: number): Promise<Buffer>;
  release(): void;
}

function createReader(socket: Socket): Reader {
  let kept = Buffer.alloc(0);
  let isOver = false;
  let wake = (): void => undefined;
  const onData = (chunk: Buffer): void => {
    kept = Buffer.concat([kept, chunk]);
    if (kept.length > MAX_BYTES) socket.pause();
    wake();
  };
  const onEnd = (): void => {
    isOver = true;
    wake();
  };
  socket.on('data', onData);
  socket.resume();
  for (const event of ['end', 'close', 'error'] as const) socket.once(event, onEnd);
  return {
    async take(count) {
      while (kept.length < count && !isOver) await new Promise<void>((resolve) => (wake = resolve));
      const taken = kept.subarray(0, count);
      kept = kept.subarray(count);
      return taken;
    },
    release() {
      socket.off('data', onData);
      for (const event of ['end', 'close', 'error'] as const) socket.off(event, onEnd);
      socket.pause();
      if (kept.length > 0) socket.unshift(kept);
    },
  };
}
