import { join } from 'node:path';
import type { ServiceManager, ServiceNeeds } from './service-manager.ts';

const UNIT = 'fucina.service';
/** Another server uses the data, or a setting is invalid: the same start fails in the same way. */
const FINAL_EXITS = '75 78';

export function systemd({ env, home, command }: ServiceNeeds): ServiceManager {
  const config = env.XDG_CONFIG_HOME || join(home, '.config');
  const systemctl = (...words: string[]) => ['systemctl', '--user', ...words] as const;
  return {
    file: join(config, 'systemd', 'user', UNIT),
    text: unitText(command, env.PATH),
    commands: {
      install: [systemctl('daemon-reload'), systemctl('enable', UNIT), systemctl('restart', UNIT)],
      uninstall: [systemctl('disable', '--now', UNIT)],
      start: [systemctl('start', UNIT)],
      stop: [systemctl('stop', UNIT)],
    },
    state: systemctl('is-active', UNIT),
    log: (follows) => [
      'journalctl',
      '--user',
      `--unit=${UNIT}`,
      ...(follows ? ['--follow'] : ['--lines=100', '--no-pager']),
    ],
  };
}

/** `PATH` is that of the installation: agents need the programs that the user has. */
export function unitText(command: readonly string[], path: string | undefined): string {
  return `[Unit]
Description=Fucina server
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${command.map((word) => quoted(word)).join(' ')}
${path ? `Environment=${quoted(`PATH=${path}`, { isCommand: false })}\n` : ''}StandardOutput=null
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=${FINAL_EXITS}
TimeoutStopSec=10

[Install]
WantedBy=default.target
`;
}

/** As systemd unquotes. Only in a command is `$` the beginning of a variable. */
function quoted(word: string, { isCommand = true } = {}): string {
  const inside = word.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('%', '%%');
  return `"${isCommand ? inside.replaceAll('$', '$$$$') : inside}"`;
}
