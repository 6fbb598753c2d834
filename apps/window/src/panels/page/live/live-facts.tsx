import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useWords } from '../../../words/words.ts';
import type { Point } from './gestures.ts';
import type { Screen } from './use-screen.ts';

/** The picked element was added to the message. */
export function PickedResult({ sessionId, selector }: { sessionId: string; selector: string }) {
  const { say } = useWords();
  return (
    <p className="page-pointed small" role="status">
      <span>{say('page.pointed')}</span> <code>{selector}</code>{' '}
      <Link to={`/sessions/${sessionId}`}>{say('page.toDraft')}</Link>
    </p>
  );
}

/** Why the page is no longer shown, and a button to reopen it. */
export function LivePageEnded({ code, sentence, again }: NonNullable<Screen['ended']> & { again(): void }) {
  const { say } = useWords();
  const isClosed = code === 'BROWSER_VIVO_SCHEDA_ASSENTE';
  return (
    <div className="page-note small page-ended" role="alert">
      <span>{isClosed ? say('page.live.closed') : (sentence ?? say('page.live.lost'))}</span>
      <Button onClick={again}>{say('page.live.again')}</Button>
    </div>
  );
}

interface MarkProps {
  mark: Point;
  page: { width: number; height: number };
  canvas: HTMLCanvasElement | null;
}

/** Where keys are sent. */
export function PointerMark({ mark, page, canvas }: MarkProps) {
  if (!canvas) return null;
  const { offsetLeft, offsetTop, clientWidth, clientHeight } = canvas;
  const left = offsetLeft + (mark.x / page.width) * clientWidth;
  const top = offsetTop + (mark.y / page.height) * clientHeight;
  return <div className="page-mark" aria-hidden style={{ left, top }} />;
}
