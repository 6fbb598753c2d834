import { createContext, useCallback, useContext, useEffect, useEffectEvent, useState } from 'react';
import type { SessionRow } from '../wire/records.ts';

/** Keeps the line of this session where it is, until the returned function is called. */
export const KeepPlace = createContext<(row: SessionRow) => () => void>(() => () => undefined);

/** Keeps the line of a session in its section of the list while it is in use: its menu is open, or its name is edited. */
export function useKeptPlace(row: SessionRow, isInUse: boolean): void {
  const keep = useContext(KeepPlace);
  // Later states of the row do not move it.
  const begin = useEffectEvent(() => keep(row));
  useEffect(() => (isInUse ? begin() : undefined), [isInUse]);
}

/** The session whose line keeps its place, as it was when that began, and the value of `KeepPlace`. */
export function useKeptRow() {
  const [kept, setKept] = useState<SessionRow>();
  const keep = useCallback((row: SessionRow) => {
    setKept(row);
    return () => setKept((now) => (now === row ? undefined : now));
  }, []);
  return { kept, keep };
}
