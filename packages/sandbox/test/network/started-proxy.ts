import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Ambient, systemAmbient } from '@fucina/shared';
import { type ProxyAnswer, type ProxyNeeds, serveProxy } from '../../src/network/proxy.ts';

const system = systemAmbient('silent');
const HEAD_MS = 10_000;
/** Without the ten second limit for a request head: a slow computer may take longer. */
const patient: Ambient = {
  ...system,
  timer: (ms, act) => (ms === HEAD_MS ? () => undefined : system.timer(ms, act)),
};
/** Shortens that limit to a quarter of a second. */
export const hurried: Ambient = { ...system, timer: (ms, act) => system.timer(ms === HEAD_MS ? 250 : ms, act) };

export const ALLOWED: ProxyAnswer = { isAllowed: true, opensPrivate: true, isNamed: true };

/** The proxy of a session's commands, on a port of this computer. */
export interface StartedProxy {
  /** As `host:port reason`. */
  refusals: string[];
  /** The targets of all decisions. */
  asked: string[];
  /** Sends the bytes and returns everything received until the end. */
  talk(...pieces: (string | Buffer)[]): Promise<string>;
  open(): Socket;
  close(): void;
}

/** Allows everything unless `needs` decides. */
export async function startProxy(needs: Partial<ProxyNeeds> = {}): Promise<StartedProxy> {
  const listener = createServer();
  listener.listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const refusals: string[] = [];
  const asked: string[] = [];
  const decide = needs.decide ?? (async () => ALLOWED);
  const close = serveProxy(listener, {
    ambient: patient,
    ownPorts: () => [],
    onRefused: ({ host, port: to }, reason) => refusals.push(`${host}:${to} ${reason}`),
    ...needs,
    decide: (request) => {
      asked.push(`${request.target.host}:${request.target.port}`);
      return decide(request);
    },
  });
  const open = (): Socket => connect((listener.address() as AddressInfo).port, '127.0.0.1');
  const talk = (...pieces: (string | Buffer)[]): Promise<string> =>
    new Promise((resolve) => {
      const socket = open();
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
      void (async () => {
        for (const piece of pieces) {
          socket.write(piece);
          await system.sleep(20);
        }
      })();
    });
  return { refusals, asked, talk, open, close };
}

/** A resolver that gives these addresses, one list for each call; the last one for all further calls. */
export function lookupOf(...answers: string[][]) {
  let calls = 0;
  const lookup = ((_name: string, _options: object, done: (error: null, found: object[]) => void) => {
    const found = answers[Math.min(calls++, answers.length - 1)] ?? [];
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as unknown as NonNullable<ProxyNeeds['lookup']>;
  return { lookup, calls: () => calls };
}
