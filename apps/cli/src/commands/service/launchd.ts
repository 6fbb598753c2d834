import { join } from 'node:path';
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
    text: plistText({ command, log, path: env.PATH }),
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

function plistText(facts: { command: readonly string[]; log: string; path: string | undefined }): string {
  const strings = facts.command.map((word) => `    <string>${escaped(word)}</string>`).join('\n');
  const path = facts.path
    ? `  <key>EnvironmentVariables</key>\n  <dict><key>PATH</key><string>${escaped(facts.path)}</string></dict>\n`
    : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${strings}
  </array>
${path}  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>StandardErrorPath</key><string>${escaped(facts.log)}</string>
</dict>
</plist>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
