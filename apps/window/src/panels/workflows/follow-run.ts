import { later } from '../../ambient.ts';
import { isOver, type RunUpdate, runEventsAddress } from '../../wire/workflows.ts';

const RETRY_MS = 3_000;
/** A page out of sight gives its connection back: a browser has six of them for all its tabs. */
const OUT_OF_SIGHT_MS = 60_000;

interface Following {
  sessionId: string;
  runId: string;
  /** The last fact that is known when it begins. */
  after: number;
  /** As far as it is known then. */
  isOver: boolean;
  take(update: RunUpdate): void;
  setLive(isLive: boolean): void;
}

/**
 * Follows a run until the answer's function is called. The browser tries a stream that broke again by itself and says
 * what it saw last; an answer without content closes it for good, once the run is over and everything was told.
 */
export function followRun({ sessionId, runId, take, setLive, ...known }: Following): () => void {
  let source: EventSource | undefined;
  let cancelRetry: (() => void) | undefined;
  let cancelRest: (() => void) | undefined;
  let seen = known.after;
  let isDone = known.isOver;

  const stop = (): void => {
    cancelRetry?.();
    source?.close();
    source = undefined;
  };
  const connect = (): void => {
    source = new EventSource(runEventsAddress(sessionId, runId, seen));
    source.onopen = () => setLive(true);
    source.addEventListener('run-update', ({ data }: MessageEvent<string>) => {
      const update = JSON.parse(data) as RunUpdate;
      seen = update.lastSeq;
      isDone = isOver(update.status);
      take(update);
    });
    source.onerror = () => {
      // What is over was told whole: its stream ends, and is asked for once more by the browser.
      setLive(isDone);
      // A refusal closes the source for good; silence it tries again by itself.
      if (source?.readyState === EventSource.CLOSED && !isDone) cancelRetry = later(RETRY_MS, connect);
    };
  };
  const see = (): void => {
    cancelRest?.();
    if (document.visibilityState === 'hidden') cancelRest = later(OUT_OF_SIGHT_MS, stop);
    else if (!source) connect();
  };
  connect();
  document.addEventListener('visibilitychange', see);
  return () => {
    document.removeEventListener('visibilitychange', see);
    cancelRest?.();
    stop();
  };
}
