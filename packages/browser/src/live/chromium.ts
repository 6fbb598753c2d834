import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, type Environment, withoutSecrets } from '@fucina/shared';
import type { Browser, BrowserContext } from 'playwright-core';
import { browserError } from '../errors.ts';
import { type FoundBrowser, findBrowser } from './find-browser.ts';
import { type Gate, openGate } from './gate.ts';

export interface Chromium {
  browser: Browser;
  channel: FoundBrowser['channel'];
  /** False where the system allows no sandbox: as root. */
  isSandboxed: boolean;
  /** Resolves when it has ended, or when `limit` resolves: one that hangs ends with this process, whose pipe it reads. */
  close(limit: Promise<void>): Promise<void>;
}

export interface ChromiumNeeds {
  ambient: Ambient;
  environment: Environment;
  /** Absolute path; created if missing. */
  profileDir: string;
  /** Ports of this computer that no page may access. */
  ownPorts(): readonly number[];
  /** Default: this system's. */
  platform?: NodeJS.Platform;
}

const START_MS = 20_000;

const ARGUMENTS = [
  '--disable-quic',
  // WebRTC sockets would bypass the gate.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-gpu',
];

/**
 * Starts the browser over a pipe, so that no control port is opened. It ends with this process in every case.
 * BROWSER_VIVO_ASSENTE, BROWSER_VIVO_NON_CONFIGURATO, BROWSER_VIVO_CONNESSIONE_FALLITA.
 */
export async function startChromium(needs: ChromiumNeeds): Promise<Chromium> {
  const { ambient, profileDir, ownPorts, environment, platform = process.platform } = needs;
  const found = await findBrowser({ platform, environment });
  const isSandboxed = hasSandbox();
  if (!isSandboxed) ambient.log.warn('browser.without-sandbox', { because: 'root' });
  await mkdir(profileDir, { recursive: true, mode: 0o700 });
  const gate = await openGate({ ownPorts, environment });
  try {
    const first = await launch(found, { ...needs, isSandboxed, gate });
    const browser = first.browser();
    if (!browser) throw new Error('the browser has no name');
    ambient.log.info('browser.started', { channel: found.channel, version: browser.version(), isSandboxed });
    return {
      browser,
      channel: found.channel,
      isSandboxed,
      async close(limit) {
        const closed = browser.close().catch((error: unknown) => ambient.log.warn('browser.not-closed', { error }));
        await Promise.race([closed, limit]);
        await gate[Symbol.asyncDispose]();
      },
    };
  } catch (cause) {
    await gate[Symbol.asyncDispose]();
    ambient.log.warn('browser.not-started', { error: cause });
    throw browserError('BROWSER_VIVO_CONNESSIONE_FALLITA', { cause });
  }
}

/** The browser's own sandbox; not available to root. */
export function hasSandbox(): boolean {
  return process.getuid?.() !== 0;
}

async function launch(
  { path }: FoundBrowser,
  { environment, profileDir, isSandboxed, gate }: ChromiumNeeds & { isSandboxed: boolean; gate: Gate },
): Promise<BrowserContext> {
  const { chromium } = (await import('playwright-core')).default;
  return chromium.launchPersistentContext(join(profileDir, 'profile'), {
    executablePath: path,
    headless: true,
    chromiumSandbox: isSandboxed,
    timeout: START_MS,
    // Data that it stores outside the profile goes beside the profile.
    env: { ...withoutSecrets(environment), XDG_CONFIG_HOME: profileDir, XDG_CACHE_HOME: profileDir },
    proxy: { server: gate.url },
    args: ARGUMENTS,
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    acceptDownloads: false,
  });
}
