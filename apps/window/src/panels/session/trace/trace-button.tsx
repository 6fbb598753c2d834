import { ChartGantt } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../../parts/lazy-part.tsx';
import { useWords, withWords } from '../../../words/words.ts';

const TraceDialog = lazyPart(async () => (await withWords(import('./trace-dialog.tsx'))).TraceDialog);

/** Opens the trace of a turn, or of the latest one. */
export function TraceButton({ sessionId, reference }: { sessionId: string; reference?: string }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const label = say(reference === undefined ? 'trace.latest' : 'trace.open');
  return (
    <>
      <button
        type="button"
        className="icon-button trace-open"
        aria-label={label}
        title={label}
        onClick={() => setIsOpen(true)}
      >
        <ChartGantt size={14} aria-hidden />
      </button>
      {isOpen && <TraceDialog sessionId={sessionId} reference={reference} close={() => setIsOpen(false)} />}
    </>
  );
}
