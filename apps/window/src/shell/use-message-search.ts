import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { later } from '../ambient.ts';
import type { SessionRow } from '../wire/records.ts';
import { searchQuery } from '../wire/search.ts';

/** The server is queried after a pause in typing. */
const PAUSE_MS = 250;
/** Shorter texts match nearly everything. */
const SHORTEST = 2;

/** Sessions with matching messages, each with the locations. */
export function useMessageSearch(search: string): UseQueryResult<SessionRow[]> {
  const [paused, setPaused] = useState(search.trim());
  useEffect(() => later(PAUSE_MS, () => setPaused(search.trim())), [search]);
  return useQuery({ ...searchQuery(paused), enabled: paused.length >= SHORTEST && search.trim() !== '' });
}

/** Sub-agents belong to the session that started them; one whose parent was deleted is listed separately. */
export function ownSessions(rows: readonly SessionRow[]): SessionRow[] {
  const known = new Set(rows.map((row) => row.sessionId));
  return rows.filter(({ parentId }) => parentId === null || !known.has(parentId));
}
