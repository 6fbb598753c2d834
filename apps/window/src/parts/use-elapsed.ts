import { useEffect, useState } from 'react';
import { every, now } from '../ambient.ts';

/** Milliseconds since `from`, counted while `isOn`. */
export function useElapsed(from: number | undefined, isOn: boolean): number | undefined {
  const [at, setAt] = useState(now);
  useEffect(() => (isOn ? every(1_000, () => setAt(now())) : undefined), [isOn]);
  return from === undefined ? undefined : Math.max(0, at - from);
}

/** When something that may have to wait began: `from`, or when it was seen to wait no more, if that was later. */
export function useBegunAt(from: number | undefined, isWaiting: boolean): number | undefined {
  const [seen, setSeen] = useState<{ isWaiting: boolean; endedAt?: number }>({ isWaiting });
  if (seen.isWaiting !== isWaiting) setSeen(isWaiting ? { isWaiting } : { isWaiting, endedAt: now() });
  return from === undefined ? undefined : Math.max(from, seen.endedAt ?? from);
}
