/** The search sources and their requirements. */
export const SEARCH_SOURCES = [
  {
    id: 'duckduckgo',
    label: 'DuckDuckGo',
    key: 'never',
    needsEndpoint: false,
    origin: 'https://html.duckduckgo.com',
    keysPage: null,
  },
  {
    id: 'tavily',
    label: 'Tavily',
    key: 'required',
    needsEndpoint: false,
    origin: 'https://api.tavily.com',
    keysPage: 'https://app.tavily.com',
  },
  {
    id: 'brave',
    label: 'Brave Search',
    key: 'required',
    needsEndpoint: false,
    origin: 'https://api.search.brave.com',
    keysPage: 'https://api-dashboard.search.brave.com',
  },
  {
    id: 'searxng',
    label: 'SearXNG',
    key: 'never',
    needsEndpoint: true,
    origin: null,
    keysPage: null,
  },
  {
    id: 'custom',
    label: 'Custom',
    key: 'optional',
    needsEndpoint: true,
    origin: null,
    keysPage: null,
  },
] as const satisfies readonly SearchSource[];

export interface SearchSource {
  id: string;
  label: string;
  /** `optional`: sent as a bearer when there is one. */
  key: 'never' | 'required' | 'optional';
  needsEndpoint: boolean;
  /** Its address; null when the user enters it. */
  origin: string | null;
  /** Where a user gets a key. */
  keysPage: string | null;
}

export type SearchSourceId = (typeof SEARCH_SOURCES)[number]['id'] | 'off';
export const DEFAULT_SOURCE: SearchSourceId = 'duckduckgo';

export function findSource(id: string): SearchSource | undefined {
  return SEARCH_SOURCES.find((source) => source.id === id);
}

export function isSourceId(id: string): id is SearchSourceId {
  return id === 'off' || findSource(id) !== undefined;
}
