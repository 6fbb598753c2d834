import { type RefObject, useEffect, useRef, useState } from 'react';

export interface EndSeen {
  /** Stands at the end of what has to be seen. */
  end: RefObject<HTMLElement | null>;
  /** Undefined until it is known. */
  isSeen: boolean | undefined;
  show: () => void;
}

/** Whether the end of a text was on the screen. Without an end there is nothing to see. */
export function useEndSeen(hasEnd: boolean): EndSeen {
  const end = useRef<HTMLElement>(null);
  const [isSeen, setSeen] = useState(hasEnd ? undefined : true);
  useEffect(() => {
    const mark = end.current;
    if (!mark || isSeen) return;
    const observer = new IntersectionObserver((entries) => {
      setSeen((before) => before || entries.some(({ isIntersecting }) => isIntersecting));
    });
    observer.observe(mark);
    return () => observer.disconnect();
  }, [isSeen]);
  return {
    end,
    isSeen,
    show() {
      // The text gets the focus: a key that is pressed twice must not answer.
      end.current?.parentElement?.querySelector('pre')?.focus({ preventScroll: true });
      end.current?.scrollIntoView({ block: 'nearest' });
    },
  };
}
