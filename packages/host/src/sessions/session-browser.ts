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

/** The live browser as the person of a session uses it. Unknown sessions are NOT_FOUND; the rest as `LiveBrowser`. */
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
  const known = async (sessionId: string): Promise<LiveBrowser> => {
    await sessions().folderOf(sessionId);
    return live;
  };
  return {
    check: () => live.check(),
    state: async (sessionId) => (await known(sessionId)).state(),
    open: async (sessionId, request) => (await known(sessionId)).open(sessionId, { ...request, by: 'person' }),
    perform: async (sessionId, gesture) => (await known(sessionId)).perform(sessionId, gesture),
    describe: async (sessionId, point) => (await known(sessionId)).describe(sessionId, point),
    resize: async (sessionId, size) => (await known(sessionId)).resize(sessionId, size),
    close: async (sessionId) => (await known(sessionId)).close(sessionId),
    follow: async (sessionId, signal) => (await known(sessionId)).follow(sessionId, signal),
  };
}
