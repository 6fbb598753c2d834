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
import type { SessionResolver } from './session-resolver.ts';

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
  resolver,
}: {
  live: LiveBrowser;
  resolver: SessionResolver;
}): SessionBrowser {
  const { ofKnown } = resolver;
  return {
    check: () => live.check(),
    state: ofKnown(live.state),
    open: ofKnown((sessionId, request: { url: string } & Size) => live.open(sessionId, { ...request, by: 'user' })),
    perform: ofKnown(live.perform),
    describe: ofKnown(live.describe),
    resize: ofKnown(live.resize),
    close: ofKnown(live.close),
    follow: ofKnown(live.follow),
  };
}
