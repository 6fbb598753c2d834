import type { lookup as systemLookup } from 'node:dns';
import type { Socket } from 'node:net';
import { type Ambient, createProxyTunnels, type Environment, type ProxyTunnels } from '@fucina/shared';
import type { NetworkTarget } from '../permission-rules/host-pattern.ts';
import type { NetworkMode } from '../rules/rule-store.ts';
import { clientOf } from './client-program.ts';
import { connectChecked, isRemoteAddress } from './connect.ts';
import { createLocalPorts, type LocalPorts } from './local-ports.ts';
import { createNamespace, type NamespacePrograms, type NetworkNamespace, NetworkRefused } from './namespace.ts';
import type { NetworkVerdict } from './network-rules.ts';
import { decideNetwork, type RefusalReason, refusalSentence } from './policy.ts';
import { type ProxyAnswer, type ProxyRequest, serveProxy } from './proxy.ts';
import { proxyVariables } from './proxy-variables.ts';
import { createSessionServers, type SessionServers } from './session-servers.ts';

export interface NetworkEntry {
  /** Program and arguments before bubblewrap: nsenter and the namespaces. */
  prefix: readonly string[];
  /** True if the namespaces belong to a user namespace created for them. */
  isUserNamespace: boolean;
  /** Proxy variables of the commands. */
  environment: Environment;
  /** Before the last `notices`: a server that has ended is not among them. */
  settle(): Promise<void>;
  /**
   * As sentences: refusals of the session since this entry, because many programs do not print the proxy's message, and
   * servers that were started, once each.
   */
  notices(): readonly string[];
}

export interface NetworkSession {
  sessionId: string;
  /** Absolute real path of the session's folder. */
  folder: string;
}

/** A host that a command of a session wants to reach and no rule covers. */
export interface NetworkQuestion extends NetworkTarget {
  sessionId: string;
  folder: string;
  /** The program and its command line, if known. */
  program?: string;
  command?: string;
}

/** `once` applies to this host for a few minutes, because a program opens many connections. */
export type NetworkAnswer = 'once' | 'session' | 'deny';

export interface NetworkRefusal extends NetworkTarget {
  reason: RefusalReason;
  /** English, for the command and the model. */
  sentence: string;
  /** Wall time. */
  at: number;
}

export interface RecentRefusal extends NetworkRefusal, NetworkSession {}

export interface SessionNetworks extends AsyncDisposable {
  /** The session's namespace, created at first use. Rejects if the system refuses. */
  enter(session: NetworkSession): Promise<NetworkEntry>;
  /** The last refusals of a session's commands, oldest first, each host and port once. */
  refusals(sessionId: string): readonly NetworkRefusal[];
  /** The same for all sessions, newest first. */
  recent(): readonly RecentRefusal[];
  /** Servers of the session's commands; undefined while it has no network of its own. */
  servers(sessionId: string): Promise<Pick<SessionServers, 'list' | 'open' | 'close' | 'connect'> | undefined>;
  /** Closes it after its commands have ended. */
  forget(sessionId: string): Promise<void>;
  /** Also closes it, but reuses its namespace for the next session: only if nothing but our own program ran in it. */
  handOn(sessionId: string): Promise<void>;
}

export interface SessionNetworkNeeds {
  ambient: Ambient;
  environment: Environment;
  /** Looked up at first use; undefined when one of them is not installed. */
  programs(): Promise<NamespacePrograms | undefined>;
  /** Ports of this server, which no rule can allow. */
  ownPorts?(): readonly number[];
  /** Ports of this computer where other programs expect a server of their own, as a model. Default: none. */
  isReservedPort?(port: number): Promise<boolean>;
  /** The effect of the user's rules on a host, if any. */
  rule?(target: NetworkTarget, folder: string): Promise<NetworkVerdict | undefined>;
  /** Ports of this computer that rules name individually: these are also forwarded inside. */
  localPorts?(folder: string): Promise<readonly number[]>;
  /** The network setting of a session's commands; default: `listed`. */
  mode?(session: NetworkSession): NetworkMode;
  /**
   * Asks the user; resolves with `deny` if no one can answer. The signal aborts when nothing waits for the answer any
   * more.
   */
  ask?(question: NetworkQuestion, signal: AbortSignal): Promise<NetworkAnswer>;
  /** Default: the system's resolver. */
  lookup?: typeof systemLookup;
}

interface Session extends NetworkSession {
  namespace: NetworkNamespace;
  servers: SessionServers;
  localPorts: LocalPorts;
  /** The user's answer for a host and port, and until when (monotonic) it applies. */
  answers: Map<string, { isAllowed: boolean; until: number }>;
  asking: Map<string, SharedQuestion>;
  refusals: RecentRefusal[];
  close(): void;
}

const ASK_MS = 60_000;
const ONCE_MS = 5 * 60_000;
/** A refused program retries at once. */
const DENIED_MS = 60_000;
const MAX_REFUSALS = 50;

export function createSessionNetworks(needs: SessionNetworkNeeds): SessionNetworks {
  const sessions = new Map<string, Promise<Session>>();
  const refusals = new Map<string, RecentRefusal[]>();
  const tunnels = createProxyTunnels(needs.environment);
  let spare: Promise<Session> | undefined;

  const takeSpare = (): Promise<Session> | undefined => {
    const taken = spare;
    spare = undefined;
    return taken;
  };
  const openOnce = (wanted: NetworkSession): Promise<Session> => {
    const { sessionId } = wanted;
    const there = sessions.get(sessionId);
    if (there) return there;
    const kept: RecentRefusal[] = [];
    refusals.set(sessionId, kept);
    const made =
      takeSpare()?.then((session) => Object.assign(session, wanted, { refusals: kept })) ??
      openSession({ ...needs, tunnels }, wanted, kept);
    sessions.set(sessionId, made);
    made.catch(() => sessions.delete(sessionId));
    return made;
  };
  const forget = async (sessionId: string): Promise<void> => {
    const made = sessions.get(sessionId);
    sessions.delete(sessionId);
    refusals.delete(sessionId);
    (await made?.catch(() => undefined))?.close();
  };
  return {
    async enter(wanted) {
      const { namespace, servers, localPorts, refusals: kept } = await openOnce(wanted);
      await localPorts.open(isOff(needs, wanted) ? [] : ((await needs.localPorts?.(wanted.folder)) ?? []));
      const { prefix, isUserNamespace, port } = namespace;
      servers.wake();
      const before = new Set(kept);
      return {
        prefix,
        isUserNamespace,
        environment: proxyVariables(port),
        settle: () => servers.settle(),
        notices: () => [
          ...servers.takeFound().map(serverSentence),
          ...kept.filter((one) => !before.has(one)).map(({ sentence }) => sentence),
        ],
      };
    },
    refusals: (sessionId) => refusals.get(sessionId) ?? [],
    recent: () => [...refusals.values()].flat().sort((a, b) => b.at - a.at),
    servers: async (sessionId) => (await sessions.get(sessionId)?.catch(() => undefined))?.servers,
    forget,
    async handOn(sessionId) {
      const made = sessions.get(sessionId);
      if (!made || spare) return forget(sessionId);
      sessions.delete(sessionId);
      refusals.delete(sessionId);
      spare = made;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions.keys()].map(forget));
      (await takeSpare())?.close();
      await tunnels[Symbol.asyncDispose]();
    },
  };
}

const isOff = (needs: SessionNetworkNeeds, session: NetworkSession): boolean => needs.mode?.(session) === 'off';

async function openSession(
  needs: SessionNetworkNeeds & { tunnels: ProxyTunnels },
  wanted: NetworkSession,
  refusals: RecentRefusal[],
): Promise<Session> {
  const { ambient, environment, lookup, tunnels, ownPorts = () => [] } = needs;
  const programs = await needs.programs();
  if (!programs) throw new NetworkRefused('bwrap or nsenter is not installed');
  const namespace = await createNamespace({ ambient, environment, programs });
  const session: Session = {
    ...wanted,
    namespace,
    servers: createSessionServers({
      ambient,
      namespace,
      ownPorts: () => [...ownPorts(), ...session.localPorts.ports()],
      ...(needs.isReservedPort && { isReserved: needs.isReservedPort }),
    }),
    localPorts: createLocalPorts({ ambient, namespace, connect: (port) => connectLocal(needs, session, port) }),
    answers: new Map(),
    asking: new Map(),
    refusals,
    close: () => stop(),
  };
  const stopProxy = serveProxy(namespace.listener, {
    ambient,
    ownPorts,
    tunnels,
    ...(lookup && { lookup }),
    decide: (request) => decide(needs, session, request),
    onRefused: (target, reason, detail) => noteRefusal(needs, session, { target, reason, detail }),
  });
  const stop = (): void => {
    session.servers.end();
    session.localPorts.close();
    stopProxy();
    namespace.release();
    for (const { end } of session.asking.values()) end();
  };
  return session;
}

/** To a port of this computer that a rule currently allows. */
async function connectLocal(needs: SessionNetworkNeeds, session: Session, port: number): Promise<Socket | undefined> {
  const { ambient, lookup, ownPorts = () => [] } = needs;
  const target = { host: 'localhost', port };
  const { signal } = new AbortController();
  const answer = await decide(needs, session, { target, clientPort: undefined, signal });
  if (!answer.isAllowed) return undefined;
  const connected = await connectChecked({ ambient, ownPorts, ...(lookup && { lookup }) }, target, answer);
  return 'socket' in connected ? connected.socket : undefined;
}

async function decide(needs: SessionNetworkNeeds, session: Session, request: ProxyRequest): Promise<ProxyAnswer> {
  const { target } = request;
  const rule = await needs.rule?.(target, session.folder);
  const before = session.answers.get(keyOf(target));
  const isKnown = before !== undefined && before.until > needs.ambient.monotonic();
  const isGranted = isKnown && before.isAllowed;
  const mode = needs.mode?.(session) ?? 'listed';
  const decision = decideNetwork({ target, rule, mode, isGranted, isPublic: isRemoteAddress });
  if (decision.verdict === 'deny') return { isAllowed: false, reason: decision.reason };
  const { opensPrivate } = decision;
  if (decision.verdict === 'allow') return { isAllowed: true, opensPrivate, isNamed: decision.isNamed };
  const isAllowed = !isKnown && (await askUser(needs, session, request)) !== 'deny';
  return isAllowed ? { isAllowed, opensPrivate, isNamed: true } : { isAllowed, reason: 'not-allowed' };
}

/** One request to the user for all connections that wait for the same host and port. */
interface SharedQuestion {
  answer: Promise<NetworkAnswer>;
  waiting: number;
  /** Withdraws the request. */
  end(): void;
}

async function askUser(needs: SessionNetworkNeeds, session: Session, request: ProxyRequest): Promise<NetworkAnswer> {
  const key = keyOf(request.target);
  const shared = session.asking.get(key) ?? begin(needs, session, request);
  const { signal } = request;
  shared.waiting++;
  const leave = (): void => {
    if (--shared.waiting === 0) shared.end();
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  try {
    return await shared.answer;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function begin(needs: SessionNetworkNeeds, session: Session, { target, clientPort }: ProxyRequest): SharedQuestion {
  const { ambient, ask } = needs;
  const { sessionId, folder, namespace, answers, asking } = session;
  const key = keyOf(target);
  const over = new AbortController();
  const cancel = ambient.timer(ASK_MS, () => over.abort());
  const put = async (): Promise<NetworkAnswer> => {
    if (!ask) return 'deny';
    const client = await clientOf(namespace.identity, clientPort);
    return ask({ sessionId, folder, ...target, ...client }, over.signal);
  };
  const answer = put()
    .catch((error: unknown): NetworkAnswer => {
      ambient.log.error('network.not-asked', { sessionId, error });
      return 'deny';
    })
    .then((given) => {
      cancel();
      asking.delete(key);
      const ms = { once: ONCE_MS, session: Number.POSITIVE_INFINITY, deny: DENIED_MS }[given];
      // No answer is not a permission.
      if (!over.signal.aborted) answers.set(key, { isAllowed: given !== 'deny', until: ambient.monotonic() + ms });
      return over.signal.aborted ? 'deny' : given;
    });
  const shared = { answer, waiting: 0, end: () => over.abort() };
  asking.set(key, shared);
  return shared;
}

function noteRefusal(
  { ambient }: SessionNetworkNeeds,
  { sessionId, folder, refusals }: Session,
  { target, reason, detail }: { target: NetworkTarget; reason: RefusalReason; detail: string | undefined },
): void {
  const { host, port } = target;
  ambient.log.info('network.refused', { sessionId, host, port, reason });
  const at = refusals.findIndex((one) => one.host === host && one.port === port);
  if (at >= 0) refusals.splice(at, 1);
  const sentence = refusalSentence(target, reason, detail);
  refusals.push({ host, port, sessionId, folder, reason, sentence, at: ambient.now() });
  if (refusals.length > MAX_REFUSALS) refusals.shift();
}

const serverSentence = (port: number): string =>
  `A server listens on port ${port} in the sandbox. Commands and the live browser reach it at http://127.0.0.1:${port}; other programs on this computer only after the user opens the port, in the Preview tab or with /ports open ${port}.`;

function keyOf({ host, port }: NetworkTarget): string {
  return `${host}:${port}`;
}
