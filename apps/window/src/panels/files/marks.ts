import { type Conversation, netChanges } from '@fucina/conversation';
import { foldersAbove } from './paths.ts';
import type { ChangeMark } from './tree-row.tsx';

/** Changes by the session, by path: files, and their parent folders. */
export function marksOf(changes: Conversation['changes']): ReadonlyMap<string, ChangeMark> {
  const marks = new Map<string, ChangeMark>();
  for (const { path, before, after } of netChanges(changes)) {
    if (after !== null) marks.set(path, before === null ? 'new' : 'changed');
    for (const folder of foldersAbove(path)) marks.set(folder, 'inside');
  }
  return marks;
}
