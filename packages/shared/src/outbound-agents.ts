import { lookup as systemLookup } from 'node:dns';
import { isIPv6, type LookupFunction, type Socket } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import type { Environment } from './child-environment.ts';
import { isPublicAddress } from './outbound-addresses.ts';
import { certificateReason, OutboundError, problemOf } from './outbound-error.ts';
import { type Proxy, portOf, readProxies } from './outbound-proxy.ts';
import { clientCertificateError, readTrust } from './outbound-trust.ts';
import { delayWasmOptimizing } from './wasm-optimizing.ts';

export interface OutboundAgents extends AsyncDisposable {
  configured: Agent;
  public: Agent;
}

export interface OutboundAgentsNeeds {
  environment?: Environment;
  lookup?: typeof systemLookup;
  isAllowedAddress?: (address: string) => boolean;
}

const HEADER_BYTES = 65_536;
/** A proxy that accepts the connection must answer CONNECT within this time. */
const PROXY_ANSWER_MS = 30_000;

/**
 * The pools of connections, one per policy. Each connects directly or by CONNECT through the proxy of the environment.
 */
export async function createOutboundAgents(needs: OutboundAgentsNeeds): Promise<OutboundAgents> {
  const { environment = {} } = needs;
  // Its default export is the whole module both in Node and in a bundle; named exports work only in Node.
  const { default: undici } = await import('undici');
  const options = { maxHeaderSize: HEADER_BYTES, keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 };
  const connecting = { timeout: 120_000, autoSelectFamily: true };
  const lookup = guardedLookup(needs);
  const { plain, client, problem } = await readTrust(environment);
  const connector = (how: object): buildConnector.connector => undici.buildConnector({ ...connecting, ...how });
  const shownClient = connector(client ? { secureContext: client } : {});
  const trusting = plain ? { secureContext: plain } : {};
  const proxies = new undici.Agent({
    ...options,
    headersTimeout: PROXY_ANSWER_MS,
    connect: compilingParserLate(connector(trusting)),
  });
  const { proxyOf } = readProxies(environment);
  const agent = ({ connect, secure, addressOf }: Route): Agent => {
    const tunnel = createTunnel({ proxies, secure, addressOf });
    const choose: buildConnector.connector = (target, callback) => {
      const proxy = proxyOf(target);
      if (proxy) void tunnel(proxy, target, callback);
      else connect(target, callback);
    };
    return new undici.Agent({ ...options, connect: compilingParserLate(choose) });
  };
  const own = problem ? withoutClient(shownClient) : shownClient;
  const agents = {
    configured: agent({ connect: own, secure: own, addressOf: async (hostname) => hostname }),
    public: agent({
      connect: connector({ ...trusting, lookup }),
      secure: connector(trusting),
      addressOf: checkedAddress(lookup),
    }),
  };
  return {
    ...agents,
    async [Symbol.asyncDispose]() {
      await Promise.all([agents.configured.destroy(), agents.public.destroy(), proxies.destroy()]);
    },
  };
}

interface Route {
  /** Connects directly. */
  connect: buildConnector.connector;
  /** Starts TLS to the target inside the tunnel. */
  secure: buildConnector.connector;
  /** The host for CONNECT; rejects when the target is not allowed. */
  addressOf(hostname: string): Promise<string>;
}

interface TunnelNeeds extends Pick<Route, 'secure' | 'addressOf'> {
  /** The connections to proxies. */
  proxies: Agent;
}

/** TLS fails while the chosen client certificate cannot be used: the server would report something else. */
function withoutClient(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) => {
    if (target.protocol === 'https:') callback(clientCertificateError(target.hostname), null);
    else connect(target, callback);
  };
}

type Tunnel = (proxy: Proxy, target: buildConnector.Options, callback: buildConnector.Callback) => Promise<void>;

function createTunnel({ proxies, secure, addressOf }: TunnelNeeds): Tunnel {
  const open = async (proxy: Proxy, target: buildConnector.Options): Promise<Socket> => {
    const host = await addressOf(target.hostname);
    return connectThrough(proxies, proxy, `${isIPv6(host) ? `[${host}]` : host}:${portOf(target)}`);
  };
  return async (proxy, target, callback) => {
    const opened = await open(proxy, target).catch((error: Error) => error);
    if (opened instanceof Error) callback(opened, null);
    else if (target.protocol === 'https:') secure({ ...target, httpSocket: opened }, callback);
    else callback(null, opened);
  };
}

/** Rejects with an OutboundError that names the proxy without its credentials. */
async function connectThrough(proxies: Agent, proxy: Proxy, authority: string): Promise<Socket> {
  const { origin, authorization, variable } = proxy;
  const failure = (reason: string, cause?: unknown): OutboundError =>
    new OutboundError('proxy', { origin: authority, requestSent: false, proxy: origin ?? variable, reason, cause });
  if (origin === undefined) throw failure('not-usable');
  const headers = { host: authority, ...(authorization && { 'proxy-authorization': authorization.reveal() }) };
  const { statusCode, socket } = await proxies.connect({ origin, path: authority, headers }).catch((error: unknown) => {
    throw failure(certificateReason(error) ?? problemOf(error), error);
  });
  if (statusCode >= 200 && statusCode < 300) return socket as Socket;
  // The answer's body is of no use, and an error while closing neither.
  socket.on('error', () => undefined).destroy();
  throw failure(`status-${statusCode}`);
}

/** undici compiles its parser of answers when it gets the first connection. */
function compilingParserLate(connect: buildConnector.connector): buildConnector.connector {
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

/** The socket connects to exactly the returned address, so a name cannot change between the check and the use. */
function guardedLookup({
  lookup = systemLookup,
  isAllowedAddress = isPublicAddress,
}: OutboundAgentsNeeds): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowedAddress(address))) {
        return callback(new OutboundError('forbidden-address', { origin: hostname, requestSent: false }), []);
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** The proxy gets the checked address, not the name: it could resolve the name to another one. */
function checkedAddress(lookup: LookupFunction): (hostname: string) => Promise<string> {
  return (hostname) =>
    new Promise((resolve, reject) => {
      lookup(hostname.replace(/^\[|\]$/g, ''), { family: 0 }, (error, address) => {
        if (error) reject(error);
        else resolve(address as string);
      });
    });
}
