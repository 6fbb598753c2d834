import { readArguments } from '@fucina/conversation';
import { Check, ChevronRight, FileText } from 'lucide-react';
import { useId, useState } from 'react';
import { ToolCall } from '../../../parts/tool-call.tsx';
import { callSummary } from '../../../parts/tool-words.ts';
import { useWords } from '../../../words/words.ts';
import type { ReadGroup } from '../timeline-items.ts';

/** Consecutive reads in one row, expandable. */
export function ReadGroupRow({ calls }: Pick<ReadGroup, 'calls'>) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const paths = new Set(calls.map((call) => callSummary(call.name, readArguments(call))));
  return (
    <div className="tool" data-open={isOpen || undefined}>
      <div className="tool-line">
        <button
          type="button"
          className="tool-head"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setIsOpen(!isOpen)}
        >
          <FileText size={14} className="tool-icon" aria-hidden />
          <span className="tool-verb">{say('tool.reads', { count: paths.size })}</span>
          <span className="tool-about">{[...paths].join(', ')}</span>
          <Check size={14} className="muted" aria-label={say('tool.over')} />
          <ChevronRight size={14} className="fold-mark" aria-hidden />
        </button>
      </div>
      {isOpen && (
        <div id={id} className="tool-group">
          {calls.map((call) => (
            <ToolCall key={call.key} item={call} />
          ))}
        </div>
      )}
    </div>
  );
}
