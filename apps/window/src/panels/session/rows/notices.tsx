import type { CompactionItem, Conversation, FallbackItem, ModeItem } from '@fucina/conversation';
import { ArrowRightLeft, ListChecks, LoaderCircle, PencilLine, Shrink, Undo2 } from 'lucide-react';
import { useParams } from 'react-router';
import { Failure } from '../../../parts/states.tsx';
import { useConversationFact } from '../../../session/use-session.tsx';
import { api } from '../../../wire/client.ts';
import { useSessionAction } from '../../../wire/queries.ts';
import { useWords, type WordKey } from '../../../words/words.ts';

const isRunningNow = (conversation: Conversation) => conversation.isRunning;
const lastCompaction = ({ items }: Conversation) => items.findLast((item) => item.kind === 'compaction')?.key;

/** Where the conversation was compacted; the latest compaction can be undone between turns. */
export function Compaction({ item }: { item: CompactionItem }) {
  const { say, short } = useWords();
  const { sessionId = '' } = useParams();
  const isRunning = useConversationFact(isRunningNow);
  const isLatest = useConversationFact(lastCompaction) === item.key;
  const undo = useSessionAction(() =>
    api.post('/sessions/{sessionId}/compaction/{compactionId}/undo', {
      path: { sessionId, compactionId: item.key },
    }),
  );
  const { before, after, state } = item;
  const Icon = state === 'running' ? LoaderCircle : Shrink;
  return (
    <div className="marker">
      <p className="aside">
        <Icon size={14} className={state === 'running' ? 'spin' : undefined} aria-hidden /> {say(`compaction.${state}`)}
        {state === 'done' && before !== undefined && after !== undefined && (
          <span className="tabular">{say('compaction.tokens', { before: short(before), after: short(after) })}</span>
        )}
        {item.isUndoable && isLatest && !isRunning && (
          <button type="button" className="text-button" disabled={undo.isPending} onClick={() => undo.mutate()}>
            <Undo2 size={12} aria-hidden /> {say('compaction.undo')}
          </button>
        )}
      </p>
      {undo.error && <Failure error={undo.error} />}
    </div>
  );
}

/** Names of failure classes in this event. */
const CAUSES: Record<string, WordKey> = {
  'rate-limit': 'failure.overloaded',
  server: 'failure.provider-failure',
  credential: 'failure.credential',
  credit: 'failure.credit',
  'context-too-long': 'failure.context-too-long',
  'request-refused': 'failure.request-refused',
  network: 'failure.network',
  timeout: 'failure.provider-timeout',
  'stream-interrupted': 'failure.stream-interrupted',
};

export function Fallback({ item }: { item: FallbackItem }) {
  const { say } = useWords();
  const cause = item.cause === undefined ? undefined : CAUSES[item.cause];
  return (
    <p className="aside" data-tone="warning">
      <ArrowRightLeft size={14} className="warning" aria-hidden />{' '}
      {say('fallback.now', { to: item.to, from: item.from })}
      {cause && ` ${say(cause)}`}
    </p>
  );
}

export function Mode({ item }: { item: ModeItem }) {
  const { say } = useWords();
  const Icon = item.isPlanning ? ListChecks : PencilLine;
  return (
    <p className="aside">
      <Icon size={14} aria-hidden /> {say(item.isPlanning ? 'mode.plan.now' : 'mode.normal.now')}
    </p>
  );
}
