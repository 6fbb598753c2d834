import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { address, readBlob, send } from '../wire/call.ts';
import { sessionsQuery, useFork, useSessionAction } from '../wire/queries.ts';
import type { SessionRow } from '../wire/records.ts';
import { useWords } from '../words/words.ts';
import { openOverlay } from './overlay-state.ts';

export interface SessionActions {
  /** The new name during a rename. */
  name: string;
  error: Error | null;
  rename(name: string): void;
  fork(): void;
  export(): void;
  /** Asks first. */
  remove(): void;
}

/** Actions for a whole session, wherever it is listed. */
export function useSessionActions(row: SessionRow): SessionActions {
  const { say } = useWords();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { sessionId: shown } = useParams();
  const { sessionId } = row;
  const rename = useSessionAction<{ nome: string }>(sessionId, 'rename');
  const fork = useFork(sessionId);
  const name = (rename.isPending ? rename.variables.nome : row.nome) ?? say('session.untitled');
  const save = useMutation({ mutationFn: () => exportSession(sessionId, name) });
  return {
    name,
    error: rename.error ?? fork.error ?? save.error,
    rename: (nome) => rename.mutate({ nome }),
    fork: () => fork.mutate(),
    export: () => save.mutate(),
    remove: () =>
      openOverlay({
        kind: 'confirm',
        title: say('session.delete.title', { name }),
        text: say('session.delete.text'),
        act: say('act.delete'),
        isDangerous: true,
        run: async () => {
          await send(address(['sessions', sessionId, 'delete']));
          if (shown === sessionId) await navigate('/');
          await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
        },
      }),
  };
}

/** Downloads the whole session as one file. Throws WireError. */
async function exportSession(sessionId: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await readBlob(address(['sessions', sessionId, 'export'])));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.replaceAll(/[^\p{L}\p{N} _-]/gu, '').trim() || sessionId}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
