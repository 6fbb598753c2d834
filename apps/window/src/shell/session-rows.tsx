import type { SessionRow } from '../wire/records.ts';
import { SessionLink } from './session-link.tsx';

export interface SessionRowsProps {
  rows: readonly SessionRow[];
  agentsOf: ReadonlyMap<string, readonly SessionRow[]>;
}

export function SessionRows({ rows, agentsOf }: SessionRowsProps) {
  if (rows.length === 0) return null;
  return (
    <ul>
      {rows.map((row) => (
        <SessionLink key={row.sessionId} row={row} agentsOf={agentsOf} />
      ))}
    </ul>
  );
}
