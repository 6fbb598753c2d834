import { later } from '../ambient.ts';

const RETRY_MS = 2_000;
/** A hidden page closes its connection: a browser has six of them per server for all tabs. */
const OUT_OF_SIGHT_MS = 60_000;

export interface SeenSource {
  /** Opens a connection; called again whenever there has to be another. */
  open(): EventSource;
  /** The connection was lost or refused. */
  onError(): void;
  /** Whether to connect again after a refusal. Default: always. */
  mayRetry?(): boolean | Promise<boolean>;
}

/** Keeps an event stream open while the page is in sight, until the returned function is called. */
export function keepSource({ open, onError, mayRetry = () => true }: SeenSource): () => void {
  let source: EventSource | undefined;
  let cancelRetry: (() => void) | undefined;
  let cancelRest: (() => void) | undefined;

  const connect = (): void => {
    const opened = open();
    source = opened;
    opened.onerror = () => {
      onError();
      // A refusal closes the source for good; after a lost connection it reconnects itself.
      if (opened.readyState === EventSource.CLOSED) void refused(opened);
    };
  };
  const refused = async (opened: EventSource): Promise<void> => {
    if ((await mayRetry()) && source === opened) cancelRetry = later(RETRY_MS, connect);
  };
  const stop = (): void => {
    cancelRetry?.();
    source?.close();
    source = undefined;
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
