import { type SearchResult, toResult } from './results.ts';

/** Throws SyntaxError for an invalid response. */
export function parseTavily(text: string): SearchResult[] {
  return fromList(at(JSON.parse(text), 'results'), 'content');
}

/** Throws SyntaxError for an invalid response. */
export function parseBrave(text: string): SearchResult[] {
  const answer: unknown = JSON.parse(text);
  const web = at(answer, 'web');
  // A query without results lacks this part.
  if (web === undefined && at(answer, 'type') === 'search') return [];
  return fromList(at(web, 'results'), 'description');
}

/** Throws SyntaxError for an invalid response. */
export function parseSearxng(text: string): SearchResult[] {
  return fromList(at(JSON.parse(text), 'results'), 'content');
}

/** A list, or an object with a list under a common name; each entry has an address and a text. Throws SyntaxError. */
export function parseCustom(text: string): SearchResult[] {
  const answer: unknown = JSON.parse(text);
  const lists = [answer, ...['results', 'items', 'data', 'hits'].map((name) => at(answer, name))];
  lists.push(at(at(answer, 'web'), 'results'));
  return fromList(lists.find(Array.isArray), 'snippet', 'content', 'description', 'text', 'summary');
}

function fromList(list: unknown, ...snippetNames: string[]): SearchResult[] {
  if (!Array.isArray(list)) throw new SyntaxError('no list of results');
  return list.slice(0, MAX_ENTRIES).flatMap((entry: unknown) => {
    const url = at(entry, 'url') ?? at(entry, 'link') ?? at(entry, 'href');
    const snippet = snippetNames.map((name) => at(entry, name)).find((text) => typeof text === 'string');
    return toResult({ title: at(entry, 'title') ?? at(entry, 'name'), url, snippet }) ?? [];
  });
}

const MAX_ENTRIES = 200;

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
