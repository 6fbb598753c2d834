import { changedInstructions, type FileChange, isAgentInstructions } from '@fucina/conversation';
import { TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { useWords } from '../words/words.ts';
import { CleanText } from './clean-text.tsx';

/** Names the instructions for agents that a call changed; nothing without any. */
export function InstructionNote({ changes }: { changes: readonly FileChange[] }) {
  const { say } = useWords();
  const paths = useMemo(() => changedInstructions(changes), [changes]);
  if (paths.length === 0) return null;
  return (
    <p className="instruction-note warning small">
      <TriangleAlert size={14} aria-hidden />
      <span>
        {say('instructions.changed')}: <CleanText text={paths.join(', ')} />
      </span>
    </p>
  );
}

/** Marks instructions for agents in a list of changed files. */
export function InstructionTag({ path }: { path: string }) {
  const { say } = useWords();
  if (!isAgentInstructions(path)) return null;
  return <span className="tag warning instruction-tag">{say('instructions.tag')}</span>;
}
