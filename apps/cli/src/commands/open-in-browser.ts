import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { type OpeningAddresses, writeOpeningPage } from '@fucina/shared';
import type { Io } from '../io.ts';

/** Only if there is a display. `folder` contains the page that redirects there. */
export async function openInBrowser(addresses: OpeningAddresses, folder: string, { env, stdout }: Io): Promise<void> {
  if (env.CI || stdout.isTTY !== true || !hasDisplay(env)) return;
  const [command = '', ...args] = openerOf(pathToFileURL(await writeOpeningPage(folder, addresses)).href);
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
