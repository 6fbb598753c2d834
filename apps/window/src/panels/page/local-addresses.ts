import type { Conversation } from '@fucina/conversation';

const MOST = 4;
const LOCAL = /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):\d{2,5}(?:\/[^\s"'`<>)\]]*)?/gi;

/** The addresses of development servers that the session printed or named, latest first. */
export function localAddresses({ items }: Pick<Conversation, 'items'>): string[] {
  const texts = items.flatMap((item) => {
    if (item.kind === 'text') return [item.text];
    return item.kind === 'tool' || item.kind === 'command' ? [item.output] : [];
  });
  const found = texts
    .reverse()
    .flatMap((text) => [...text.matchAll(LOCAL)].map(([url]) => url.replace(/[.,:;/]+$/, '')));
  return [...new Set(found)].slice(0, MOST);
}
