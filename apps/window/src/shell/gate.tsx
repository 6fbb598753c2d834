import { useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { ReloadButton } from '../parts/lazy-part.tsx';
import { sessionsQuery } from '../wire/queries.ts';
import { useServerState } from '../wire/server-state.ts';
import { useWords } from '../words/words.ts';
import { hasDrafts } from './drafts.ts';

/**
 * Replaces every page while the server rejects this browser. The list of sessions is still polled, so that it ends
 * automatically.
 */
function SignedOut() {
  const { say } = useWords();
  return (
    <main className="refused">
      <h1>{say('signedOut.title')}</h1>
      <p>{say('signedOut.why')}</p>
      {hasDrafts() && <p>{say('signedOut.drafts')}</p>}
      <ReloadButton />
    </main>
  );
}

/** Shows the page, or why it cannot be used. Requests that failed while the server was away are repeated. */
export function Gate({ children }: { children: ReactNode }) {
  const { say } = useWords();
  const { isAway, isSignedOut, isUpdated } = useServerState();
  const [isDismissed, setDismissed] = useState(false);
  const client = useQueryClient();
  useQuery(sessionsQuery);
  useEffect(() => {
    if (!isAway) void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  }, [client, isAway]);
  if (isSignedOut) return <SignedOut />;
  return (
    <>
      {isUpdated && !isDismissed && (
        <div className="update" role="status">
          <strong>{say('update.title')}</strong>
          <span>{say('update.why')}</span>
          <ReloadButton />
          <button
            type="button"
            className="icon-button"
            aria-label={say('act.close')}
            title={say('act.close')}
            onClick={() => setDismissed(true)}
          >
            <X size={14} aria-hidden />
          </button>
        </div>
      )}
      {children}
    </>
  );
}
