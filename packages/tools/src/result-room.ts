import type { ToolContext } from '@fucina/shared';

/** A result takes at most this part of the model's window. */
const PART_OF_WINDOW = 1 / 8;
const BYTES_PER_TOKEN = 3;
const MIN_ROOM = 2000;

/** How much of `wanted` a result may take of the model's window; all where its size is not known. */
export function roomIn({ windowTokens }: Pick<ToolContext, 'windowTokens'>, wanted: number): number {
  if (windowTokens === undefined) return wanted;
  return Math.min(wanted, Math.max(MIN_ROOM, Math.floor(windowTokens * PART_OF_WINDOW * BYTES_PER_TOKEN)));
}
