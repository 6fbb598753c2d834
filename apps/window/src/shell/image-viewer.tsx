import '../styles/image-viewer.css';
import { Modal } from '@mantine/core';
import { ChevronLeft, ChevronRight, ExternalLink, type LucideIcon, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useWords } from '../words/words.ts';
import { closeOverlay, type ShownImage } from './overlay-state.ts';

const STEPS = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8];

/** The next larger or smaller scale. */
function stepped(scale: number, direction: 1 | -1): number {
  const found =
    direction === 1 ? STEPS.find((step) => step > scale + 0.01) : STEPS.findLast((step) => step < scale - 0.01);
  return found ?? scale;
}

interface Viewing {
  image: ShownImage | undefined;
  at: number;
  count: number;
  /** The current scale; 1 is the actual size. */
  scale: number;
  /** The image is scaled to the view. */
  isFitted: boolean;
  /** Width in pixels unless it is fitted. */
  width: number | undefined;
  show(at: number): void;
  zoom(direction: 1 | -1): void;
  toggleFit(): void;
  loaded(image: HTMLImageElement): void;
}

function useViewing(images: readonly ShownImage[], first: number): Viewing {
  const [at, setAt] = useState(first);
  const [chosen, setChosen] = useState<number>();
  const [size, setSize] = useState({ natural: 0, fitted: 0 });
  const scale = chosen ?? (size.natural > 0 ? size.fitted / size.natural : 1);
  return {
    image: images[at],
    at,
    count: images.length,
    scale,
    isFitted: chosen === undefined,
    width: chosen === undefined ? undefined : size.natural * chosen,
    show(next) {
      if (next < 0 || next >= images.length) return;
      setAt(next);
      setChosen(undefined);
    },
    zoom: (direction) => setChosen(stepped(scale, direction)),
    toggleFit: () => setChosen(chosen === undefined ? 1 : undefined),
    loaded: ({ naturalWidth, clientWidth }) => setSize({ natural: naturalWidth, fitted: clientWidth }),
  };
}

function Tool(props: { icon: LucideIcon; label: string; act: () => void; isDisabled?: boolean; isFirst?: boolean }) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={props.label}
      title={props.label}
      disabled={props.isDisabled}
      data-autofocus={props.isFirst || undefined}
      onClick={props.act}
    >
      <props.icon size={16} aria-hidden />
    </button>
  );
}

function Tools({ viewing, url }: { viewing: Viewing; url: string }) {
  const { say, percent } = useWords();
  const { at, count, scale, show, zoom, toggleFit } = viewing;
  return (
    <div className="viewer-tools" role="toolbar" aria-label={say('image.tools')}>
      {count > 1 && (
        <>
          <Tool icon={ChevronLeft} label={say('image.previous')} isDisabled={at === 0} act={() => show(at - 1)} />
          <span className="tabular small">
            {at + 1} / {count}
          </span>
          <Tool icon={ChevronRight} label={say('image.next')} isDisabled={at === count - 1} act={() => show(at + 1)} />
        </>
      )}
      <Tool icon={ZoomOut} label={say('image.smaller')} act={() => zoom(-1)} />
      <button type="button" className="text-button tabular" title={say('image.fit')} onClick={toggleFit}>
        {percent(scale)}
      </button>
      <Tool icon={ZoomIn} label={say('image.larger')} act={() => zoom(1)} isFirst />
      {!url.startsWith('data:') && (
        <a
          className="icon-button"
          href={url}
          target="_blank"
          rel="noopener"
          aria-label={say('image.newTab')}
          title={say('image.newTab')}
        >
          <ExternalLink size={16} aria-hidden />
        </a>
      )}
    </div>
  );
}

/** The action of a key; while zoomed in, the arrows scroll. */
function actOf(key: string, { at, isFitted, show, zoom, toggleFit }: Viewing): (() => void) | undefined {
  if (key === '+' || key === '=') return () => zoom(1);
  if (key === '-') return () => zoom(-1);
  if (key === '0') return isFitted ? () => undefined : toggleFit;
  if (key === 'ArrowLeft' && isFitted) return () => show(at - 1);
  if (key === 'ArrowRight' && isFitted) return () => show(at + 1);
  return undefined;
}

/** Images in full size, with zoom, one at a time. */
export function ImageViewer({ images, at }: { images: readonly ShownImage[]; at: number }) {
  const { say } = useWords();
  const viewing = useViewing(images, at);
  const { image, width, isFitted } = viewing;
  if (!image) return null;
  const press = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : actOf(event.key, viewing);
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <Modal
      opened
      onClose={closeOverlay}
      fullScreen
      title={image.name}
      closeButtonProps={{ 'aria-label': say('act.close') }}
      onKeyDown={press}
    >
      <div className="viewer">
        <Tools viewing={viewing} url={image.url} />
        <div
          className="viewer-stage"
          tabIndex={0}
          role="group"
          aria-label={image.name}
          data-fitted={isFitted || undefined}
        >
          <img
            src={image.url}
            alt={image.name}
            style={width === undefined ? undefined : { width }}
            onLoad={({ currentTarget }) => viewing.loaded(currentTarget)}
            onDoubleClick={isFitted ? () => viewing.zoom(1) : viewing.toggleFit}
          />
        </div>
      </div>
    </Modal>
  );
}
