import { type Conversation, netChanges, type Picture } from '@fucina/conversation';
import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { useConversationFact } from '../../../session/use-session.tsx';
import { openOverlay } from '../../../shell/overlay-state.ts';
import { api } from '../../../wire/client.ts';
import { sessionsQuery } from '../../../wire/queries.ts';
import type { NewBranch } from '../../../wire/records.ts';
import { useWords } from '../../../words/words.ts';

export const branchesQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['branches', sessionId],
    queryFn: async ({ signal }) =>
      (await api.get('/ext/sessions/{sessionId}/branches', { path: { sessionId }, signal })).branches,
    staleTime: 30_000,
  });

type Branched = { sessionId: string; unrestoredFiles: string[] };

/** Makes a branch and opens it. */
export function useBranch(sessionId: string): UseMutationResult<Branched, Error, NewBranch> {
  const { say } = useWords();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: NewBranch) => api.post('/ext/sessions/{sessionId}/branches', { path: { sessionId }, body }),
    onSuccess: async (made) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['branches'] }),
      ]);
      await navigate(`/sessions/${made.sessionId}`);
      if (made.unrestoredFiles.length === 0) return;
      openOverlay({
        kind: 'confirm',
        title: say('branch.skipped.title'),
        text: (
          <>
            <p>{say('branch.skipped.why')}</p>
            <ul className="restore-files">
              {made.unrestoredFiles.map((path) => (
                <li key={path}>
                  <code>{path}</code>
                </li>
              ))}
            </ul>
          </>
        ),
        act: say('branch.skipped.open'),
        isDangerous: false,
        run: async () => navigate(`/sessions/${sessionId}`),
      });
    },
  });
}

/** A message that continues a branch, with the pictures of the original. */
export const continuation = (reference: string, text: string, images: readonly Picture[]): NewBranch => ({
  before: reference,
  message: text,
  ...(images.length > 0
    ? { images: images.map(({ id, name }) => ({ id, ...(name === undefined ? {} : { name }) })) }
    : {}),
});

/** Files that turns from this one on have changed and left changed. */
export function useChangedSince(turn: number): number {
  return useConversationFact(
    useCallback(({ changes }: Conversation) => netChanges(changes.filter((one) => one.turn >= turn)).length, [turn]),
  );
}
