import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { api } from '../wire/client.ts';
import { sessionsQuery, useFork, useRename } from '../wire/queries.ts';
import type { SessionRow } from '../wire/records.ts';
import { useWords } from '../words/words.ts';
import { openOverlay } from './overlay-state.ts';

export interface SessionActions {
  /** The new name during a rename. */
  name: string;
  error: Error | null;
  rename(name: string): void;
  fork(): void;
  /** Opens the dialog to save it as a file. */
  export(): void;
  /** Asks first. */
  remove(): void;
}

/** Actions for a whole session, wherever it is listed. */
export function useSessionActions(row: Pick<SessionRow, 'sessionId' | 'name'>): SessionActions {
  const { say } = useWords();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { sessionId: shown } = useParams();
  const { sessionId } = row;
  const rename = useRename(sessionId);
  const fork = useFork(sessionId);
  const name = (rename.isPending ? rename.variables.name : row.name) ?? say('session.untitled');
  return {
    name,
    error: rename.error ?? fork.error,
    rename: (name) => rename.mutate({ name }),
    fork: () => fork.mutate(),
    export: () => openOverlay({ kind: 'share', sessionId, name }),
    remove: () =>
      openOverlay({
        kind: 'confirm',
        title: say('session.delete.title', { name }),
        text: say('session.delete.text'),
        act: say('act.delete'),
        isDangerous: true,
        run: async () => {
          await api.post('/sessions/{sessionId}/delete', { path: { sessionId } });
          if (shown === sessionId) await navigate('/');
          await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
        },
      }),
  };
}
