import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Markdown } from '../../parts/markdown.tsx';
import { Answer, Failure } from '../../parts/states.tsx';
import { type Research, researchQuery } from '../../wire/research.ts';
import { useWords } from '../../words/words.ts';
import { Claims } from './claims.tsx';
import { Progress } from './progress.tsx';
import { readableReport } from './report-text.ts';
import { isInterrupted, ResearchBar } from './research-bar.tsx';
import { Sources } from './sources.tsx';
import { spendWords } from './spend.ts';
import { BalanceBar, StateMark } from './states.tsx';
import { type ResearchActions, useResearchActions } from './use-research-actions.ts';

const VIEWS = ['report', 'claims', 'steps'] as const;
type View = (typeof VIEWS)[number];

function Facts({ sessionId, research }: { sessionId: string; research: Research }) {
  const words = useWords();
  const { say, date } = words;
  const { id, startedAt, concludedAt, spending, reportLibraryId } = research;
  return (
    <p className="research-facts small muted">
      {startedAt && <span>{say('research.begun', { at: date(startedAt) })}</span>}
      {concludedAt && <span>{say('research.ended', { at: date(concludedAt) })}</span>}
      {spending && <span className="tabular">{spendWords(spending, words)}</span>}
      <Link to={`/sessions/${id}`}>{say('research.conversation')}</Link>
      {reportLibraryId !== null && (
        <Link to={`/sessions/${sessionId}/library?item=${encodeURIComponent(reportLibraryId)}`}>
          {say('research.inLibrary')}
        </Link>
      )}
    </p>
  );
}

/** Its state, the reason, and the next actions. */
function Standing({ research, acts }: { research: Research; acts: ResearchActions }) {
  const { say, date } = useWords();
  const { state, reason, log, balance } = research;
  const isPausing = state === 'running' && log?.state === 'pause_requested';
  const { rechecked } = acts;
  return (
    <div className="research-standing">
      <p role="status">
        <StateMark state={state} />{' '}
        <span className="small">
          {reason}{' '}
          {say(
            isPausing
              ? 'research.pausing'
              : isInterrupted(research)
                ? 'research.next.interrupted'
                : `research.next.${state}`,
          )}
        </span>
      </p>
      {balance && <BalanceBar balance={balance} />}
      {rechecked && (
        <div role="status" className="research-rechecked">
          <p className="small">
            {say('research.rechecked', { at: date(rechecked.at) })}{' '}
            {say('research.rechecked.answered', { count: rechecked.checked })}{' '}
            {say('research.rechecked.changed', { count: rechecked.changed })}
          </p>
          <BalanceBar balance={rechecked.balance} />
        </div>
      )}
      {acts.error && <Failure error={acts.error} />}
    </div>
  );
}

function Report({ research }: { research: Research }) {
  const { say } = useWords();
  const { state, report, rejectedContent, title, sources, lastMessage } = research;
  const text = report ?? rejectedContent;
  if (text === null) {
    return (
      <div className="research-body">
        <p className="muted">
          {say(state === 'running' || state === 'paused' ? 'research.report.notYet' : 'research.report.none')}
        </p>
        {lastMessage !== null && <blockquote className="research-last">{lastMessage}</blockquote>}
      </div>
    );
  }
  return (
    <div className="research-body">
      {report === null && <p className="warning">{say('research.report.rejected')}</p>}
      <Markdown text={readableReport(text, { title: title, sources: sources.length })} />
    </div>
  );
}

function Shown({ sessionId, research, leave }: { sessionId: string; research: Research; leave: () => void }) {
  const { say } = useWords();
  const acts = useResearchActions(sessionId, research, leave);
  const isWritten = research.report !== null || research.rejectedContent !== null;
  const [chosen, choose] = useState<View>();
  const view = chosen ?? (isWritten ? 'report' : 'steps');
  const { title, query, sources } = research;
  return (
    <section className="research-view" aria-label={title}>
      <header className="research-head">
        <button
          type="button"
          className="icon-button"
          aria-label={say('research.all')}
          title={say('research.all')}
          onClick={leave}
        >
          <ArrowLeft size={14} aria-hidden />
        </button>
        <h2>{title}</h2>
        <ResearchBar research={research} acts={acts} />
      </header>
      {query !== null && query !== title && <p className="research-question">{query}</p>}
      <Facts sessionId={sessionId} research={research} />
      <Standing research={research} acts={acts} />
      <div className="choice research-views" role="group" aria-label={say('research.views')}>
        {VIEWS.map((name) => (
          <button key={name} type="button" aria-pressed={view === name} onClick={() => choose(name)}>
            {say(`research.view.${name}`)}
          </button>
        ))}
      </div>
      <div className="research-columns" data-alone={sources.length === 0 || undefined}>
        {view === 'report' && <Report research={research} />}
        {view === 'claims' && <Claims claims={research.claims} sources={sources} />}
        {view === 'steps' && <Progress research={research} />}
        {sources.length > 0 && <Sources sources={sources} claims={research.claims} />}
      </div>
    </section>
  );
}

/** One report: state, text, claims with sources, and steps. */
export function ResearchView({ sessionId, id, leave }: { sessionId: string; id: string; leave: () => void }) {
  const { say } = useWords();
  const query = useQuery(researchQuery(sessionId, id));
  if (query.isError && !query.data) {
    return (
      <div className="research-page">
        <button type="button" className="text-button" onClick={leave}>
          <ArrowLeft size={14} aria-hidden /> {say('research.all')}
        </button>
        <Failure error={query.error} retry={() => void query.refetch()} />
      </div>
    );
  }
  return (
    <div className="research-page">
      <Answer query={query} lines={10}>
        {(research) => <Shown sessionId={sessionId} research={research} leave={leave} />}
      </Answer>
    </div>
  );
}
