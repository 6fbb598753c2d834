import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Answer } from '../../parts/states.tsx';
import { type History, historyQuery, type RunState } from '../../wire/workflows.ts';
import { useWords } from '../../words/words.ts';
import { RunMark, StepMark } from './marks.tsx';

interface HistoryProps {
  sessionId: string;
  runId: string;
  choose: (nodeId: string) => void;
}

function Row({ item, choose }: { item: History['items'][number]; choose: (nodeId: string) => void }) {
  const { say, time, date } = useWords();
  const { nodeId } = item;
  return (
    <li className="workflow-event">
      <time className="small muted tabular" dateTime={item.at} title={date(item.at)}>
        {time(item.at)}
      </time>
      {item.scope === 'run' ? (
        <RunMark state={item.state as RunState} isPast />
      ) : (
        <StepMark state={item.state} isPast />
      )}
      {nodeId === undefined ? (
        <span>{say('workflow.history.run')}</span>
      ) : (
        <button type="button" className="text-button" onClick={() => choose(nodeId)}>
          {nodeId}
        </button>
      )}
    </li>
  );
}

/** The events of a run in order. */
export function RunHistory({ sessionId, runId, choose }: HistoryProps) {
  const { say } = useWords();
  const query = useInfiniteQuery(historyQuery(sessionId, runId));
  return (
    <div className="workflow-history">
      <Answer query={query} lines={6}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0) return <p className="muted">{say('workflow.history.none')}</p>;
          return (
            <ol aria-label={say('workflow.view.history')}>
              {items.map((item) => (
                <Row key={`${item.seq} ${item.nodeId ?? ''} ${item.state}`} item={item} choose={choose} />
              ))}
            </ol>
          );
        }}
      </Answer>
      {query.hasNextPage && (
        <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {say('workflows.more')}
        </Button>
      )}
    </div>
  );
}
