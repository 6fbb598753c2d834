import { X } from 'lucide-react';
import { Failure } from '../../parts/states.tsx';
import { useWords } from '../../words/words.ts';
import type { ItemActions } from './use-item-actions.ts';

/** Result of the last action. */
export function LibraryNotice({ acts: { notice, dismiss } }: { acts: ItemActions }) {
  const { say } = useWords();
  return (
    <div className="files-notice" role="status">
      {notice && (
        <>
          {notice.error === undefined ? <p className="small">{notice.text}</p> : <Failure error={notice.error} />}
          <button
            type="button"
            className="icon-button"
            aria-label={say('act.close')}
            title={say('act.close')}
            onClick={dismiss}
          >
            <X size={14} aria-hidden />
          </button>
        </>
      )}
    </div>
  );
}
