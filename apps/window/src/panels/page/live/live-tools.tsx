import { ArrowLeft, ArrowRight, Hand as HandIcon, MousePointerClick, X } from 'lucide-react';
import { useWords } from '../../../words/words.ts';
import type { ControlMode } from './use-canvas.ts';

interface ToolsProps {
  mode: ControlMode;
  setMode(mode: ControlMode): void;
  /** A key that the browser itself handles. */
  press(key: 'BrowserBack' | 'BrowserForward'): void;
  close(): void;
  isThere: boolean;
}

const HOW = { watch: 'page.live.watching', drive: 'page.live.driving', point: 'page.live.pointing' } as const;

/** Who controls the page, and its actions. */
export function LiveTools({ mode, setMode, press, close, isThere }: ToolsProps) {
  const { say } = useWords();
  const toggle = (wanted: ControlMode) => setMode(mode === wanted ? 'watch' : wanted);
  return (
    <div className="page-tools small">
      <button
        type="button"
        className="icon-button"
        aria-label={say('page.live.back')}
        title={say('page.live.back')}
        disabled={!isThere}
        onClick={() => press('BrowserBack')}
      >
        <ArrowLeft size={14} aria-hidden />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={say('page.live.forward')}
        title={say('page.live.forward')}
        disabled={!isThere}
        onClick={() => press('BrowserForward')}
      >
        <ArrowRight size={14} aria-hidden />
      </button>
      <button
        type="button"
        className="chip"
        aria-pressed={mode === 'drive'}
        disabled={!isThere}
        onClick={() => toggle('drive')}
      >
        <HandIcon size={14} aria-hidden /> {say('page.live.drive')}
      </button>
      <button
        type="button"
        className="chip"
        aria-pressed={mode === 'point'}
        disabled={!isThere}
        onClick={() => toggle('point')}
      >
        <MousePointerClick size={14} aria-hidden /> {say('page.point')}
      </button>
      <button type="button" className="chip" disabled={!isThere} onClick={close}>
        <X size={14} aria-hidden /> {say('page.live.close')}
      </button>
      <span className="muted" role="status">
        {isThere && say(HOW[mode])}
      </span>
    </div>
  );
}
