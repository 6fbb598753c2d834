import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, GitFork, ListChecks, Pencil, Settings, Shrink, Square, SquareTerminal, Trash2 } from 'lucide-react';
import { useNavigate } from 'react-router';
import { isLive } from '../session/session-state.ts';
import { api } from '../wire/client.ts';
import { sessionsQuery } from '../wire/queries.ts';
import { useWords } from '../words/words.ts';
import { openOverlay } from './overlay-state.ts';
import type { Action } from './palette-action.ts';
import { useSessionActions } from './session-actions.ts';

/** What can be done with the session on screen, as actions of the palette. */
export function useSessionCommands(sessionId: string | undefined): Action[] {
  const { say } = useWords();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data = [] } = useQuery(sessionsQuery);
  const row = data.find((candidate) => candidate.sessionId === sessionId);
  const { name, remove, export: share } = useSessionActions({ sessionId: sessionId ?? '', name: row?.name ?? null });
  if (!sessionId || !row) return [];
  /** The palette is closed by then: an error has a dialog of its own. */
  const run = (act: () => Promise<unknown>) => () =>
    void act()
      .then(() => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }))
      .catch((error: unknown) => openOverlay({ kind: 'failure', title: name, error }));
  const path = { sessionId };
  const fork = async () => {
    const copy = await api.post('/sessions/{sessionId}/fork', { path });
    await navigate(`/sessions/${copy.sessionId}`);
  };
  const plan = (mode: 'normal' | 'plan') => () => api.post('/sessions/{sessionId}/settings', { path, body: { mode } });
  const stop = () => api.post('/sessions/{sessionId}/stop', { path });
  const compact = () => api.post('/sessions/{sessionId}/compact', { path });
  const isPlanning = row.mode === 'plan';
  return [
    {
      id: 'session',
      icon: Settings,
      name: say('session.settings'),
      act: () => openOverlay({ kind: 'sessionSettings', sessionId }),
    },
    {
      id: 'session-terminal',
      icon: SquareTerminal,
      name: say('shortcut.newTerminal'),
      act: () => void navigate(`/sessions/${sessionId}/terminal?new=1`),
    },
    ...(isLive(row)
      ? [{ id: 'session-stop', icon: Square, name: say('palette.stop'), act: run(stop) }]
      : [
          {
            id: 'session-plan',
            icon: ListChecks,
            name: say(isPlanning ? 'palette.plan.off' : 'palette.plan.on'),
            act: run(plan(isPlanning ? 'normal' : 'plan')),
          },
          { id: 'session-compact', icon: Shrink, name: say('context.compact'), act: run(compact) },
        ]),
    ...(row.isConcluded ? [{ id: 'session-fork', icon: GitFork, name: say('session.fork'), act: run(fork) }] : []),
    {
      id: 'session-rename',
      icon: Pencil,
      name: say('session.rename'),
      act: () => openOverlay({ kind: 'rename', sessionId, name }),
    },
    {
      id: 'session-export',
      icon: Download,
      name: say('session.export'),
      act: share,
    },
    ...(isLive(row) ? [] : [{ id: 'session-delete', icon: Trash2, name: say('session.delete'), act: remove }]),
  ];
}
