import { parse } from 'parse5';
import { attribute, elementsOf } from './elements.ts';

/** The icon addresses that a page names, in its order; SVG is left out. */
export function iconLinks(html: string, pageUrl: string): string[] {
  const elements = [...elementsOf(parse(html))];
  const ownBase = elements.find((one) => one.tagName === 'base')?.attrs.find(({ name }) => name === 'href')?.value;
  const base = ownBase !== undefined && URL.canParse(ownBase, pageUrl) ? new URL(ownBase, pageUrl).href : pageUrl;
  return elements.flatMap((element) => {
    const rel = attribute(element, 'rel')?.toLowerCase().split(/\s+/) ?? [];
    const href = attribute(element, 'href');
    if (element.tagName !== 'link' || !rel.some((one) => one === 'icon' || one === 'apple-touch-icon')) return [];
    if (href === undefined || attribute(element, 'type') === 'image/svg+xml' || !URL.canParse(href, base)) return [];
    const url = new URL(href, base);
    return /^https?:$/.test(url.protocol) ? [url.href] : [];
  });
}
