import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, win32 } from 'node:path';
import type { Environment } from '@fucina/shared';
import { browserError } from '../errors.ts';

export type Channel = 'chrome' | 'edge' | 'chromium';

export interface FoundBrowser {
  /** Absolute. */
  path: string;
  channel: Channel;
}

interface FindNeeds {
  platform: NodeJS.Platform;
  /** `FUCINA_BROWSER` names the program to use, or is `off`; on Linux browsers are found in `PATH`. */
  environment: Environment;
  isProgram?(path: string): Promise<boolean>;
}

/** Chrome first, then Edge, then Chromium. */
const LINUX_NAMES: readonly (readonly [Channel, string])[] = [
  ['chrome', 'google-chrome-stable'],
  ['chrome', 'google-chrome'],
  ['edge', 'microsoft-edge-stable'],
  ['edge', 'microsoft-edge'],
  ['chromium', 'chromium'],
  ['chromium', 'chromium-browser'],
];

const MAC_PLACES: readonly (readonly [Channel, string])[] = [
  ['chrome', 'Google Chrome.app/Contents/MacOS/Google Chrome'],
  ['edge', 'Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
  ['chromium', 'Chromium.app/Contents/MacOS/Chromium'],
];

const WINDOWS_PLACES: readonly (readonly [Channel, string])[] = [
  ['chrome', 'Google\\Chrome\\Application\\chrome.exe'],
  ['edge', 'Microsoft\\Edge\\Application\\msedge.exe'],
  ['chromium', 'Chromium\\Application\\chrome.exe'],
];

/**
 * The browser to drive. BROWSER_VIVO_ASSENTE when this computer has none; BROWSER_VIVO_NON_CONFIGURATO when the
 * settings turn it off or do not name a program.
 */
export async function findBrowser(needs: FindNeeds): Promise<FoundBrowser> {
  const { environment, isProgram = isExecutableFile } = needs;
  const own = environment.FUCINA_BROWSER?.trim();
  if (own) {
    if (own === 'off') throw browserError('BROWSER_VIVO_NON_CONFIGURATO', { reason: 'turned-off' });
    if (!isAbsolute(own) || !(await isProgram(own)))
      throw browserError('BROWSER_VIVO_NON_CONFIGURATO', { reason: 'not-a-program' });
    return { path: own, channel: channelOf(own) };
  }
  for (const [channel, path] of places(needs)) if (await isProgram(path)) return { path, channel };
  throw browserError('BROWSER_VIVO_ASSENTE');
}

function places({ platform, environment }: FindNeeds): (readonly [Channel, string])[] {
  if (platform === 'win32') {
    const roots = [environment.PROGRAMFILES, environment['PROGRAMFILES(X86)'], environment.LOCALAPPDATA];
    return within(WINDOWS_PLACES, roots.filter(isSet), win32.join);
  }
  if (platform === 'darwin') {
    const roots = ['/Applications', environment.HOME && join(environment.HOME, 'Applications')];
    return within(MAC_PLACES, roots.filter(isSet), join);
  }
  return within(LINUX_NAMES, (environment.PATH ?? '').split(delimiter).filter(isAbsolute), join);
}

function within(
  named: readonly (readonly [Channel, string])[],
  roots: readonly string[],
  joined: (root: string, name: string) => string,
): (readonly [Channel, string])[] {
  return named.flatMap(([channel, name]) => roots.map((root) => [channel, joined(root, name)] as const));
}

function isSet(root: string | undefined): root is string {
  return root !== undefined && root !== '';
}

function channelOf(path: string): Channel {
  const name = path.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
  if (name.includes('edge')) return 'edge';
  return name.includes('chrome') ? 'chrome' : 'chromium';
}

async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false; // for whatever reason, it cannot be started
  }
}
