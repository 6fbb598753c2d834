import { join } from 'node:path';
import { plistText } from '@fucina/shared';
import type { ServiceManager, ServiceNeeds } from './service-manager.ts';

const LABEL = 'fucina';

/** Not run on a Mac yet. */
export function launchd({ env, home, uid, command }: ServiceNeeds): ServiceManager {
  const file = join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const log = join(home, 'Library', 'Logs', `${LABEL}.log`);
  const domain = `gui/${uid}`;
  const target = `${domain}/${LABEL}`;
  return {
    file,
    text: plistText({
      Label: LABEL,
      ProgramArguments: command,
      ...(env.PATH && { EnvironmentVariables: { PATH: env.PATH } }),
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      StandardErrorPath: log,
    }),
    commands: {
      install: [['launchctl', 'bootstrap', domain, file]],
      uninstall: [['launchctl', 'bootout', target]],
      start: [['launchctl', 'bootstrap', domain, file]],
      stop: [['launchctl', 'bootout', target]],
    },
    state: ['launchctl', 'print', target],
    log: (follows) => ['tail', ...(follows ? ['-f'] : []), '-n', '100', log],
  };
}
