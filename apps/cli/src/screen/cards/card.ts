import type { Say } from '../../words/index.ts';
import type { ScreenItem } from '../conversation/state.ts';
import type { Line } from '../line.ts';
import type { Highlighter } from '../render/highlight.ts';

/** The drawing options of cards. A new object whenever one changes: cards drawn with another one are redrawn. */
export interface CardLook {
  width: number;
  /** Maximum width of prose. */
  proseWidth: number;
  say: Say;
  /** False: the plain source text. */
  isMarkdown: boolean;
  highlighter: Highlighter;
  /** Whether reasoning is shown in full, or only mentioned. */
  showsReasoning: boolean;
  /** Whether tool calls are unfolded by default. */
  isUnfolded: boolean;
}

/** Draws one kind of item. `isUnfolded` is of this item. */
export type Card<Kind extends ScreenItem['kind']> = (
  item: Extract<ScreenItem, { kind: Kind }>,
  look: CardLook,
  isUnfolded: boolean,
) => readonly Line[];

/** 950, 12.3k, 1.2M. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 99_950) return `${(count / 1_000).toFixed(1)}k`;
  if (count < 999_500) return `${Math.round(count / 1_000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Small sums with four digits, others with cents. */
export function dollars(usd: number): string {
  return `$${usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2)}`;
}
