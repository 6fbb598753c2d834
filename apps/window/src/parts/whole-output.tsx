import { ApiError } from '@fucina/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import { api } from '../wire/client.ts';

import { useWords } from '../words/words.ts';
import { Output } from './output.tsx';
import { Failure, Loading } from './states.tsx';

const PAGE_BYTES = 65_536;
const LOOK_AGAIN_MS = 2_000;
const STREAMS = ['stdout', 'stderr'] as const;
type Stream = (typeof STREAMS)[number];

interface StreamProps {
  id: string;
  stream: Stream;
  isRunning: boolean;
}

/** The address of all that a stream of the command printed. */
const downloadOf = (sessionId: string, outputId: string, stream: Stream) =>
  api.address('get', '/sessions/{sessionId}/process-outputs/{outputId}', {
    path: { sessionId, outputId },
    query: { stream, format: 'download' },
  });

function StreamPages({ id, stream, isRunning }: StreamProps) {
  const { say, bytes } = useWords();
  const { sessionId = '' } = useParams();
  const path = { sessionId, outputId: id };
  const pages = useInfiniteQuery({
    queryKey: ['process-output', sessionId, id, stream],
    queryFn: ({ pageParam, signal }) =>
      api.get('/sessions/{sessionId}/process-outputs/{outputId}', {
        path,
        query: { stream, offset: String(pageParam), limit: String(PAGE_BYTES) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.nextOffset ?? undefined,
    refetchInterval: isRunning ? LOOK_AGAIN_MS : false,
    retry: false,
  });
  if (pages.isError) {
    const isGone = pages.error instanceof ApiError && pages.error.code === 'NOT_FOUND';
    return isGone ? <p className="muted small">{say('output.gone')}</p> : <Failure error={pages.error} />;
  }
  if (!pages.data) return <Loading lines={2} />;
  const text = pages.data.pages.map((page) => page.text).join('');
  const last = pages.data.pages.at(-1);
  // While it runs there is always a next page, usually empty.
  const hasMore = last !== undefined && last.nextOffset !== null && last.nextOffset < last.availableBytes;
  if (text === '' && stream === 'stderr') return null;
  return (
    <>
      <Output text={text} label={say(stream === 'stdout' ? 'tool.output' : 'tool.errors')} isEnd={isRunning} />
      <p className="small muted output-foot">
        {bytes(last?.availableBytes ?? 0)}
        {last?.state === 'truncated' && <span className="warning">{say('output.truncated')}</span>}
        {hasMore && (
          <button
            type="button"
            className="text-button"
            disabled={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            {say('output.more')}
          </button>
        )}
        <a href={downloadOf(sessionId, id, stream)} download>
          <Download size={12} aria-hidden /> {say('files.download')}
        </a>
      </p>
    </>
  );
}

/** The full output of a command, by page; the result of the call may be truncated in the middle. */
export function WholeOutput({ id, isRunning }: { id: string; isRunning: boolean }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(isRunning);
  if (!isOpen) {
    return (
      <button type="button" className="text-button" onClick={() => setIsOpen(true)}>
        {say('output.whole')}
      </button>
    );
  }
  return STREAMS.map((stream) => <StreamPages key={stream} id={id} stream={stream} isRunning={isRunning} />);
}
