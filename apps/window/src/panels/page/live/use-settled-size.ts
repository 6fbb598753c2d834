import { type RefObject, useEffect, useState } from 'react';
import { later } from '../../../ambient.ts';
import type { Size } from '../../../wire/live-browser.ts';

const REST_MS = 200;
const inside = (value: number, least: number, most: number): number =>
  Math.round(Math.min(most, Math.max(least, value)));

/** The page size for a container, after it stops changing; undefined until known. */
export function useSettledSize(place: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    let cancel: (() => void) | undefined;
    const measure = () => {
      const { width, height } = element.getBoundingClientRect();
      const next = { width: inside(width, 320, 1_920), height: inside(height, 240, 1_200) };
      setSize((before) => (before?.width === next.width && before.height === next.height ? before : next));
    };
    measure();
    const observer = new ResizeObserver(() => {
      cancel?.();
      cancel = later(REST_MS, measure);
    });
    observer.observe(element);
    return () => {
      cancel?.();
      observer.disconnect();
    };
  }, [place]);
  return size;
}
