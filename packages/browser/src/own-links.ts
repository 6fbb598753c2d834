import { isSameSite } from '@fucina/shared';

const MAX_LINKS = 300;
const LINK = /\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|\b(https?:\/\/[^\s<>"'`)\]]+)/g;

/** The links of a page, as Markdown, that lead to the site of its address: absolute, each once, at most 300. */
export async function ownLinks(markdown: string, address: string): Promise<string[]> {
  const found = new Set<string>();
  for (const [, link, bare] of markdown.matchAll(LINK)) {
    const target = link ?? bare ?? '';
    if (!URL.canParse(target, address)) continue;
    const url = new URL(target, address);
    url.hash = '';
    if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.href.length > 2_048) continue;
    if (!found.has(url.href) && (await isSameSite(url.href, address))) found.add(url.href);
    if (found.size === MAX_LINKS) break;
  }
  return [...found];
}
