import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { writeOpeningPage } from '@fucina/shared';
import type { Io } from '../io.ts';

/** If there is a display; otherwise only the address is printed. `folder` contains the page that redirects there. */
export async function openInBrowser(address: string, folder: string, { env, stdout }: Io): Promise<void> {
  if (env.CI || stdout.isTTY !== true || !hasDisplay(env)) return;
  const [command = '', ...args] = openerOf(pathToFileURL(await writeOpeningPage(folder, address)).href);
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

export function hasDisplay(env: Io['env']): boolean {
  return ['darwin', 'win32'].includes(process.platform) || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

function openerOf(page: string): string[] {
  if (process.platform === 'darwin') return ['open', page];
  return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', page] : ['xdg-open', page];
}
