import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Empty } from '../../../parts/states.tsx';
import { useWords } from '../../../words/words.ts';
import { nameOf } from '../paths.ts';

const STEPS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8] as const;

/** An image, fitted or at a chosen zoom. `url` is its address. */
export function ImageView({ path, url }: { path: string; url: string }) {
  const { say, percent, number } = useWords();
  const [zoom, setZoom] = useState<number>();
  const [size, setSize] = useState<{ width: number; height: number }>();
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) return <Empty title={say('files.image.broken')}>{say('files.image.broken.why')}</Empty>;
  const larger = () => setZoom(STEPS.find((step) => step > (zoom ?? 1)) ?? 8);
  const smaller = () => setZoom(STEPS.findLast((step) => step < (zoom ?? 1)) ?? 0.1);
  const button = (name: string, icon: ReactNode, act: () => void) => (
    <button type="button" className="icon-button" aria-label={name} title={name} onClick={act}>
      {icon}
    </button>
  );
  return (
    <div className="image-view">
      <div className="piece-bar small" role="group" aria-label={say('files.zoom')}>
        {button(say('files.zoom.out'), <ZoomOut size={14} aria-hidden />, smaller)}
        <button
          type="button"
          className="text-button tabular"
          onClick={() => setZoom(1)}
          title={say('files.zoom.actual')}
        >
          {zoom === undefined ? say('files.zoom.fitted') : percent(zoom)}
        </button>
        {button(say('files.zoom.in'), <ZoomIn size={14} aria-hidden />, larger)}
        {button(say('files.zoom.fit'), <Maximize size={14} aria-hidden />, () => setZoom(undefined))}
        {size && size.width > 0 && (
          <span className="muted tabular">
            {number(size.width)} × {number(size.height)}
          </span>
        )}
      </div>
      <div
        className="image-scroll"
        role="group"
        aria-label={path}
        tabIndex={0}
        data-fit={zoom === undefined || undefined}
        onKeyDown={({ key }) => {
          if (key === '+' || key === '=') larger();
          else if (key === '-') smaller();
          else if (key === '0') setZoom(undefined);
          else if (key === '1') setZoom(1);
        }}
      >
        <img
          src={url}
          alt={nameOf(path)}
          width={zoom === undefined || !size?.width ? undefined : Math.max(1, size.width * zoom)}
          onLoad={({ currentTarget }) =>
            setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
          onError={() => setIsBroken(true)}
        />
      </div>
    </div>
  );
}
