import '../styles/overlays.css';
import { useQuery } from '@tanstack/react-query';
import { Bell, BellOff, Download, GitFork, Pencil, Trash2 } from 'lucide-react';
import { useEffect } from 'react';
import { Menu, type MenuEntry } from '../parts/menu.tsx';
import { isLive } from '../session/session-state.ts';
import type { SessionRow } from '../wire/records.ts';
import { type Worktree, worktreesQuery } from '../wire/worktrees.ts';
import { useWords } from '../words/words.ts';
import { muteSession, useNotificationSettings } from './notifications/notification-settings.ts';
import { openOverlay } from './overlay-state.ts';
import { useSessionActions } from './session-actions.ts';
import { useWorktreeActions } from './use-worktree-actions.tsx';

interface SessionMenuProps {
  row: SessionRow;
  rename: () => void;
  /** Called when it opens and closes. */
  toggled: (isOpen: boolean) => void;
}

/** The menu of a session in the list, with the actions of the worktree that it works in. */
export function SessionMenu(props: SessionMenuProps) {
  const worktrees = useQuery(worktreesQuery).data ?? [];
  const own = worktrees.find(({ sessions }) => sessions.includes(props.row.sessionId));
  if (!own) return <Entries {...props} more={[]} />;
  const related = worktrees.filter(({ origin }) => origin === own.origin).flatMap(({ sessions }) => sessions);
  return <WithWorktree {...props} worktree={own} related={related} />;
}

function WithWorktree(props: SessionMenuProps & { worktree: Worktree; related: readonly string[] }) {
  const { entries } = useWorktreeActions(props.worktree, props.related);
  return <Entries {...props} more={entries.map((entry) => ({ ...entry, id: `worktree-${entry.id}` }))} />;
}

function Entries({ row, rename, toggled, more }: SessionMenuProps & { more: readonly MenuEntry[] }) {
  const { say } = useWords();
  const acts = useSessionActions(row);
  const { error, name } = acts;
  const { isOn: hasNotifications, mutedSessions } = useNotificationSettings();
  const isMuted = mutedSessions.includes(row.sessionId);
  // The menu is already closed when an error arrives.
  useEffect(() => {
    if (error) openOverlay({ kind: 'failure', title: name, error });
  }, [error, name]);
  return (
    <Menu
      isOpened
      toggled={toggled}
      className="nav-act"
      tabIndex={-1}
      label={say('session.menu', { name })}
      entries={[
        { id: 'rename', icon: <Pencil size={14} aria-hidden />, name: say('session.rename'), act: rename },
        {
          id: 'fork',
          icon: <GitFork size={14} aria-hidden />,
          name: say('session.fork'),
          isDisabled: !row.isConcluded,
          act: acts.fork,
        },
        { id: 'export', icon: <Download size={14} aria-hidden />, name: say('session.export'), act: acts.export },
        ...(hasNotifications
          ? [
              {
                id: 'mute',
                icon: isMuted ? <Bell size={14} aria-hidden /> : <BellOff size={14} aria-hidden />,
                name: say(isMuted ? 'session.unmute' : 'session.mute'),
                act: () => muteSession(row.sessionId, !isMuted),
              },
            ]
          : []),
        ...more,
        {
          id: 'delete',
          icon: <Trash2 size={14} aria-hidden />,
          name: say('session.delete'),
          isDisabled: isLive(row),
          isDangerous: true,
          act: acts.remove,
        },
      ]}
    />
  );
}
