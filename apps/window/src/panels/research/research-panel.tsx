import '../../styles/forms.css';
import '../../styles/run-mark.css';
import '../../styles/research.css';
import type { Conversation } from '@fucina/conversation';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Answer, Empty } from '../../parts/states.tsx';
import { useConversationFact } from '../../session/use-session.tsx';
import { researchListQuery } from '../../wire/research.ts';
import { useWords } from '../../words/words.ts';
import { ResearchList } from './research-list.tsx';
import { ResearchView } from './research-view.tsx';
import { ResearchStarting, StartResearch } from './start-research.tsx';

const isRunningOf = ({ isRunning }: Conversation) => isRunning;

/** A requested run that has not started yet, and the reports before it. */
interface Expected {
  question: string;
  before: ReadonlySet<string>;
}

interface OverviewProps {
  sessionId: string;
  /** A question to repeat. */
  first: string;
  show: (id: string) => void;
}

function Overview({ sessionId, first, show }: OverviewProps) {
  const { say } = useWords();
  const client = useQueryClient();
  const [expected, expect] = useState<Expected>();
  const query = useQuery(researchListQuery(sessionId, expected !== undefined));
  const rows = query.data?.rows;
  const begun = expected && rows?.find(({ id, query }) => query === expected.question && !expected.before.has(id));
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    if (begun) latest.current(begun.id);
  }, [begun]);
  // The end of a turn may have started one.
  const isRunning = useConversationFact(isRunningOf);
  const was = useRef(isRunning);
  useEffect(() => {
    if (was.current !== isRunning) void client.invalidateQueries({ queryKey: ['research', sessionId] });
    was.current = isRunning;
  }, [client, sessionId, isRunning]);
  return (
    <div className="research-page">
      <StartResearch
        sessionId={sessionId}
        first={first}
        onAsked={(question) => expect({ question, before: new Set(rows?.map(({ id }) => id)) })}
      />
      {expected && <ResearchStarting sessionId={sessionId} question={expected.question} />}
      <Answer query={query} lines={6}>
        {({ rows: found, total, problem }) =>
          problem === undefined ? (
            <ResearchList rows={found} total={total} />
          ) : (
            <Empty icon={<FileX size={20} aria-hidden />} title={say('research.unread')}>
              {problem}
            </Empty>
          )
        }
      </Answer>
    </div>
  );
}

/** The research reports of a project; the selected one is in the address. */
export function ResearchPanel({ sessionId }: { sessionId: string }) {
  const [search, setSearch] = useSearchParams();
  const id = search.get('run');
  if (id === null) {
    return (
      <Overview sessionId={sessionId} first={search.get('ask') ?? ''} show={(begun) => setSearch({ run: begun })} />
    );
  }
  return <ResearchView key={id} sessionId={sessionId} id={id} leave={() => setSearch({}, { replace: true })} />;
}
