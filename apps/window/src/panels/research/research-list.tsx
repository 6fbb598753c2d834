import { Telescope } from 'lucide-react';
import { DatedLink } from '../../parts/dated-link.tsx';
import { Empty } from '../../parts/states.tsx';
import type { ResearchRow } from '../../wire/research.ts';
import { useWords } from '../../words/words.ts';
import { BalanceBar, StateMark } from './states.tsx';

function Row({ row: { id, query, title, startedAt, balance, state } }: { row: ResearchRow }) {
  return (
    <li>
      <DatedLink to={`?run=${encodeURIComponent(id)}`} title={title} at={startedAt}>
        {query !== null && query !== title && <span className="research-question muted">{query}</span>}
        <span className="research-state">
          <StateMark state={state} />
          {balance && <BalanceBar balance={balance} isShort />}
        </span>
      </DatedLink>
    </li>
  );
}

/** The research reports of a project, newest first. */
export function ResearchList({ rows, total }: { rows: readonly ResearchRow[]; total: number }) {
  const { say } = useWords();
  if (rows.length === 0) {
    return (
      <Empty icon={<Telescope size={20} aria-hidden />} title={say('research.none')}>
        {say('research.none.why')}
      </Empty>
    );
  }
  return (
    <>
      <ul className="dated-links" aria-label={say('session.research')}>
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
      {total > rows.length && <p className="small muted">{say('research.more', { count: total - rows.length })}</p>}
    </>
  );
}
