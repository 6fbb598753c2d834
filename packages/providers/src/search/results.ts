import { textStart } from '@fucina/shared';
/** One search result. Texts are plain, one line, truncated for display. */
export interface SearchResult {
  title: string;
  url: string;
  snippet: string;
}

const MAX_TITLE = 200;
const MAX_SNIPPET = 500;
const MAX_URL = 2_048;

/** Undefined for an entry without a web address. */
export function toResult(found: { title: unknown; url: unknown; snippet: unknown }): SearchResult | undefined {
  const url = typeof found.url === 'string' && found.url.length <= MAX_URL ? found.url.trim() : '';
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const title = line(found.title, MAX_TITLE);
  return { title: title || new URL(url).hostname, url, snippet: line(found.snippet, MAX_SNIPPET) };
}

/** Removes the highlighting of some sources. */
function line(text: unknown, limit: number): string {
  if (typeof text !== 'string') return '';
  const plain = textStart(text, limit * 4)
    .replace(/<\/?(b|strong|em|i|mark)>/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > limit ? `${textStart(plain, limit - 1)}…` : plain;
}

/** Each address once, at most `limit`. */
export function firstResults(results: readonly SearchResult[], limit: number): SearchResult[] {
  const seen = new Set<string>();
  return results.filter(({ url }) => !seen.has(url) && seen.add(url)).slice(0, limit);
}
