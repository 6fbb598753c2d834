import type { Conversation } from '@fucina/conversation';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Shrink } from 'lucide-react';
import { Gauge, Panel } from '../../../parts/box.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useConversationFact } from '../../../session/use-session.tsx';
import { api } from '../../../wire/client.ts';
import { useSessionAction } from '../../../wire/queries.ts';
import { compactionPolicyQuery } from '../../../wire/session-details.ts';

import { isWordKey, useWords } from '../../../words/words.ts';

const contextOf = (conversation: Conversation) => conversation.context;
const tokensOf = (conversation: Conversation) => conversation.contextTokens;
const isRunningNow = (conversation: Conversation) => conversation.isRunning;

/** The parts of the last request, as estimated before it was sent. */
function Parts() {
  const { say, short, percent } = useWords();
  const context = useConversationFact(contextOf);
  if (!context) return null;
  const total = context.parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return (
    <dl className="facts context-parts">
      {context.parts
        .filter(({ tokens }) => tokens > 0)
        .map(({ id, tokens }) => {
          const known = `context.${id}`;
          return (
            <div key={id} className="fact">
              <dt>{isWordKey(known) ? say(known) : id}</dt>
              <dd className="tabular">
                {short(tokens)} <span className="muted">{percent(tokens / total)}</span>
              </dd>
            </div>
          );
        })}
    </dl>
  );
}

function CompactNow({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const client = useQueryClient();
  const isRunning = useConversationFact(isRunningNow);
  const policyKey = compactionPolicyQuery(sessionId).queryKey;
  const compact = useSessionAction(() => api.post('/sessions/{sessionId}/compact', { path: { sessionId } }));
  return (
    <>
      <button
        type="button"
        className="text-button"
        disabled={isRunning || compact.isPending}
        title={isRunning ? say('context.compact.later') : undefined}
        onClick={() =>
          compact.mutate(undefined, { onSettled: () => client.invalidateQueries({ queryKey: policyKey }) })
        }
      >
        <Shrink size={14} aria-hidden /> {say(compact.isPending ? 'compaction.running' : 'context.compact')}
      </button>
      {compact.data?.isCompacted === false && (
        <p className="muted small" role="status">
          {say(`context.compact.${compact.data.reason ?? 'too-short'}`)} {compact.data.detail}
        </p>
      )}
      {compact.error && <Failure error={compact.error} />}
    </>
  );
}

/** How full the model's context is, its parts, and when it will be compacted. */
export function Context({ sessionId }: { sessionId: string }) {
  const { say, short } = useWords();
  const tokens = useConversationFact(tokensOf);
  const policy = useQuery(compactionPolicyQuery(sessionId));
  // For a model with an unknown context size, a size is assumed.
  const window = policy.data?.source === 'catalog' ? policy.data.windowTokens : undefined;
  return (
    <Panel title={say('inspector.context')}>
      {tokens === undefined ? (
        <p className="muted small">{say('inspector.usage.none')}</p>
      ) : (
        <>
          <Gauge
            label={say('context.used')}
            fraction={window ? tokens / window : undefined}
            text={
              window
                ? say('inspector.context.of', { used: short(tokens), of: short(window) })
                : say('inspector.context.unknown', { used: short(tokens) })
            }
          />
          <Parts />
          {policy.data && (
            <p className="muted small">{say('context.policy', { tokens: short(policy.data.triggerTokens) })}</p>
          )}
          <CompactNow sessionId={sessionId} />
        </>
      )}
    </Panel>
  );
}
