import '../styles/overlays.css';
import { Bell, BellOff, Download, GitFork, Pencil, Trash2 } from 'lucide-react';
import { useEffect } from 'react';
import { Menu } from '../parts/menu.tsx';
import { isLive } from '../session/session-state.ts';
import type { SessionRow } from '../wire/records.ts';
import { useWords } from '../words/words.ts';
import { muteSession, useNotificationSettings } from './notifications/notification-settings.ts';
import { openOverlay } from './overlay-state.ts';
import { useSessionActions } from './session-actions.ts';

/** The menu of a session in the list. */
export function SessionMenu({ row, rename }: { row: SessionRow; rename: () => void }) {
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
      className="nav-act"
      tabIndex={-1}
      label={say('session.menu', { name })}
      entries={[
        { id: 'rename', icon: <Pencil size={14} aria-hidden />, name: say('session.rename'), act: rename },
        {
          id: 'fork',
          icon: <GitFork size={14} aria-hidden />,
          name: say('session.fork'),
          isDisabled: !row.conclusa,
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
