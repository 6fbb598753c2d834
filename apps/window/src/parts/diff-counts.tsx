import { useWords } from '../words/words.ts';

export function Counts({ added, removed }: { added: number; removed: number }) {
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
