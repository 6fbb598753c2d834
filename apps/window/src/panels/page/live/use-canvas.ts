import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { type Size, sendGesture } from '../../../wire/live-browser.ts';
import { bitsOf, gestureQueue, keyGestureOf, type Point, pointIn } from './gestures.ts';

/** `watch`: no input is sent to the page; `drive`: all of it; `point`: an element is being picked. */
export type ControlMode = 'watch' | 'drive' | 'point';

interface CanvasNeeds {
  sessionId: string;
  canvas: RefObject<HTMLCanvasElement | null>;
  /** Page size, in its own pixels. */
  page: Size | undefined;
  mode: ControlMode;
  setMode(mode: ControlMode): void;
  pick(point: Point): void;
}

const BUTTONS = { 1: 'middle', 2: 'right' } as const;
const STEP = 16;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Mouse and keyboard input on the page image. Escape always returns the keyboard to the window. */
export function useCanvas({ sessionId, canvas, page, mode, setMode, pick }: CanvasNeeds) {
  const queue = useMemo(() => gestureQueue((gesture) => sendGesture(sessionId, gesture)), [sessionId]);
  /** Position of the keyboard pointer. */
  const [mark, setMark] = useState<Point>();
  const state = useRef({ page, mode });
  state.current = { page, mode };

  const at = (event: { clientX: number; clientY: number }): Point | undefined =>
    canvas.current && page ? pointIn(event, canvas.current.getBoundingClientRect(), page) : undefined;

  // React's listener is passive and could not prevent scrolling.
  useEffect(() => {
    const element = canvas.current;
    const turn = (event: WheelEvent) => {
      const { page: size, mode: now } = state.current;
      if (now !== 'drive' || !size || !element) return;
      event.preventDefault();
      const { deltaX, deltaY } = event;
      queue({ kind: 'wheel', ...pointIn(event, element.getBoundingClientRect(), size), deltaX, deltaY });
    };
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  }, [canvas, queue]);

  const click = (event: MouseEvent) => {
    const point = at(event);
    if (!point) return;
    event.preventDefault();
    if (mode === 'watch') return setMode('drive');
    if (mode === 'point') return pick(point);
    const button = BUTTONS[event.button as 1 | 2];
    queue({
      kind: 'click',
      ...point,
      modifiers: bitsOf(event),
      ...(button ? { key: button } : {}),
      ...(!button && event.detail === 2 ? { isDouble: true as const } : {}),
    });
  };
  const move = (event: KeyboardEvent, size: Size) => {
    const [x, y] = ARROWS[event.key] ?? [0, 0];
    const step = event.shiftKey ? 1 : STEP;
    const from = mark ?? { x: size.width / 2, y: size.height / 2 };
    const inside = (value: number, most: number) => Math.min(most - 1, Math.max(0, Math.round(value)));
    setMark({ x: inside(from.x + x * step, size.width), y: inside(from.y + y * step, size.height) });
  };
  const press = (event: KeyboardEvent) => {
    if (mode === 'watch' || !page) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      return setMode('watch');
    }
    if (mode === 'point') {
      if (event.key in ARROWS) {
        event.preventDefault();
        move(event, page);
      } else if (event.key === 'Enter') {
        event.preventDefault();
        pick(mark ?? { x: page.width / 2, y: page.height / 2 });
      }
      return;
    }
    const gesture = keyGestureOf(event);
    if (!gesture) return;
    event.preventDefault();
    event.stopPropagation();
    queue(gesture);
  };
  return {
    mark: mode === 'point' ? mark : undefined,
    queue,
    on: { onClick: click, onAuxClick: click, onContextMenu: mode === 'drive' ? prevent : undefined, onKeyDown: press },
  };
}

/** The other click was already sent. */
function prevent(event: MouseEvent): void {
  event.preventDefault();
}
