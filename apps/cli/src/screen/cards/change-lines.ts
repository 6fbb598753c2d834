import { cleanLine } from '../../clean-text.ts';
import { diffLines } from '../../one-shot/action-view.ts';
import type { FileChange } from '../conversation/items.ts';
import type { Line } from '../line.ts';
import { textLines, wrapLine } from '../look/wrap.ts';
import type { CardLook } from './card.ts';

export function changeLines({ path, before, after, isUntold }: FileChange, { width }: CardLook): Line[] {
  const head: Line = [{ text: `  ${cleanLine(path, 200)}`, token: 'info' }];
  if (isUntold) return wrapLine(head, width);
  const body = diffLines(before ?? '', after ?? '').flatMap((text): Line[] => {
    const token = text.startsWith('+') ? 'success' : text.startsWith('-') ? 'danger' : 'muted';
    return textLines(text, { token }).flatMap((line) =>
      wrapLine(line, width, { first: [{ text: '  ' }], isExact: true }),
    );
  });
  return [...wrapLine(head, width), ...body];
}

/** Lines that came and went; undefined where nothing of it was told. */
export function countChanges(changes: readonly FileChange[]): { added: number; removed: number } | undefined {
  const told = changes.filter(({ isUntold }) => !isUntold);
  if (told.length === 0) return undefined;
  const all = told.flatMap(({ before, after }) => diffLines(before ?? '', after ?? ''));
  return {
    added: all.filter((line) => line.startsWith('+')).length,
    removed: all.filter((line) => line.startsWith('-')).length,
  };
}
