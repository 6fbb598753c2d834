import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import type { Environment } from './child-environment.ts';
import { isPublicAddress } from './outbound-addresses.ts';
import { OutboundError } from './outbound-error.ts';
import { type Proxy, portOf } from './outbound-proxy.ts';
import { clientCertificateError, readTrust } from './outbound-trust.ts';
import {
  AGENT_OPTIONS,
  CONNECTING,
  compilingParserLate,
  createProxyTunnels,
  type ProxyTunnels,
} from './outbound-tunnels.ts';

export interface OutboundAgents extends AsyncDisposable {
  configured: Agent;
  public: Agent;
}

export interface OutboundAgentsNeeds {
  environment?: Environment;
  lookup?: typeof systemLookup;
  isAllowedAddress?: (address: string) => boolean;
}

/**
 * The pools of connections, one per policy. Each connects directly or by CONNECT through the proxy of the environment.
 */
export async function createOutboundAgents(needs: OutboundAgentsNeeds): Promise<OutboundAgents> {
  const { environment = {} } = needs;
  // Its default export is the whole module both in Node and in a bundle; named exports work only in Node.
  const { default: undici } = await import('undici');
  const options = { ...AGENT_OPTIONS, keepAliveTimeout: 30_000 };
  const lookup = guardedLookup(needs);
  const { plain, client, problem } = await readTrust(environment);
  const connector = (how: object): buildConnector.connector => undici.buildConnector({ ...CONNECTING, ...how });
  const shownClient = connector(client ? { secureContext: client } : {});
  const trusting = plain ? { secureContext: plain } : {};
  const tunnels = createProxyTunnels(environment);
  const agent = ({ connect, secure, addressOf }: Route): Agent => {
    const tunnel = createTunnel({ tunnels, secure, addressOf });
    const choose: buildConnector.connector = (target, callback) => {
      const proxy = tunnels.proxyOf(target);
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
      await Promise.all([agents.configured.destroy(), agents.public.destroy(), tunnels[Symbol.asyncDispose]()]);
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
  tunnels: ProxyTunnels;
}

/** TLS fails while the chosen client certificate cannot be used: the server would report something else. */
function withoutClient(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) => {
    if (target.protocol === 'https:') callback(clientCertificateError(target.hostname), null);
    else connect(target, callback);
  };
}

type Tunnel = (proxy: Proxy, target: buildConnector.Options, callback: buildConnector.Callback) => Promise<void>;

function createTunnel({ tunnels, secure, addressOf }: TunnelNeeds): Tunnel {
  const open = async (proxy: Proxy, target: buildConnector.Options): Promise<Socket> =>
    tunnels.open(proxy, { host: await addressOf(target.hostname), port: portOf(target) });
  return async (proxy, target, callback) => {
    const opened = await open(proxy, target).catch((error: Error) => error);
    if (opened instanceof Error) callback(opened, null);
    else if (target.protocol === 'https:') secure({ ...target, httpSocket: opened }, callback);
    else callback(null, opened);
  };
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
