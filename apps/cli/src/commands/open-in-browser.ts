import { spawn } from 'node:child_process';
import type { Io } from '../io.ts';

/** Where there is a display; elsewhere the printed address is all there is. */
export function openInBrowser(address: string, { env, stdout }: Io): void {
  const [command, ...args] = openerOf(address, env);
  if (!command || env.CI || stdout.isTTY !== true) return;
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

function openerOf(address: string, env: Io['env']): string[] {
  if (process.platform === 'darwin') return ['open', address];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open', address] : [];
}
