import { Button } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import { Component, type ComponentType, createElement, lazy, type ReactNode, useEffect, useRef } from 'react';
import { WireError } from '../wire/call.ts';
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
  if (isAway) return <Failure error={new WireError('OFFLINE')} retry={retry} />;
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
  /** Called before a retry. */
  renew: () => void;
  children: () => ReactNode;
}

/** A part that fails to load or render shows that in its place; the rest of the page stays. */
class PartBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  retry = () => {
    this.props.renew();
    this.setState({ error: undefined });
  };

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

/** A component loaded at first use. `isQuiet`: a small part, which shows nothing when it fails. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): LazyPart<Props> {
  let hasFailed = false;
  const make = () =>
    lazy(async () => {
      try {
        return { default: await loadChunk(load) };
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    });
  let Part = make();
  // Once for all instances: another component would reset the state of working ones.
  const renew = () => {
    if (hasFailed) Part = make();
    hasFailed = false;
  };
  const Shown = (props: Props): ReactNode => (
    <PartBoundary isQuiet={isQuiet} renew={renew}>
      {() => createElement(Part as unknown as ComponentType<Props>, props)}
    </PartBoundary>
  );
  return Object.assign(Shown, { preload: () => void loadChunk(load).catch(() => undefined) });
}
