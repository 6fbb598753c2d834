import type { ReasoningItem, UserItem } from '@fucina/conversation';
import { cleanLine } from '../../clean-text.ts';
import { duration } from '../../duration.ts';
import type { ScreenItem } from '../conversation/state.ts';
import type { Line } from '../line.ts';
import { textLines, wrapLine } from '../render/wrap.ts';
import { type Card, type CardLook } from './card.ts';

const BAR: Line = [{ text: '▌ ', token: 'accent' }];
const NAME_WIDTH = 60;

export const userCard: Card<'user'> = (item, look) => {
  const { width, say } = look;
  const words = textLines(item.text.trimEnd(), { isStruck: item.isRemoved });
  const pictures = item.images.map(
    ({ name }): Line => [{ text: `[${cleanLine(name ?? '', NAME_WIDTH)}]`, token: 'info' }],
  );
  const lines = [...words, ...pictures].flatMap((line) => wrapLine(line, width, { first: BAR, rest: BAR }));
  const mark = markOf(item);
  return mark
    ? [...lines, ...wrapLine([{ text: say(mark), token: 'muted' }], width, { first: BAR, rest: BAR })]
    : lines;
};

function markOf({ steer, isRemoved }: UserItem) {
  if (isRemoved) return 'card.removed';
  return steer && steer !== 'applied' ? (`card.steer-${steer}` as const) : undefined;
}

export const reasoningCard: Card<'reasoning'> = (item, look) => {
  const { width, say, showsReasoning } = look;
  const head = say(item.isOpen ? 'card.thinking' : 'card.thought', { time: duration(lastedOf(item)) });
  const title: Line = [{ text: `∴ ${head}`, token: 'muted', isItalic: true }];
  if (!showsReasoning) return wrapLine(title, width);
  const bar: Line = [{ text: '│ ', token: 'line' }];
  const body = textLines(item.text.trim(), { token: 'muted', isItalic: true });
  return [
    ...wrapLine(title, width),
    ...body.flatMap((line) => wrapLine(line, Math.min(width, look.proseWidth), { first: bar, rest: bar })),
  ];
};

function lastedOf({ startedAt, endedAt }: ReasoningItem): number {
  return startedAt === undefined ? 0 : Math.max(0, (endedAt ?? startedAt) - startedAt);
}

/** The source text of an answer, as plain text. */
export function plainText(text: string, { width, proseWidth }: Pick<CardLook, 'width' | 'proseWidth'>): Line[] {
  return textLines(text).flatMap((line) => wrapLine(line, Math.min(width, proseWidth)));
}

/** Whether it would be invisible. */
export function isEmptyProse(item: ScreenItem): boolean {
  return item.kind === 'text' && item.text.trim() === '';
}
