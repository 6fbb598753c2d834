import type { FileChange } from '@fucina/conversation';
import { useMemo } from 'react';
import { useWords } from '../words/words.ts';
import { diffTexts } from './line-diff.ts';

export function DiffCounts({ added, removed }: { added: number; removed: number }) {
  const { say, number } = useWords();
  return (
    <span className="diff-counts tabular">
      {(added > 0 || removed === 0) && (
        <span className="diff-plus" title={say('diff.added', { count: added })}>
          +{number(added)}
        </span>
      )}
      {removed > 0 && (
        <span className="diff-minus" title={say('diff.removed', { count: removed })}>
          −{number(removed)}
        </span>
      )}
    </span>
  );
}

/** Lines added and removed by all changes of a call. */
export function ChangeCounts({ changes }: { changes: readonly FileChange[] }) {
  const diffs = useMemo(() => changes.map(({ before, after }) => diffTexts(before, after)), [changes]);
  const added = diffs.reduce((sum, diff) => sum + diff.added, 0);
  const removed = diffs.reduce((sum, diff) => sum + diff.removed, 0);
  return <DiffCounts added={added} removed={removed} />;
}
