import type { Spend } from '../../wire/research.ts';
import type { Words } from '../../words/words.ts';

/** Usage, as text. */
export function spendWords({ tokens, searches, pages }: Spend, { say, short }: Words): string {
  const parts = [
    searches > 0 && say('research.spend.searches', { count: searches }),
    pages > 0 && say('research.spend.pages', { count: pages }),
    tokens > 0 && say('research.spend.tokens', { tokens: short(tokens) }),
  ];
  return parts.filter(Boolean).join(', ');
}
