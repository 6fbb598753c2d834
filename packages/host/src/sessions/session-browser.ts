import type {
  BrowserFinding,
  Described,
  Gesture,
  GestureOutcome,
  LiveBrowser,
  LiveState,
  Opened,
  ScreenEvent,
  Size,
} from '@fucina/browser';
import type { Sessions } from '@fucina/sessions';
import { createSessionGuard } from './session-guard.ts';

/** The live browser for the user of a session. Unknown sessions are NOT_FOUND; other codes as in `LiveBrowser`. */
export interface SessionBrowser {
  check(): Promise<BrowserFinding>;
  state(sessionId: string): Promise<LiveState>;
  open(sessionId: string, request: { url: string } & Size): Promise<Opened>;
  perform(sessionId: string, gesture: Gesture): Promise<GestureOutcome>;
  describe(sessionId: string, point: { x: number; y: number }): Promise<Described>;
  resize(sessionId: string, size: Size): Promise<Size & { url: string }>;
  close(sessionId: string): Promise<void>;
  follow(sessionId: string, signal: AbortSignal): Promise<AsyncIterable<ScreenEvent>>;
}

export function createSessionBrowser({
  live,
  sessions,
}: {
  live: LiveBrowser;
  sessions(): Pick<Sessions, 'folderOf'>;
}): SessionBrowser {
  const { state, perform, describe, resize, close, follow } = live;
  const open = (sessionId: string, request: { url: string } & Size) => live.open(sessionId, { ...request, by: 'user' });
  return {
    check: () => live.check(),
    ...createSessionGuard(sessions).ofKnown({ state, open, perform, describe, resize, close, follow }),
  };
}
