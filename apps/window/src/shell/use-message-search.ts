import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { later } from '../ambient.ts';
import { searchQuery } from '../wire/queries.ts';
import type { SessionRow } from '../wire/records.ts';

/** Letters come quicker than answers: the server is asked when they pause. */
const PAUSE_MS = 250;
/** Below this nearly everything is found. */
const SHORTEST = 2;

/** Sessions in which something was said that matches, each with its places. */
export function useMessageSearch(search: string): UseQueryResult<SessionRow[]> {
  const [paused, setPaused] = useState(search.trim());
  useEffect(() => later(PAUSE_MS, () => setPaused(search.trim())), [search]);
  return useQuery({ ...searchQuery(paused), enabled: paused.length >= SHORTEST && search.trim() !== '' });
}

/** Sub-agents belong to the session that started them; one whose parent was deleted stands for itself. */
export function ownSessions(rows: readonly SessionRow[]): SessionRow[] {
  const known = new Set(rows.map((row) => row.sessionId));
  return rows.filter(({ padreId }) => padreId === null || !known.has(padreId));
}
