import { later } from '../../ambient.ts';
import { isOver, type RunUpdate, runEventsAddress } from '../../wire/workflows.ts';

const RETRY_MS = 3_000;
/** A hidden page closes its connection: a browser has six of them per server for all tabs. */
const OUT_OF_SIGHT_MS = 60_000;

interface Following {
  sessionId: string;
  runId: string;
  /** The last known fact at the start. */
  after: number;
  /** The initially known state. */
  isOver: boolean;
  take(update: RunUpdate): void;
  setLive(isLive: boolean): void;
}

/**
 * Follows a run until the returned function is called. The browser reconnects a broken stream with the last id; a 204
 * response closes it for good once the run has ended.
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
      // After the end of a run its stream ends, and the browser reconnects once.
      setLive(isDone);
      // A refusal closes the source for good; after a lost connection it reconnects itself.
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
