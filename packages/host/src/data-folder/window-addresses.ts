import { lookup as systemLookup } from 'node:dns/promises';
import { request } from 'node:http';
import { instanceHost } from './instance-host.ts';

/** Addresses of one server's window. */
export interface WindowAddresses {
  /** Works in every browser. */
  plain: string;
  /**
   * Under the name of the instance, whose cookie no other port gets. Only for a browser that resolves the name to this
   * computer. Undefined where the server does not answer to it, or the system resolves it to another computer.
   */
  named: string | undefined;
  /** For the user to open in any browser: `named` where the system resolves it, otherwise `plain`. */
  shown: string;
}

interface Opening {
  /** Address of the running server. */
  url: string;
  /** Its data folder. */
  folder: string;
  /** Added to each address, such as `?token=…`. */
  query?: string;
  /** Whether the server answers to its name; asked of it if absent. */
  isNamed?: boolean;
}

type Lookup = (host: string) => Promise<readonly { address: string }[]>;

const LOOKUP_MS = 2_000;
/** For a computer that is busy; the server is on it. */
const ANSWER_MS = 15_000;

export async function windowAddresses(
  { url, folder, query = '', isNamed }: Opening,
  lookup: Lookup = (host) => systemLookup(host, { all: true }),
): Promise<WindowAddresses> {
  const plain = `${url}${query}`;
  const host = await instanceHost(folder);
  const [isAnswered, found] = await Promise.all([isNamed ?? answersTo(url, host), addressesOf(host, lookup)]);
  if (!isAnswered || !found.every(isLoopback)) return { plain, named: undefined, shown: plain };
  const address = new URL(url);
  address.hostname = host;
  const named = `${address.href}${query}`;
  return { plain, named, shown: found.length > 0 ? named : plain };
}

/** Nothing where the system does not resolve it in time: some browsers resolve names of this computer themselves. */
async function addressesOf(host: string, lookup: Lookup): Promise<string[]> {
  const found = lookup(host).then((all) => all.map(({ address }) => address));
  const late = new Promise<string[]>((resolve) =>
    AbortSignal.timeout(LOOKUP_MS).addEventListener('abort', () => resolve([])),
  );
  return Promise.race([found.catch(() => []), late]);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address);
}

/** A server that cannot answer to the name refuses its Host header. */
function answersTo(url: string, host: string): Promise<boolean> {
  const { port } = new URL(url);
  return new Promise((resolve) => {
    const headers = { host: `${host}:${port}` };
    const asked = request(url, { method: 'HEAD', headers, agent: false, timeout: ANSWER_MS }, (answer) => {
      answer.resume();
      resolve(answer.statusCode !== 400);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false)); // nobody there: whoever opens the address finds out
    asked.on('close', () => resolve(false));
    asked.end();
  });
}
