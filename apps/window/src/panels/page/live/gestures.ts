import type { Gesture } from '../../../wire/live-browser.ts';

interface Held {
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

export const bitsOf = ({ altKey, ctrlKey, metaKey, shiftKey }: Held): number =>
  (altKey ? 1 : 0) | (ctrlKey ? 2 : 0) | (metaKey ? 4 : 0) | (shiftKey ? 8 : 0);

const NAMED = new Set(
  'Enter Backspace Tab ArrowLeft ArrowRight ArrowUp ArrowDown Delete Home End PageUp PageDown'.split(' '),
);
/** Letters that are sent to the page with Ctrl or Cmd; the others stay the window's. */
const WITH_CONTROL = /^[acxyz]$/i;

/** The key for the page; undefined for one that the window handles. */
export function keyGestureOf(event: Held & { key: string }): Gesture | undefined {
  const { key, ctrlKey, metaKey } = event;
  const isCharacter = [...key].length === 1;
  if (!isCharacter && !NAMED.has(key)) return undefined;
  if ((ctrlKey || metaKey) && isCharacter && !WITH_CONTROL.test(key)) return undefined;
  return { kind: 'key', key, modifiers: bitsOf(event) };
}

export interface Point {
  x: number;
  y: number;
}

/** Converts a mouse position to page coordinates, at any scale. */
export function pointIn(
  { clientX, clientY }: { clientX: number; clientY: number },
  box: { left: number; top: number; width: number; height: number },
  page: { width: number; height: number },
): Point {
  const along = (offset: number, drawn: number, size: number): number =>
    Math.min(size - 1, Math.max(0, Math.round((offset / Math.max(1, drawn)) * size)));
  return {
    x: along(clientX - box.left, box.width, page.width),
    y: along(clientY - box.top, box.height, page.height),
  };
}

/** One gesture at a time, in order; pending wheel events are merged. */
export function gestureQueue(send: (gesture: Gesture) => Promise<unknown>): (gesture: Gesture) => void {
  const waiting: Gesture[] = [];
  let isSending = false;
  const run = async () => {
    isSending = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) await send(next).catch(() => undefined); // the screen reports it
    isSending = false;
  };
  return (gesture) => {
    const last = waiting.at(-1);
    if (gesture.kind === 'wheel' && last?.kind === 'wheel') {
      last.deltaX += gesture.deltaX;
      last.deltaY += gesture.deltaY;
    } else waiting.push({ ...gesture });
    if (!isSending) void run();
  };
}
