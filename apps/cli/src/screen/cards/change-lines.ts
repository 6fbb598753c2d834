import type { FileChange } from '@fucina/conversation';
import { cleanLine } from '../../clean-text.ts';
import type { Line } from '../line.ts';
import { compareTexts } from '../render/diff/compare.ts';
import { differenceLines } from '../render/diff/draw.ts';
import { wrapLine } from '../render/wrap.ts';
import type { CardLook } from './card.ts';

export function changeLines({ path, before, after, isTooLarge }: FileChange, { width, say }: CardLook): Line[] {
  const head: Line = [{ text: `  ${cleanLine(path, 200)}`, token: 'info' }];
  if (isTooLarge) return wrapLine(head, width);
  const indent: Line = [{ text: '  ' }];
  const body = differenceLines(compareTexts(before ?? '', after ?? ''), { width: Math.max(1, width - 2), say });
  return [...wrapLine(head, width), ...body.map((line): Line => (width > 2 ? [...indent, ...line] : line))];
}

/** Added and removed lines; undefined if unknown. */
export function countChanges(changes: readonly FileChange[]): { added: number; removed: number } | undefined {
  const shown = changes.filter(({ isTooLarge }) => !isTooLarge);
  if (shown.length === 0) return undefined;
  const all = shown.map(({ before, after }) => compareTexts(before ?? '', after ?? ''));
  return {
    added: all.reduce((total, { added }) => total + added, 0),
    removed: all.reduce((total, { removed }) => total + removed, 0),
  };
}
