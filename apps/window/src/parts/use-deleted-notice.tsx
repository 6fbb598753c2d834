import { Undo2 } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { later } from '../ambient.ts';
import { useWords } from '../words/words.ts';
import { Failure } from './states.tsx';

interface Removed {
  /** Text of the notice. */
  text: string;
  undo: () => Promise<unknown>;
}

const SHOWN_MS = 10_000;

/** A notice of a deletion with an undo button. */
export function useDeletedNotice(): { line: ReactNode; tell: (removed: Removed) => void } {
  const { say } = useWords();
  const [removed, setRemoved] = useState<Removed>();
  const [error, setError] = useState<unknown>();
  useEffect(() => (removed ? later(SHOWN_MS, () => setRemoved(undefined)) : undefined), [removed]);
  const tell = useCallback((next: Removed) => {
    setError(undefined);
    setRemoved(next);
  }, []);
  const undo = () => {
    if (!removed) return;
    setRemoved(undefined);
    removed.undo().catch(setError);
  };
  const line = (
    <div className="records-line" role="status">
      {removed && (
        <p>
          {removed.text}{' '}
          <button type="button" className="text-button" onClick={undo}>
            <Undo2 size={14} aria-hidden /> {say('records.undo')}
          </button>
        </p>
      )}
      {error !== undefined && <Failure error={error} />}
    </div>
  );
  return { line, tell };
}
