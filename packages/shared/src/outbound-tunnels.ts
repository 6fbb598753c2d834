import type { Socket } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import type { Environment } from './child-environment.ts';
import { certificateReason, OutboundError, problemOf } from './outbound-error.ts';
import { authorityOf, type Proxy, type ProxyTarget, readProxies } from './outbound-proxy.ts';
import { readTrust } from './outbound-trust.ts';
import { delayWasmOptimizing } from './wasm-optimizing.ts';

/** Connections through the proxies of the environment. Nothing is loaded before the first. */
export interface ProxyTunnels extends AsyncDisposable {
  /** The proxy for a connection; undefined: connect directly. */
  proxyOf(target: ProxyTarget): Proxy | undefined;
  /**
   * A connection to the target, opened by CONNECT. Rejects with an OutboundError that names the proxy without its
   * credentials.
   */
  open(proxy: Proxy, target: { host: string; port: number | string }): Promise<Socket>;
  /** A connection to the proxy itself, for a request that contains the whole address. Rejects as `open`. */
  reach(proxy: Proxy, target: { host: string; port: number | string }): Promise<Socket>;
}

interface Loaded {
  connect: buildConnector.connector;
  agent: Agent;
}

export const AGENT_OPTIONS = { maxHeaderSize: 65_536, headersTimeout: 0, bodyTimeout: 0 };
export const CONNECTING = { timeout: 120_000, autoSelectFamily: true };
/** A proxy that accepts the connection must answer CONNECT within this time. */
const PROXY_ANSWER_MS = 30_000;

export function createProxyTunnels(environment: Environment): ProxyTunnels {
  let loading: Promise<Loaded> | undefined;
  const load = (): Promise<Loaded> => (loading ??= loadAgent(environment));
  return {
    proxyOf: readProxies(environment).proxyOf,
    async open(proxy, target) {
      const authority = authorityOf(target);
      const headers = { host: authority, ...proxyAuthorization(proxy) };
      const origin = usableOrigin(proxy, authority);
      const { agent } = await load();
      const { statusCode, socket } = await agent.connect({ origin, path: authority, headers }).catch((error) => {
        throw failureOf(error, proxy, authority);
      });
      if (statusCode >= 200 && statusCode < 300) return socket as Socket;
      // The answer's body is of no use, and an error while closing neither.
      socket.on('error', () => undefined).destroy();
      throw proxyFailure(proxy, { authority, reason: `status-${statusCode}` });
    },
    async reach(proxy, target) {
      const authority = authorityOf(target);
      const { protocol, hostname, host, port } = new URL(usableOrigin(proxy, authority));
      const { connect } = await load();
      return new Promise((resolve, reject) => {
        connect({ protocol, hostname, host, port }, (error, socket) => {
          if (error) reject(failureOf(error, proxy, authority));
          else resolve(socket);
        });
      });
    },
    async [Symbol.asyncDispose]() {
      await (await loading)?.agent.destroy();
    },
  };
}

async function loadAgent(environment: Environment): Promise<Loaded> {
  // Its default export is the whole module both in Node and in a bundle; named exports work only in Node.
  const { default: undici } = await import('undici');
  const { plain } = await readTrust(environment);
  const connect = undici.buildConnector({ ...CONNECTING, ...(plain && { secureContext: plain }) });
  const options = { ...AGENT_OPTIONS, headersTimeout: PROXY_ANSWER_MS };
  return { connect, agent: new undici.Agent({ ...options, connect: compilingParserLate(connect) }) };
}

/** The header with the credentials of the proxy, if it has any. */
export function proxyAuthorization({ authorization }: Proxy): Record<string, string> {
  return authorization ? { 'proxy-authorization': authorization.reveal() } : {};
}

function usableOrigin(proxy: Proxy, authority: string): string {
  if (proxy.origin === undefined) throw proxyFailure(proxy, { authority, reason: 'not-usable' });
  return proxy.origin;
}

function failureOf(cause: unknown, proxy: Proxy, authority: string): OutboundError {
  return proxyFailure(proxy, { authority, reason: certificateReason(cause) ?? problemOf(cause), cause });
}

interface Failed {
  authority: string;
  reason: string;
  cause?: unknown;
}

function proxyFailure({ origin, variable }: Proxy, { authority, reason, cause }: Failed): OutboundError {
  const proxy = origin ?? variable;
  return new OutboundError('proxy', { origin: authority, requestSent: false, proxy, reason, cause });
}

/** undici compiles its parser of answers when it gets the first connection. */
export function compilingParserLate(connect: buildConnector.connector): buildConnector.connector {
  let isCompiled = false;
  return (options, callback) =>
    connect(options, (...connected) => {
      if (isCompiled || connected[0]) return callback(...connected);
      isCompiled = true;
      const restore = delayWasmOptimizing();
      callback(...connected);
      setImmediate(restore);
    });
}
