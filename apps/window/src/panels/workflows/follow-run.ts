import { keepSource } from '../../wire/seen-source.ts';
import { isOver, type RunUpdate, readRunUpdate, runEventsAddress } from '../../wire/workflows.ts';

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
  let seen = known.after;
  let isDone = known.isOver;

  return keepSource({
    open() {
      const source = new EventSource(runEventsAddress(sessionId, runId, seen));
      source.onopen = () => setLive(true);
      source.addEventListener('run-update', async ({ data }: MessageEvent<string>) => {
        const update = await readRunUpdate(data);
        seen = update.lastSeq;
        isDone = isOver(update.status);
        take(update);
      });
      return source;
    },
    // After the end of a run its stream ends, and the browser reconnects once.
    onError: () => setLive(isDone),
    mayRetry: () => !isDone,
  });
}
