import '../../styles/forms.css';
import '../../styles/git.css';
import '../../styles/pulls.css';
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
import { type GitView, useGitView, VIEWS } from './use-git-view.ts';

function Changes({ view, state }: { view: GitView; state: GitState }) {
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
          <ChangeList groups={groups} view={view} />
        )}
        <p className="git-note small">
          <Link to={`/sessions/${view.sessionId}/changes`}>{say('git.agentChanges')}</Link>
        </p>
      </div>
      <CommitBox view={view} state={state} files={loose} />
    </>
  );
}

function Notice({ view }: { view: GitView }) {
  const { say } = useWords();
  const { notice } = view;
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
        onClick={view.dismiss}
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}

function Side({ view, state }: { view: GitView; state: GitState }) {
  const { say } = useWords();
  const { view } = view.place;
  return (
    <div className="git-side">
      <SyncBar view={view} />
      <nav className="choice git-views" aria-label={say('git.views')}>
        {VIEWS.map((one) => (
          <button key={one} type="button" aria-pressed={view === one} onClick={() => view.go({ view: one })}>
            {say(`git.view.${one}`)}
          </button>
        ))}
      </nav>
      <Notice view={view} />
      {view === 'changes' ? (
        <Changes view={view} state={state} />
      ) : (
        <div className="git-scroll">
          {view === 'history' && <History view={view} />}
          {view === 'branches' && <Branches view={view} />}
          {view === 'stashes' && <Stashes view={view} />}
          {view === 'pulls' && <PullRequests view={view} />}
        </div>
      )}
    </div>
  );
}

/** The repository of the session's folder: what changed, what is staged, what was committed. */
export function GitPanel({ sessionId }: { sessionId: string }) {
  const view = useGitView(sessionId);
  const query = useQuery(gitStateQuery(sessionId));
  const { view, file, commit, pull } = view.place;
  if (query.isError && (query.data === undefined || query.isRefetchError)) {
    return <NoRepository view={view} error={query.error} retry={() => void query.refetch()} />;
  }
  if (!query.data) return <Loading lines={6} />;
  const isOpen = (file ?? commit ?? pull) !== undefined;
  return (
    <div className="git" data-open={isOpen || undefined}>
      <Side view={view} state={query.data} />
      <div className="git-main">
        {view === 'history' && <CommitPane view={view} />}
        {view === 'pulls' && <PullPane view={view} />}
        {view === 'changes' && <DiffPane view={view} state={query.data} />}
      </div>
    </div>
  );
}
