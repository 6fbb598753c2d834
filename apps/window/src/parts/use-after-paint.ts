import { useEffect, useState } from 'react';
import { afterPaint } from '../ambient.ts';

/** Whether what is around was painted since `isReady`: what is slow to make and not urgent is shown after it. */
export function useAfterPaint(isReady = true): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (!isReady) return undefined;
    return afterPaint(() => setIsSeen(true));
  }, [isReady]);
  return isSeen;
}
