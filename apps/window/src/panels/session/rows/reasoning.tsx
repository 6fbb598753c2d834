import type { ProseItem } from '@fucina/conversation';
import { useQuery } from '@tanstack/react-query';
import { Brain } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { now } from '../../../ambient.ts';
import { Fold } from '../../../parts/box.tsx';
import { Markdown } from '../../../parts/markdown.tsx';
import { useElapsed } from '../../../parts/use-elapsed.ts';
import { metricsQuery } from '../../../wire/queries.ts';
import { useWords } from '../../../words/words.ts';

/** Milliseconds measured here, by message, until the server reports its own measurement. */
const watched = new Map<string, number>();

function useTime({ key, isOpen }: ProseItem): number | undefined {
  const { sessionId = '' } = useParams();
  const [from] = useState(() => (isOpen ? now() : undefined));
  const elapsed = useElapsed(from, isOpen);
  useEffect(() => {
    if (isOpen || from === undefined || watched.has(key)) return;
    watched.set(key, now() - from);
  }, [isOpen, from, key]);
  const { data } = useQuery({ ...metricsQuery(sessionId), enabled: !isOpen });
  return isOpen ? elapsed : (data?.reasoningMs[key] ?? watched.get(key));
}

export function Reasoning({ item }: { item: ProseItem }) {
  const { say, duration } = useWords();
  const ms = useTime(item);
  return (
    <Fold
      className="reasoning"
      head={
        <>
          <Brain size={14} aria-hidden />
          <span className={item.isOpen ? 'thinking' : undefined}>
            {say(item.isOpen ? 'session.thinking' : 'session.thought')}
          </span>
          {ms !== undefined && ms >= 100 && <span className="tabular small">{duration(ms)}</span>}
        </>
      }
    >
      {() => <Markdown text={item.text} isOpen={item.isOpen} />}
    </Fold>
  );
}
