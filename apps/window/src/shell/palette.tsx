import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { SessionMark } from '../parts/session-mark.tsx';
import { stateOf } from '../session/session-state.ts';
import { sessionsQuery } from '../wire/queries.ts';
import { useWords } from '../words/words.ts';
import { closeOverlay } from './overlay-state.ts';
import { useActions } from './palette-actions.ts';
import { PickDialog } from './pick-dialog.tsx';
import { matches, type PickEntry } from './pick-list.tsx';

const MOST_SESSIONS = 40;

export function Palette() {
  const { say } = useWords();
  const [search, setSearch] = useState('');
  const sessions = useQuery(sessionsQuery);
  const navigate = useNavigate();
  const actions = useActions();
  const entries: PickEntry[] = [];
  const rows = (sessions.data ?? []).filter((row) => matches(`${row.nome ?? ''} ${row.progetto ?? ''}`, search));
  for (const row of rows.slice(0, MOST_SESSIONS)) {
    entries.push({
      id: row.sessionId,
      group: say('palette.sessions'),
      node: (
        <>
          <SessionMark state={stateOf(row)} />
          <span className="pick-name">{row.nome ?? say('session.untitled')}</span>
          <span className="muted small">{row.progetto}</span>
        </>
      ),
      pick: () => {
        closeOverlay();
        void navigate(`/sessions/${row.sessionId}`);
      },
    });
  }
  const shown = actions.filter((action) => matches(action.name, search));
  const actionEntries = shown.map(
    ({ id, icon: Icon, name, act }): PickEntry => ({
      id,
      group: say('palette.actions'),
      node: (
        <>
          <Icon size={14} aria-hidden />
          <span className="pick-name">{name}</span>
        </>
      ),
      pick: () => {
        closeOverlay();
        act();
      },
    }),
  );
  // Without a search the few things to do come before the many sessions.
  const ordered = search ? [...entries, ...actionEntries] : [...actionEntries, ...entries];
  return (
    <PickDialog
      size={560}
      label={say('shortcut.palette')}
      placeholder={say('palette.placeholder')}
      search={search}
      setSearch={setSearch}
      entries={ordered}
      none={say('palette.none')}
    />
  );
}
