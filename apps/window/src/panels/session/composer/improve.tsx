import { useMutation } from '@tanstack/react-query';
import { LoaderCircle, Undo2, WandSparkles } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '../../../parts/states.tsx';
import { api } from '../../../wire/client.ts';
import type { ImprovedPrompt } from '../../../wire/records.ts';
import { useWords } from '../../../words/words.ts';

const DEPTHS = ['concisa', 'equilibrata', 'estesa'] as const;
type Depth = (typeof DEPTHS)[number];

interface ImproveProps {
  sessionId: string;
  text: string;
  setText: (text: string) => void;
}

function DepthSelect({ depth, choose }: { depth: Depth; choose: (depth: Depth) => void }) {
  const { say } = useWords();
  return (
    <select
      className="chip"
      aria-label={say('improve.depth')}
      title={say('improve.depth')}
      value={depth}
      onChange={(event) => choose(DEPTHS.find((one) => one === event.currentTarget.value) ?? 'equilibrata')}
    >
      {DEPTHS.map((one) => (
        <option key={one} value={one}>
          {say(`improve.${one}`)}
        </option>
      ))}
    </select>
  );
}

/** Rewrites the draft with the session's model without sending it; one click restores the original. */
export function Improve({ sessionId, text, setText }: ImproveProps) {
  const { say } = useWords();
  const [depth, setDepth] = useState<Depth>('equilibrata');
  const [done, setDone] = useState<ImprovedPrompt>();
  const improve = useMutation({
    mutationFn: ({ prompt, depth }: { prompt: string; depth: Depth }) =>
      api.post('/sessions/{sessionId}/improve-prompt', { path: { sessionId }, body: { prompt, depth } }),
    onSuccess: (answer, { prompt }) => {
      setDone({ ...answer, originalPrompt: prompt });
      setText(answer.improvedPrompt);
    },
  });
  const isShown = done !== undefined && done.improvedPrompt === text;
  const again = (depth: Depth) => {
    setDepth(depth);
    improve.mutate({ prompt: isShown ? done.originalPrompt : text, depth });
  };
  return (
    <>
      <span className="improve">
        <button
          type="button"
          className="icon-button"
          aria-label={say('improve.act')}
          title={say('improve.act')}
          disabled={improve.isPending}
          onClick={() => again(depth)}
        >
          {improve.isPending ? (
            <LoaderCircle size={14} className="spin" aria-hidden />
          ) : (
            <WandSparkles size={14} aria-hidden />
          )}
        </button>
        {isShown && (
          <>
            <DepthSelect depth={depth} choose={again} />
            <button
              type="button"
              className="text-button"
              title={done.summary}
              onClick={() => {
                setText(done.originalPrompt);
                setDone(undefined);
              }}
            >
              <Undo2 size={14} aria-hidden /> {say('improve.undo')}
            </button>
          </>
        )}
      </span>
      <span className="unseen" role="status">
        {improve.isPending ? say('improve.working') : isShown ? say('improve.done') : ''}
      </span>
      {improve.error && <Failure error={improve.error} />}
    </>
  );
}
