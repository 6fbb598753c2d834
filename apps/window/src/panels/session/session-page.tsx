import type { Conversation } from '@fucina/conversation';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { memo, useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { afterPaint } from '../../ambient.ts';
import { lazyPart, Waiting } from '../../parts/lazy-part.tsx';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { useAfterPaint } from '../../parts/use-after-paint.ts';
import { FollowSession, useConversationFact, useStreamState } from '../../session/use-session.tsx';
import { SideColumn } from '../../shell/side-column.tsx';
import { metricsQuery, sessionsQuery } from '../../wire/queries.ts';
import type { SessionRow } from '../../wire/records.ts';
import { useWords, withWords } from '../../words/words.ts';
import { ConversationPanel } from './conversation-panel.tsx';
import { isOtherView } from './other-views.ts';
import { SessionHeader } from './session-header.tsx';
import { SessionTabs } from './session-tabs.tsx';
import { StatusLine } from './status-line.tsx';

const SessionView = lazyPart(async () => (await import('./session-view.tsx')).SessionView);
const SuggestedTitle = lazyPart(async () => (await import('./suggested-title.tsx')).SuggestedTitle, { isQuiet: true });
const Inspector = lazyPart(async () => (await withWords(import('./inspector/inspector.tsx'))).Inspector);

const isReplayedOf = (conversation: Conversation) => conversation.isReplayed;
/** Changes when the row of this session is outdated: its turn started or ended, or it waits for another answer. */
const pulseOf = ({ turn, isRunning, waiting }: Conversation) => `${turn} ${isRunning} ${waiting.join()}`;

function useFreshRow(sessionId: string): void {
  const pulse = useConversationFact(pulseOf);
  const client = useQueryClient();
  useEffect(
    () =>
      afterPaint(() => {
        void client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
        void client.invalidateQueries({ queryKey: metricsQuery(sessionId).queryKey });
      }),
    [client, sessionId, pulse],
  );
}

function Lost() {
  const { say } = useWords();
  const link = useStreamState();
  if (link !== 'lost') return null;
  return (
    <p className="banner" role="status">
      {say('session.lost')}
    </p>
  );
}

/** Redrawn when its row changed, not whenever the list of sessions is requested. */
const Stage = memo(function Stage({ row }: { row: SessionRow }) {
  const { view } = useParams();
  const { say } = useWords();
  // Secondary parts load after the conversation was painted.
  const hasAside = useAfterPaint(useConversationFact(isReplayedOf));
  useFreshRow(row.sessionId);
  return (
    <>
      <main className="stage">
        <SessionHeader row={row} />
        <SessionTabs row={row} />
        <Lost />
        {isOtherView(view) ? (
          <Waiting fallback={<Loading lines={6} />}>
            <SessionView view={view} sessionId={row.sessionId} />
          </Waiting>
        ) : (
          <ConversationPanel row={row} />
        )}
        <StatusLine row={row} />
        {hasAside && <SuggestedTitle row={row} />}
      </main>
      <SideColumn side="right" label={say('session.inspector')}>
        <Waiting fallback={<Loading lines={6} />}>{hasAside ? <Inspector row={row} /> : <Loading lines={6} />}</Waiting>
      </SideColumn>
    </>
  );
});

function Gone() {
  const { say } = useWords();
  return (
    <main className="stage">
      <Empty
        isPage
        icon={<SearchX size={20} />}
        title={say('session.gone')}
        action={<Link to="/">{say('session.new')}</Link>}
      >
        {say('session.gone.why')}
      </Empty>
    </main>
  );
}

export function SessionPage() {
  const { sessionId = '' } = useParams();
  const sessions = useQuery(sessionsQuery);
  const row = sessions.data?.find((candidate) => candidate.sessionId === sessionId);
  // A new session may not be in a list that was loaded before.
  if (sessions.data && !row && !sessions.isFetching) return <Gone />;
  return (
    <FollowSession key={sessionId} sessionId={sessionId}>
      {row ? (
        <Stage row={row} />
      ) : (
        <main className="stage">
          {sessions.isError ? (
            <Failure error={sessions.error} retry={() => void sessions.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </main>
      )}
    </FollowSession>
  );
}
