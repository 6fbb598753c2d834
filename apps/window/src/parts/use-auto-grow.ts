import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Grows a text box with what is in it, up to what its style allows. */
export function useAutoGrow(text: string): RefObject<HTMLTextAreaElement | null> {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);
  return box;
}
