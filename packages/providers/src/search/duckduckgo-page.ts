import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { type SearchResult, toResult } from './results.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

export type DuckDuckGoPage =
  | { kind: 'results'; results: SearchResult[] }
  | { kind: 'blocked' }
  | { kind: 'unreadable' };

/** The page without scripts. A page with a captcha is `blocked`. */
export function readDuckDuckGoPage(html: string): DuckDuckGoPage {
  const elements = [...elementsOf(parse(html).childNodes as Node[])];
  const hasClass = (element: Element, name: string): boolean => classesOf(element).includes(name);
  if (elements.some((element) => classesOf(element).some((name) => name.startsWith('anomaly-modal')))) {
    return { kind: 'blocked' };
  }
  const bodies = elements.filter((element) => hasClass(element, 'result') && !hasClass(element, 'result--ad'));
  const results = bodies.flatMap((body) => {
    const inside = [...elementsOf(body.childNodes)];
    const link = inside.find((element) => hasClass(element, 'result__a'));
    if (!link) return [];
    const snippet = inside.find((element) => hasClass(element, 'result__snippet'));
    const url = targetOf(attribute(link, 'href') ?? '');
    return toResult({ title: textOf(link), url, snippet: snippet ? textOf(snippet) : '' }) ?? [];
  });
  if (results.length > 0) return { kind: 'results', results };
  const isEmptyAnswer = elements.some((element) => hasClass(element, 'no-results') || hasClass(element, 'results'));
  return isEmptyAnswer ? { kind: 'results', results } : { kind: 'unreadable' };
}

/** Links are redirects that contain the real address. */
function targetOf(href: string): string {
  const absolute = href.startsWith('//') ? `https:${href}` : href;
  if (!URL.canParse(absolute)) return '';
  const url = new URL(absolute);
  const isCounter = /(^|\.)duckduckgo\.com$/.test(url.hostname);
  if (!isCounter) return absolute;
  return url.pathname === '/l/' ? (url.searchParams.get('uddg') ?? '') : '';
}

/** In document order; with a stack, because the page determines the depth. */
function* elementsOf(roots: readonly Node[]): Generator<Element> {
  const stack = [...roots].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!('tagName' in node)) continue;
    yield node;
    for (let index = node.childNodes.length - 1; index >= 0; index -= 1) stack.push(node.childNodes[index] as Node);
  }
}

function textOf(root: Element): string {
  let text = '';
  const stack: Node[] = [...root.childNodes].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeName === '#text') text += (node as DefaultTreeAdapterTypes.TextNode).value;
    else if ('childNodes' in node) stack.push(...[...node.childNodes].reverse());
  }
  return text;
}

function classesOf(element: Element): string[] {
  return (attribute(element, 'class') ?? '').split(/\s+/);
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}
