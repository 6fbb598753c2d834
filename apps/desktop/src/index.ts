export { type AutostartNeeds, setStartAtLogin } from './autostart.ts';
export { type Badge } from './badge.ts';
export { chromiumWindows } from './chromium/chromium-window.ts';
export { type DesktopNeeds, runDesktop } from './desktop.ts';
export {
  type DesktopWindow,
  type NotOpened,
  type OpenWindow,
  WindowNotOpened,
  type WindowRequest,
} from './desktop-window.ts';
export { type Electron, electronBadge, electronWindows } from './electron/electron-window.ts';
export { handOver } from './instance.ts';
export { type LauncherBadgeNeeds, launcherBadge } from './linux/launcher-badge.ts';
export { type WindowPath, windowPath } from './target.ts';
