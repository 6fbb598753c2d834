import { useQuery } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { SessionMark } from '../parts/session-mark.tsx';
import { stateOf } from '../session/session-state.ts';
import { sessionsQuery } from '../wire/queries.ts';
import { useWords } from '../words/words.ts';
import { closeOverlay } from './overlay-state.ts';
import type { Action } from './palette-action.ts';
import { useActions } from './palette-actions.ts';
import { PickDialog } from './pick-dialog.tsx';
import { matches, type PickEntry } from './pick-list.tsx';
import { Excerpt } from './search-results.tsx';
import { ownSessions, useMessageSearch } from './use-message-search.ts';

const MOST_SESSIONS = 40;
/** Shown beside the label. */
const MOST_NAMED = 8;

function actionEntry({ id, icon: Icon, name, act }: Action, group: string): PickEntry {
  return {
    id,
    group,
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
  };
}

export function Palette() {
  const { say } = useWords();
  const [search, setSearch] = useState('');
  const sessions = useQuery(sessionsQuery);
  const navigate = useNavigate();
  const actions = useActions();
  const said = useMessageSearch(search);
  const entries: PickEntry[] = [];
  const open = (path: string) => () => {
    closeOverlay();
    void navigate(path);
  };
  const rows = ownSessions(sessions.data ?? []).filter((row) =>
    matches(`${row.name ?? ''} ${row.project ?? ''}`, search),
  );
  for (const row of rows.slice(0, search ? MOST_NAMED : MOST_SESSIONS)) {
    entries.push({
      id: row.sessionId,
      group: say('palette.sessions'),
      node: (
        <>
          <SessionMark state={stateOf(row)} />
          <span className="pick-name">{row.name ?? say('session.untitled')}</span>
          <span className="muted small">{row.project}</span>
        </>
      ),
      pick: open(`/sessions/${row.sessionId}`),
    });
  }
  const shown = actions.filter((action) => matches(action.name, search));
  const actionEntries = shown.map((action) => actionEntry(action, say('palette.actions')));
  // Messages are found last and stand last: an entry never moves under the user's Enter.
  const messages = (search ? (said.data ?? []) : []).flatMap((row) =>
    (row.hits ?? []).map((place) => ({
      id: `${row.sessionId} ${place.sequence}`,
      group: say('sidebar.bySaid'),
      node: (
        <>
          <MessageSquareText size={14} aria-hidden />
          <span className="pick-name pick-excerpt">
            <Excerpt place={place} />
          </span>
          <span className="muted small">{row.name ?? say('session.untitled')}</span>
        </>
      ),
      pick: open(`/sessions/${row.sessionId}#${encodeURIComponent(place.reference)}`),
    })),
  );
  // Without a search the few commands come before the many sessions.
  const ordered = search ? [...entries, ...actionEntries, ...messages] : [...actionEntries, ...entries];
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
