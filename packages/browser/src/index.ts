export {
  type BrowserPages,
  createBrowserPages,
  type LocalPage,
  type PageReading,
  type ReachableHosts,
} from './browser-pages.ts';
export type { FrameVerdict } from './frame-check.ts';
export { createBrowserTools } from './live/browser-tools.ts';
export { hasSandbox } from './live/chromium.ts';
export { findBrowser } from './live/find-browser.ts';
export type { Gesture, GestureOutcome } from './live/gestures.ts';
export {
  type BrowserFinding,
  createLiveBrowser,
  type Described,
  type LiveBrowser,
  type LiveState,
  type Opened,
  type ScreenEvent,
  type Size,
} from './live/live-browser.ts';
export { createPageReader, PageError, type PageReader, type ReadPage } from './page-reader.ts';
export { createReadPageTool } from './read-page-tool.ts';
