import '../../look/forms.css';
import '../../look/git.css';
import '../../look/pulls.css';
import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { type GitState, gitStateQuery } from '../../wire/git.ts';
import { useWords } from '../../words/words.ts';
import { Branches } from './branches.tsx';
import { ChangeList } from './change-list.tsx';
import { CommitBox, isStale } from './commit-box.tsx';
import { DiffPane } from './diff-pane.tsx';
import { groupsOf } from './groups.ts';
import { CommitPane, History } from './history.tsx';
import { NoRepository } from './no-repository.tsx';
import { PullPane } from './pull-pane.tsx';
import { PullRequests } from './pulls.tsx';
import { Stashes } from './stashes.tsx';
import { SyncBar } from './sync-bar.tsx';
import { type GitDesk, useGitDesk, VIEWS } from './use-git-desk.ts';

function Changes({ desk, state }: { desk: GitDesk; state: GitState }) {
  const { say } = useWords();
  const groups = useMemo(() => groupsOf(state), [state]);
  // Conflicts are staged one by one, when they are settled.
  const loose = useMemo(
    () => groups.filter(({ name }) => name === 'changed' || name === 'fresh').flatMap(({ files }) => files),
    [groups],
  );
  return (
    <>
      <div className="git-scroll">
        {groups.length === 0 ? (
          <Empty icon={<Check size={20} />} title={say('git.clean')}>
            {say('git.clean.why')}
          </Empty>
        ) : (
          <ChangeList groups={groups} desk={desk} />
        )}
        <p className="git-note small">
          <Link to={`/sessions/${desk.sessionId}/changes`}>{say('git.agentChanges')}</Link>
        </p>
      </div>
      <CommitBox desk={desk} state={state} files={loose} />
    </>
  );
}

function Notice({ desk }: { desk: GitDesk }) {
  const { say } = useWords();
  const { notice } = desk;
  if (!notice) return null;
  return (
    <div className="git-notice">
      {notice.error === undefined ? <p role="status">{notice.text}</p> : <Failure error={notice.error} />}
      {isStale(notice.error) && <p className="small">{say('git.stale')}</p>}
      <button
        type="button"
        className="icon-button"
        aria-label={say('act.close')}
        title={say('act.close')}
        onClick={desk.dismiss}
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}

function Side({ desk, state }: { desk: GitDesk; state: GitState }) {
  const { say } = useWords();
  const { view } = desk.place;
  return (
    <div className="git-side">
      <SyncBar desk={desk} />
      <nav className="choice git-views" aria-label={say('git.views')}>
        {VIEWS.map((one) => (
          <button key={one} type="button" aria-pressed={view === one} onClick={() => desk.go({ view: one })}>
            {say(`git.view.${one}`)}
          </button>
        ))}
      </nav>
      <Notice desk={desk} />
      {view === 'changes' ? (
        <Changes desk={desk} state={state} />
      ) : (
        <div className="git-scroll">
          {view === 'history' && <History desk={desk} />}
          {view === 'branches' && <Branches desk={desk} />}
          {view === 'stashes' && <Stashes desk={desk} />}
          {view === 'pulls' && <PullRequests desk={desk} />}
        </div>
      )}
    </div>
  );
}

/** The repository of the session's folder: what changed, what is staged, what was committed. */
export function GitPanel({ sessionId }: { sessionId: string }) {
  const desk = useGitDesk(sessionId);
  const query = useQuery(gitStateQuery(sessionId));
  const { view, file, commit, pull } = desk.place;
  if (query.isError && (query.data === undefined || query.isRefetchError)) {
    return <NoRepository desk={desk} error={query.error} retry={() => void query.refetch()} />;
  }
  if (!query.data) return <Loading lines={6} />;
  const isOpen = (file ?? commit ?? pull) !== undefined;
  return (
    <div className="git" data-open={isOpen || undefined}>
      <Side desk={desk} state={query.data} />
      <div className="git-main">
        {view === 'history' && <CommitPane desk={desk} />}
        {view === 'pulls' && <PullPane desk={desk} />}
        {view === 'changes' && <DiffPane desk={desk} state={query.data} />}
      </div>
    </div>
  );
}
