import { startTransition, useEffect, useState } from 'react';
import { afterPaint } from '../ambient.ts';

/** Whether what is around was painted since `isReady`: what is slow to make and not urgent is shown after it. */
export function useAfterPaint(isReady: boolean): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (!isReady) return undefined;
    return afterPaint(() => setIsSeen(true));
  }, [isReady]);
  return isSeen;
}

let isPagePainted = false;
const waiting = new Set<(isPainted: boolean) => void>();

function announce(): void {
  isPagePainted = true;
  // Interruptible: the user may type meanwhile.
  startTransition(() => {
    for (const show of waiting) show(true);
  });
}

/**
 * Whether the page was painted once: its first drawing has the conversation, and what is around follows. What is drawn
 * later is drawn whole.
 */
export function useFirstPaint(): boolean {
  const [isPainted, setIsPainted] = useState(isPagePainted);
  useEffect(() => {
    if (isPainted) return undefined;
    waiting.add(setIsPainted);
    const cancel = afterPaint(announce);
    return () => {
      waiting.delete(setIsPainted);
      cancel();
    };
  }, [isPainted]);
  return isPainted;
}
