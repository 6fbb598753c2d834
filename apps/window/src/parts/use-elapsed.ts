import { useEffect, useState } from 'react';
import { every, now } from '../ambient.ts';

/** Milliseconds since `from`, counted while `isOn`. */
export function useElapsed(from: number | undefined, isOn: boolean): number | undefined {
  const [at, setAt] = useState(now);
  useEffect(() => (isOn ? every(1_000, () => setAt(now())) : undefined), [isOn]);
  return from === undefined ? undefined : Math.max(0, at - from);
}
