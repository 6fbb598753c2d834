import { diffLines } from '@fucina/conversation/line-diff';
import { exactText } from '../../undo/change-events.ts';
import type { FileSide, NetChange, TurnChanges } from '../../undo/turn-changes.ts';

/** Files that a session changed, and lines of those that are text of moderate size. */
export interface ChangedLines {
  files: number;
  added: number;
  removed: number;
}

export const NO_CHANGES: ChangedLines = { files: 0, added: 0, removed: 0 };

/** Above this size, both sides together, lines are not counted. */
const MAX_COUNTED = 1024 * 1024;

export async function countChangedLines(
  changes: readonly NetChange[],
  bytesOf: TurnChanges['bytesOf'],
): Promise<ChangedLines> {
  const sum = { ...NO_CHANGES };
  for (const { before, after } of changes) {
    sum.files += 1;
    const [old, next] = [await linesOf(before, bytesOf), await linesOf(after, bytesOf)];
    if (!old || !next || old.size + next.size > MAX_COUNTED) continue;
    for (const { kind, lines } of diffLines(old.lines, next.lines)) {
      if (kind !== 'same') sum[kind] += lines.length;
    }
  }
  return sum;
}

/** Undefined when the content is not stored, or is no text. */
async function linesOf(
  side: FileSide,
  bytesOf: TurnChanges['bytesOf'],
): Promise<{ size: number; lines: string[] } | undefined> {
  if (!side.isThere) return { size: 0, lines: [] };
  const bytes = await bytesOf(side);
  const text = bytes && exactText(bytes);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return { size: text.length, lines };
}
