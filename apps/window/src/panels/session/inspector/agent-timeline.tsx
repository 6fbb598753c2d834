import { outcomeOf, type SessionEvent } from '@fucina/conversation';
import { readEvent } from '@fucina/conversation/reader';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Answer } from '../../../parts/states.tsx';
import { toolLabels } from '../../../parts/tool-words.ts';
import { api } from '../../../wire/client.ts';

import { useWords, type Words } from '../../../words/words.ts';

/** An event as one line; undefined for those that only matter in the agent's own conversation. */
function wordsOf(event: SessionEvent, { say }: Words): string | undefined {
  switch (event.type) {
    case 'RunStarted':
      return say('agents.began');
    case 'RunFinished':
      return say('agents.ended');
    case 'RunError':
      return say(outcomeOf(event.code) === 'failed' ? 'agents.failed' : 'agents.stopped');
    case 'ToolCallStart':
      return say(toolLabels(event.toolCallName).name, { name: event.toolCallName });
    case 'ApprovalRequested':
    case 'UserQuestionRequested':
      return say('agents.asked');
    case 'ApprovalResolved':
    case 'UserQuestionResolved':
      return say('agents.answered');
    default:
      return undefined;
  }
}

/** The events of all agents of the conversation, in order. */
export function AgentTimeline({ sessionId }: { sessionId: string }) {
  const words = useWords();
  const { say, time } = words;
  const pages = useInfiniteQuery({
    queryKey: ['timeline', sessionId],
    queryFn: ({ pageParam, signal }) =>
      api.get('/sessions/{sessionId}/agent-timeline', {
        path: { sessionId },
        query: { after: String(pageParam) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: 0,
  });
  return (
    <Answer query={pages} lines={4}>
      {(data) => (
        <>
          {data.pages[0]?.coverage === 'partial' && <p className="muted small">{say('agents.partial')}</p>}
          <ol className="agent-timeline small">
            {data.pages
              .flatMap((page) => page.items)
              .map(({ seq, at, event, node }) => {
                const text = wordsOf(readEvent(event), words);
                return text === undefined ? null : (
                  <li key={seq}>
                    <time className="muted tabular" dateTime={at}>
                      {time(at)}
                    </time>
                    <span className="agent-task" title={node.task ?? ''}>
                      {node.task ?? say('agents.here')}
                    </span>
                    <span className="muted">{text}</span>
                  </li>
                );
              })}
          </ol>
          {pages.hasNextPage && (
            <button type="button" className="text-button" onClick={() => void pages.fetchNextPage()}>
              {say('output.more')}
            </button>
          )}
        </>
      )}
    </Answer>
  );
}
