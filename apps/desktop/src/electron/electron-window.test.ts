import { EventEmitter } from 'node:events';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { type Electron, electronBadge, electronWindows } from './electron-window.ts';

/** A stand-in: Electron itself is not available here. */
function standIn() {
  const made: any[] = [];
  class BrowserWindow extends EventEmitter {
    loaded: string[] = [];
    handlers: any = {};
    isGone = false;
    webContents = {
      setWindowOpenHandler: (handler: unknown) => (this.handlers.open = handler),
      session: { setPermissionRequestHandler: (handler: unknown) => (this.handlers.permission = handler) },
    };
    options: object;
    constructor(options: object) {
      super();
      this.options = options;
      made.push(this);
    }
    loadURL = async (url: string) => void this.loaded.push(url);
    show = () => undefined;
    focus = () => undefined;
    destroy = () => {
      this.isGone = true;
      this.emit('closed');
    };
    isDestroyed = () => this.isGone;
    getNormalBounds = () => ({ x: 1, y: 2, width: 300, height: 400 });
  }
  const counts: number[] = [];
  const app = {
    whenReady: async () => undefined,
    setPath: () => undefined,
    setBadgeCount: (count: number) => counts.push(count) > 0,
  };
  return { electron: { app, BrowserWindow } as unknown as Electron, made, counts };
}

test('remembers its bounds, keeps other sites out and allows notifications of its own pages only', async () => {
  await using dir = await tempDir();
  const { electron, made } = standIn();
  const external: string[] = [];
  const titles: string[] = [];
  const request = {
    profileDir: dir.path,
    ownOrigin: () => 'http://127.0.0.1:1',
    onTitle: (title: string) => void titles.push(title),
    openExternally: (url: string) => void external.push(url),
  };
  const window = await electronWindows(electron)(request);
  await window.show('http://127.0.0.1:1/');
  made[0].emit('page-title-updated', {}, '(1) Fucina');
  expect(titles).toEqual(['(1) Fucina']);
  expect(made[0].handlers.open({ url: 'https://example.org/' })).toEqual({ action: 'deny' });
  expect(made[0].handlers.open({ url: 'file:///etc' })).toEqual({ action: 'deny' });
  expect(made[0].handlers.open({ url: 'http://127.0.0.1:1/x' })).toEqual({ action: 'allow' });
  expect(external).toEqual(['https://example.org/']);
  await window.allowNotifications('http://127.0.0.1:1');
  const asked = (url: string, permission: string) => {
    let answer: boolean | undefined;
    made[0].handlers.permission({ getURL: () => url }, permission, (isGranted: boolean) => (answer = isGranted));
    return answer;
  };
  expect(asked('http://127.0.0.1:1/', 'notifications')).toBe(true);
  expect(asked('http://127.0.0.1:1/', 'media')).toBe(false);
  expect(asked('https://example.org/', 'notifications')).toBe(false);
  await window.close();
  await window.closed;
  await electronWindows(electron)(request);
  expect(made[1].options).toMatchObject({ x: 1, y: 2, width: 300, height: 400 });
});

test('shows the number of waiting sessions on the icon, and removes it at the end', async () => {
  const { electron, counts } = standIn();
  const badge = electronBadge(electron);
  badge.show(3);
  await badge.close();
  expect(counts).toEqual([3, 0]);
});
