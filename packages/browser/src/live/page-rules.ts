import { registrableDomain } from '@fucina/shared';

/** A request of a page, as far as it is known: of an encrypted connection that nobody announced only `url`. */
export interface PageRequest {
  url: string;
  method?: string | undefined;
  /** Its body. */
  data?: string | undefined;
  /** Shown or run by the page and sent with GET: pictures, styles, fonts, media, scripts. */
  isPassive?: boolean | undefined;
}

/** A request for the network policy. */
export interface JudgedRequest extends Pick<PageRequest, 'url' | 'data'> {
  /** Nothing of the session can be in it. */
  isFree: boolean;
  /** The user may be asked. */
  asks: boolean;
  /** `data` is typed into a page of this address. */
  isTyped?: boolean;
}

/** The page that a tab shows, for the policy. */
export interface ShownPage {
  url: string;
  /** Undefined for a page of this computer, and before the first page. */
  site: string | undefined;
  /** The user opened it, and the agent did nothing on it. */
  isUsers: boolean;
  /** The user opened it. */
  isOpenedByUser: boolean;
  isLocal: boolean;
  /** Sites that it may talk to: its own, and those that a navigation was allowed to. */
  readonly sites: Set<string>;
  /** Other sites that it used before anything of the session could be in it. */
  readonly companions: Set<string>;
  hasActed: boolean;
  /** What the agent typed is in the page. */
  hasText: boolean;
}

/** What a page may do: `free` and `asks` are for the policy; `unasked` is allowed by a rule or an answer only. */
export type PageRule = 'users' | 'free' | 'asks' | 'unasked';

/**
 * How a request to a site is judged; pure. `holdsData`: the tab has shown a page of this computer to the agent, which may
 * have written it and put anything in it.
 */
export function ruleFor(
  page: ShownPage,
  { site, isPassive, holdsData }: { site: string; isPassive: boolean; holdsData: boolean },
): PageRule {
  if (page.isUsers) return 'users';
  if (page.sites.has(site)) return 'free';
  const isCompanion = page.companions.has(site);
  if (holdsData || page.hasText) return isCompanion ? 'unasked' : 'asks';
  return !page.hasActed || isCompanion || isPassive ? 'free' : 'asks';
}

/** What one answer of the user covers: the registrable domain, or the host where it has none. */
export async function siteOf(host: string): Promise<string> {
  return (await registrableDomain(host)) ?? host;
}
