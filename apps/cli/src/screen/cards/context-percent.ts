import type { Say } from '../../words/index.ts';
import type { ContextWindow } from '../workbench.ts';
import { shortCount } from './card.ts';

export function percentOf(tokens: number, window: ContextWindow): number {
  return Math.min(100, Math.round((tokens / window.tokens) * 100));
}

/** How full the context is; marks an assumed size. */
export function contextPercent(tokens: number, window: ContextWindow, say: Say): string {
  const percent = percentOf(tokens, window);
  if (!window.isAssumed) return say('status.context', { percent });
  return say('status.context-assumed', { percent, window: shortCount(window.tokens) });
}
