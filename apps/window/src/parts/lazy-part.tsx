import { ApiError, OFFLINE } from '@fucina/client';
import { Button } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import {
  Component,
  type ComponentType,
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { afterPaint } from '../ambient.ts';
import { ChunkError, loadChunk } from '../wire/load-chunk.ts';
import { useServerState } from '../wire/server-state.ts';
import { useWords } from '../words/words.ts';
import { Failure } from './states.tsx';

export function ReloadButton() {
  const { say } = useWords();
  return (
    <Button leftSection={<RefreshCw size={14} aria-hidden />} onClick={() => location.reload()}>
      {say('act.reload')}
    </Button>
  );
}

/** Why a part is missing. It is retried automatically when the server is back. */
function PartFailure({ error, isQuiet, retry }: { error: unknown; isQuiet: boolean; retry: () => void }) {
  const { say } = useWords();
  const { isAway, isUpdated } = useServerState();
  const isChunk = error instanceof ChunkError;
  const wasAway = useRef(isAway);
  useEffect(() => {
    if (wasAway.current && !isAway && isChunk) retry();
    wasAway.current = isAway;
  }, [isAway, isChunk, retry]);
  if (isQuiet) return null;
  if (!isChunk) return <Failure error={error} retry={retry} />;
  if (isAway) return <Failure error={new ApiError(OFFLINE, { status: 0 })} retry={retry} />;
  return (
    <div className="empty" role="alert">
      <p className="empty-title">{say(isUpdated ? 'update.title' : 'part.failed')}</p>
      <p className="empty-text">{say('update.why')}</p>
      <ReloadButton />
    </div>
  );
}

interface BoundaryProps {
  isQuiet: boolean;
  children: () => ReactNode;
}

/** A part that fails to load or render shows that in its place; the rest of the page stays. */
class PartBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  retry = () => this.setState({ error: undefined });

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children();
    return <PartFailure error={error} isQuiet={this.props.isQuiet} retry={this.retry} />;
  }
}

export interface LazyPart<Props> {
  (props: Props): ReactNode;
  /** Preloads the code, so that it is available when the server is not. */
  preload(): void;
}

const Fallback = createContext<ReactNode>(null);

/** What the lazy parts inside show while their code is loading; by default nothing. */
export function Waiting({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  return <Fallback value={fallback}>{children}</Fallback>;
}

/**
 * A component loaded at first use. `isQuiet`: a small part, which loads after what is around it was painted and shows
 * nothing when it fails.
 * Not React.lazy: React shows a part that suspended 300 ms later at the earliest.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): LazyPart<Props> {
  let Part: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const start = (): Promise<void> => {
    loading ??= loadChunk(load).then(
      (part) => {
        Part = part;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  const Loaded = (props: Props): ReactNode => {
    const fallback = useContext(Fallback);
    const [state, setState] = useState<{ error?: unknown }>({});
    const drawn = Part;
    useLayoutEffect(() => {
      if (Part) {
        // The code came while this was being drawn without it.
        if (!drawn) setState({});
        return undefined;
      }
      let isGone = false;
      const begin = () => {
        // A preload that fails is no answer to the user: the part is loaded again.
        const preloading = loading;
        const loaded = preloading ? preloading.catch(start) : start();
        loaded.then(
          () => !isGone && setState({}),
          (error: unknown) => !isGone && setState({ error }),
        );
      };
      const cancel = isQuiet ? afterPaint(begin) : begin();
      return () => {
        isGone = true;
        cancel?.();
      };
    }, []);
    if (state.error !== undefined) throw state.error;
    // Lazy parts inside the fallback do not show it again.
    return <Fallback value={null}>{drawn ? createElement(drawn, props) : fallback}</Fallback>;
  };
  const Shown = (props: Props): ReactNode => (
    <PartBoundary isQuiet={isQuiet}>{() => <Loaded {...props} />}</PartBoundary>
  );
  return Object.assign(Shown, { preload: () => void start().catch(() => undefined) });
}
