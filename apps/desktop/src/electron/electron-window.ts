import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode, writeFileAtomically } from '@fucina/shared';
import * as z from 'zod';
import type { Badge } from '../badge.ts';
import type { DesktopWindow, OpenWindow, WindowRequest } from '../desktop-window.ts';

/** What is used of Electron, so that its package is not needed to build this one. */
export interface Electron {
  app: {
    whenReady(): Promise<void>;
    setPath(name: 'userData', path: string): void;
    setBadgeCount(count: number): boolean;
  };
  BrowserWindow: new (options: object) => ElectronBrowserWindow;
}

interface ElectronBrowserWindow {
  loadURL(url: string): Promise<void>;
  show(): void;
  focus(): void;
  destroy(): void;
  isDestroyed(): boolean;
  getNormalBounds(): Bounds;
  on(event: 'close' | 'closed', listener: () => void): void;
  on(event: 'page-title-updated', listener: (event: unknown, title: string) => void): void;
  webContents: {
    setWindowOpenHandler(handler: (details: { url: string }) => { action: 'allow' | 'deny' }): void;
    session: {
      setPermissionRequestHandler(
        handler: (contents: { getURL(): string }, permission: string, answer: (isGranted: boolean) => void) => void,
      ): void;
    };
  };
}

const bounds = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
type Bounds = z.infer<typeof bounds>;
const DEFAULT_SIZE = { width: 1_280, height: 860 };

/** A window of Electron. Not run here: see README.md. */
export function electronWindows({ app, BrowserWindow }: Electron): OpenWindow {
  return async (request) => {
    await mkdir(request.profileDir, { recursive: true, mode: 0o700 });
    app.setPath('userData', request.profileDir);
    await app.whenReady();
    const file = join(request.profileDir, 'bounds.json');
    const window = new BrowserWindow({
      ...((await storedBounds(file)) ?? DEFAULT_SIZE),
      title: 'Fucina',
      webPreferences: { contextIsolation: true, nodeIntegration: false, sandbox: true },
    });
    return prepare(window, request, file);
  };
}

/** The badge of the dock (macOS) or of the launcher (Unity). Not run here: see README.md. */
export function electronBadge({ app }: Electron): Badge {
  return {
    show: (waiting) => void app.setBadgeCount(waiting),
    close: async () => void app.setBadgeCount(0),
  };
}

function prepare(window: ElectronBrowserWindow, request: WindowRequest, file: string): DesktopWindow {
  const { ownOrigin, onTitle, openExternally } = request;
  let allowed: string | undefined;
  let saved = Promise.resolve();
  window.on('close', () => {
    saved = writeFileAtomically(file, JSON.stringify(window.getNormalBounds()));
  });
  window.on('page-title-updated', (_event, title) => onTitle(title));
  window.webContents.setWindowOpenHandler(({ url }) => {
    if (new URL(url).origin === ownOrigin()) return { action: 'allow' };
    if (/^https?:/.test(url)) openExternally(url);
    return { action: 'deny' };
  });
  window.webContents.session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(permission === 'notifications' && new URL(contents.getURL()).origin === allowed),
  );
  const closed = new Promise<void>((resolve) => window.on('closed', resolve)).then(() => saved);
  return {
    async show(address) {
      await window.loadURL(address);
      window.show();
      window.focus();
    },
    async allowNotifications(origin) {
      allowed = origin;
    },
    async close() {
      if (window.isDestroyed()) return closed;
      await writeFileAtomically(file, JSON.stringify(window.getNormalBounds()));
      window.destroy();
    },
    closed,
  };
}

async function storedBounds(file: string): Promise<Bounds | undefined> {
  try {
    return bounds.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
