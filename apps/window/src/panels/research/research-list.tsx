import { Telescope } from 'lucide-react';
import { Link } from 'react-router';
import { Empty } from '../../parts/states.tsx';
import type { ResearchRow } from '../../wire/research.ts';
import { useWords } from '../../words/words.ts';
import { BalanceBar, StateMark } from './states.tsx';

function Row({ row }: { row: ResearchRow }) {
  const { ago, date } = useWords();
  const { domanda, titolo, avviataAlle, bilancio } = row;
  return (
    <li>
      <Link className="research-row" to={`?run=${encodeURIComponent(row.id)}`}>
        <span className="research-row-head">
          <span className="research-title">{titolo}</span>
          {avviataAlle && (
            <time className="small muted tabular" dateTime={avviataAlle} title={date(avviataAlle)}>
              {ago(avviataAlle)}
            </time>
          )}
        </span>
        {domanda !== null && domanda !== titolo && <span className="research-question muted">{domanda}</span>}
        <span className="research-row-foot">
          <StateMark state={row.stato} />
          {bilancio && <BalanceBar balance={bilancio} isShort />}
        </span>
      </Link>
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
      <ul className="research-rows" aria-label={say('session.research')}>
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
      {total > rows.length && <p className="small muted">{say('research.more', { count: total - rows.length })}</p>}
    </>
  );
}
