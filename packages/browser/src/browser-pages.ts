import { join } from 'node:path';
import type { Ambient, OutboundHttp } from '@fucina/shared';
import { pageAddress } from './addresses.ts';
import { browserError } from './errors.ts';
import { createFavicons, type Icon } from './favicons.ts';
import { checkFrame, type FrameVerdict } from './frame-check.ts';
import { localPage } from './local-page.ts';
import { PageError, type PageReader } from './page-reader.ts';

export interface PageReading {
  /** The final address, after redirects. */
  url: string;
  /** HTTP status; only successful answers are read as a page. */
  status: number;
  text: string;
  /** Ms since the epoch. */
  readAt: number;
}

/** The requester: the window's own address, and a signal that ends with the request. */
export interface PageCaller {
  ownOrigin: string;
  signal: AbortSignal;
}

/** Hosts beside this computer that a page may reach; each with every port, unless one is named. */
export type ReachableHosts = 'any' | { named: readonly ReachableHost[]; builtIn: readonly ReachableHost[] };

/** A name, an address, or `*.` and a domain for it and every name under it. */
export interface ReachableHost {
  host: string;
  port?: number | 'any';
}

export interface LocalPage {
  html: Buffer;
  /** Undefined for a page of no session. */
  hosts: ReachableHosts | undefined;
}

/** Pages that the user views without the live browser. An invalid address is QUERY_INVALID everywhere. */
export interface BrowserPages extends AsyncDisposable {
  /** The text of a public page, as the agent reads it. BROWSER_PROXY_IRRAGGIUNGIBILE with the problem as reason. */
  read(url: string, signal: AbortSignal): Promise<PageReading>;
  checkFrame(url: string, caller: PageCaller): Promise<FrameVerdict>;
  /**
   * HTML of a development server on this computer, with the overlay, and what the network policy of a session lets it
   * reach. BROWSER_PROXY_*, NOT_FOUND for an unknown session.
   */
  localPage(url: string, caller: PageCaller & { sessionId?: string | undefined }): Promise<LocalPage>;
  /** The icon of a public site; undefined when it has none. */
  icon(domain: string): Promise<Icon | undefined>;
}

interface BrowserPagesNeeds {
  ambient: Ambient;
  http: OutboundHttp;
  reader: PageReader;
  dataDir: string;
  /** Whether a live browser is available. */
  canDrive(): Promise<boolean>;
  /** The network policy of a session. */
  reachableHosts(sessionId: string): Promise<ReachableHosts>;
}

export function createBrowserPages(needs: BrowserPagesNeeds): BrowserPages {
  const { ambient, http, reader, dataDir, canDrive, reachableHosts } = needs;
  const favicons = createFavicons({ ambient, http, folder: join(dataDir, 'favicons') });
  return {
    async read(address, signal) {
      const { href } = pageAddress(address);
      try {
        const { url, text } = await reader.read(href, signal);
        return { url, status: 200, text, readAt: ambient.now() };
      } catch (error) {
        if (!(error instanceof PageError)) throw error;
        throw browserError('BROWSER_PROXY_IRRAGGIUNGIBILE', { reason: error.problem, cause: error });
      }
    },
    checkFrame: (url, caller) => checkFrame({ http, canDrive }, url, caller),
    async localPage(url, { sessionId, ...caller }) {
      const hosts = sessionId === undefined ? undefined : await reachableHosts(sessionId);
      return { html: await localPage(http, url, caller), hosts };
    },
    icon: (domain) => favicons.read(domain),
    [Symbol.asyncDispose]: () => favicons[Symbol.asyncDispose](),
  };
}
