import type { Environment } from '@fucina/shared';
import type { Badge } from '../badge.ts';
import { openSessionBus, type SessionBus, sessionBusPath } from './session-bus.ts';

/** The desktop file of the application, by which docks know its icon. */
const APPLICATION = 'application://fucina.desktop';

export interface LauncherBadgeNeeds {
  environment: Environment;
  uid: number;
}

/**
 * The badge of docks and task bars on Linux: the signal `com.canonical.Unity.LauncherEntry.Update`. They forget a badge
 * when its sender leaves the bus, so the connection stays open while a number is shown. Without a bus nothing happens.
 */
export function launcherBadge({ environment, uid }: LauncherBadgeNeeds): Badge {
  const path = sessionBusPath(environment);
  let bus: SessionBus | undefined;
  let shown = 0;

  function open(at: string): SessionBus {
    const opened = openSessionBus(at, uid);
    bus = opened;
    void opened.closed.then(() => {
      if (bus !== opened) return;
      bus = undefined;
      shown = 0;
    });
    return opened;
  }
  const show = (waiting: number): void => {
    if (path === undefined || waiting === shown) return;
    shown = waiting;
    (bus ?? open(path)).send({
      path: '/local/fucina/Fucina',
      interface: 'com.canonical.Unity.LauncherEntry',
      member: 'Update',
      body: {
        text: APPLICATION,
        values: { count: { type: 'x', value: waiting }, 'count-visible': { type: 'b', value: waiting > 0 } },
      },
    });
  };
  return {
    show,
    async close() {
      show(0);
      await bus?.close();
    },
  };
}
