import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Grows a text field with its content, up to its CSS maximum. */
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
