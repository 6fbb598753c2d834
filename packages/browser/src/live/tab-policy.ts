import { type Ambient, textStart } from '@fucina/shared';
import { isLocalName, isThisComputer } from './gate-rules.ts';
import type { Place } from './gate-ways.ts';
import { type JudgedRequest, type PageRequest, ruleFor, type ShownPage, siteOf } from './page-rules.ts';

/** What a tab may send: while the user uses it everything, while the agent does what the network policy allows. */
export interface TabPolicy {
  /** A gesture of the user, or an address that the user opens: for 3 s what the page does is the user's. */
  userActs(): void;
  /** The agent opens an address that it was allowed to open. Returns what ends it. */
  agentOpens(url: string): () => void;
  /** Before the agent does something on the page: from now on it is not only the user's. */
  agentActs(): Promise<void>;
  /** Whether the agent may type this into the page, which then contains it. */
  mayType(text: string): Promise<boolean>;
  /** While a call of the agent runs, the user may be asked once. */
  during<Value>(signal: AbortSignal, act: () => Promise<Value>): Promise<Value>;
  /** Resolves when the decisions that are open now are made; false if there is none. Later ones are not waited for. */
  decided(): Promise<boolean>;
  /** What was refused since this was last read: hosts, and the other site that an address led to. */
  refused(): Refusals;
  /** The page may contain what other sites must not get. */
  isGuarded(): boolean;
  /** Of the gate, before a name is resolved. */
  mayConnect(place: Place): Promise<boolean>;
  /** Of the gate: a name leads to this computer. */
  leadsHere(host: string): void;
  /** Of the main frame, also after a redirect. */
  mayNavigate(request: PageRequest): Promise<boolean>;
  /** A request of the page, before its connection. */
  announce(request: PageRequest): void;
  /** Another document is shown. `isWindow`: beside the one that opened it. */
  shows(url: string, isWindow: boolean): Promise<void>;
}

export interface Refusals {
  hosts: readonly string[];
  leadsTo: string | undefined;
}

export interface TabPolicyNeeds {
  ambient: Ambient;
  /** The network policy of the tab's session; without one everything is allowed. */
  judge?: ((request: JudgedRequest, signal: AbortSignal) => Promise<boolean>) | undefined;
}

const USERS_MS = 3_000;
/** A connection may be asked for before its request is announced. */
const ANNOUNCED_MS = 100;
const LOOK_MS = 10;
const MOST_ANNOUNCED = 200;
const MOST_REFUSED = 20;
const DATA_CHARS = 4_000;
const NEVER = new AbortController().signal;

/** `cut` ends the connections for which it is given false. */
export function createTabPolicy(
  { ambient, judge = async () => true }: TabPolicyNeeds,
  cut: (stays: (place: Place) => Promise<boolean>) => Promise<void>,
): TabPolicy {
  let page = newPage({ isUsers: false, url: '' });
  let holdsData = false;
  let usersUntil = Number.NEGATIVE_INFINITY;
  let call: { signal: AbortSignal; hasAsked: boolean } | undefined;
  let opening: string | undefined;
  let isNextUsers = false;
  let leadsTo: string | undefined;
  const refusedHosts = new Set<string>();
  const deniedSites = new Set<string>();
  const announced = new Map<string, PageRequest>();
  const localHosts = new Set<string>();
  const asking = new Map<string, Promise<boolean>>();
  const deciding = new Set<Promise<boolean>>();
  const tracked = (decision: Promise<boolean>): Promise<boolean> => {
    deciding.add(decision);
    return decision.finally(() => deciding.delete(decision));
  };

  const isUsers = (): boolean => opening === undefined && (page.isUsers || ambient.monotonic() < usersUntil);
  const isHere = (host: string): boolean => isLocalName(host) || isThisComputer(host) || localHosts.has(host);
  const refuse = (host: string): false => {
    if (refusedHosts.size < MOST_REFUSED) refusedHosts.add(host);
    return false;
  };
  /** At most one question for each call of the agent, and none about a site that the user refused. */
  const ask = async (request: Omit<JudgedRequest, 'asks'>, site: string): Promise<boolean> => {
    if (await judge({ ...request, asks: false }, NEVER)) return true;
    const open = asking.get(site);
    if (open) return open;
    if (!call || call.hasAsked || deniedSites.has(site)) return false;
    call.hasAsked = true;
    const data = request.data && textStart(request.data, DATA_CHARS);
    const answer = judge({ ...request, data, asks: true }, call.signal);
    asking.set(site, answer);
    const isAllowed = await answer.finally(() => asking.delete(site));
    if (isAllowed) page.sites.add(site);
    else deniedSites.add(site);
    return isAllowed;
  };
  const requestTo = async (place: Place): Promise<PageRequest> => {
    const key = keyOf(place);
    for (let waited = 0; !announced.has(key) && waited < ANNOUNCED_MS; waited += LOOK_MS) await ambient.sleep(LOOK_MS);
    return announced.get(key) ?? { url: addressOf(place) };
  };
  const cutOthers = ({ sites }: ShownPage): Promise<void> =>
    cut(async (place) => {
      const isFree = sites.has(await siteOf(place.host));
      return judge({ url: addressOf(place), isFree, asks: false }, NEVER);
    });
  const mayConnect = async (place: Place): Promise<boolean> => {
    const { host } = place;
    if (isLocalName(host) || isThisComputer(host)) return true;
    const site = await siteOf(host);
    const ruleOf = (isPassive: boolean) => ruleFor(page, { site, isPassive, holdsData });
    if (isUsers()) {
      page.companions.add(site);
      return true;
    }
    const url = addressOf(place);
    if (ruleOf(false) === 'unasked') return (await judge({ url, isFree: false, asks: false }, NEVER)) || refuse(host);
    const request = ruleOf(false) === 'free' ? { url } : await requestTo(place);
    if (ruleOf(request.isPassive ?? false) === 'asks')
      return (await ask({ url: request.url, data: request.data, isFree: false }, site)) || refuse(host);
    if (!(await judge({ url, isFree: true, asks: false }, NEVER))) return refuse(host);
    page.companions.add(site);
    return true;
  };

  const mayNavigate = async ({ url, method, data }: PageRequest): Promise<boolean> => {
    isNextUsers = isUsers();
    const host = hostOf(url);
    if (isNextUsers || host === undefined || isHere(host)) return true;
    const site = await siteOf(host);
    const isOpened = opening !== undefined && site === (await siteOf(hostOf(opening) ?? ''));
    if (isOpened || page.sites.has(site)) {
      if (!(await judge({ url, isFree: true, asks: false }, NEVER))) return refuse(host);
      page.sites.add(site);
      return true;
    }
    const isAllowed = opening
      ? await judge({ url, isFree: false, asks: false }, NEVER)
      : await ask({ url, data: method === 'GET' ? undefined : data, isFree: false }, site);
    if (isAllowed) page.sites.add(site);
    else if (opening) leadsTo = url;
    return isAllowed || refuse(host);
  };

  return {
    userActs() {
      usersUntil = ambient.monotonic() + USERS_MS;
    },
    agentOpens(url) {
      usersUntil = Number.NEGATIVE_INFINITY;
      opening = url;
      return () => (opening = undefined);
    },
    async agentActs() {
      usersUntil = Number.NEGATIVE_INFINITY;
      page.isUsers = false;
      page.hasActed = true;
      if (!page.isLocal || holdsData) return;
      holdsData = true;
      await cutOthers(page);
    },
    async mayType(text) {
      const { url, site, isOpenedByUser, isLocal } = page;
      if (!isLocal && site !== undefined) {
        const request = { url, data: text, isFree: isOpenedByUser, isTyped: true };
        if (!(await ask(request, site))) return refuse(new URL(url).hostname);
      }
      page.hasText = true;
      await cutOthers(page);
      return true;
    },
    async during(signal, act) {
      const own = { signal, hasAsked: false };
      call = own;
      try {
        return await act();
      } finally {
        if (call === own) call = undefined;
      }
    },
    async decided() {
      const open = [...deciding];
      await Promise.allSettled(open);
      return open.length > 0;
    },
    refused() {
      const found = { hosts: [...refusedHosts], leadsTo };
      refusedHosts.clear();
      leadsTo = undefined;
      return found;
    },
    isGuarded: () => !page.isUsers && (holdsData || page.hasText),
    mayConnect: (place) => tracked(mayConnect(place)),
    leadsHere: (host) => void localHosts.add(host),
    mayNavigate: (request) => tracked(mayNavigate(request)),
    announce(request) {
      const key = keyOf(placeOf(request.url));
      // What carries data decides.
      if (announced.get(key)?.isPassive === false && request.isPassive) return;
      announced.delete(key);
      announced.set(key, request);
      const [oldest] = announced.keys();
      if (announced.size > MOST_ANNOUNCED && oldest !== undefined) announced.delete(oldest);
    },
    async shows(url, isWindow) {
      const host = hostOf(url);
      if (host === undefined) return;
      const site = isHere(host) ? undefined : await siteOf(host);
      if (isWindow && site !== undefined) page.sites.add(site);
      if (isWindow) return;
      page = newPage({ isUsers: isNextUsers, url, site });
      if (page.isLocal && !page.isUsers) holdsData = true;
    },
  };
}

function newPage({ isUsers, url, site }: { isUsers: boolean; url: string; site?: string | undefined }): ShownPage {
  return {
    isUsers,
    isOpenedByUser: isUsers,
    url,
    site,
    isLocal: url !== '' && site === undefined,
    sites: new Set(site === undefined ? [] : [site]),
    companions: new Set(),
    hasActed: false,
    hasText: false,
  };
}

function hostOf(url: string): string | undefined {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

function placeOf(url: string): Place {
  const { protocol, port } = new URL(url);
  return { host: hostOf(url) ?? '', port: Number(port || (protocol === 'https:' ? 443 : 80)) };
}

const keyOf = ({ host, port }: Place): string => `${host}:${port}`;

function addressOf({ host, port }: Place): string {
  const literal = host.includes(':') ? `[${host}]` : host;
  return port === 80 ? `http://${literal}/` : `https://${literal}${port === 443 ? '' : `:${port}`}/`;
}
