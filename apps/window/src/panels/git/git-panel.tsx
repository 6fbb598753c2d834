import '../../styles/forms.css';
import '../../styles/git.css';
import '../../styles/git-hooks.css';
import '../../styles/pulls.css';
import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { type GitState, gitStateQuery } from '../../wire/git.ts';
import { useWords } from '../../words/words.ts';
import { ReviewBar } from '../review/review-bar.tsx';
import { walkLines } from '../review/use-line-parts.tsx';
import { Branches } from './branches.tsx';
import { ChangeList } from './change-list.tsx';
import { CommitBox, isStale } from './commit-box.tsx';
import { DiffPane } from './diff-pane.tsx';
import { groupsOf, shownFileOf } from './groups.ts';
import { CommitPane, History } from './history.tsx';
import { HookRuns } from './hook-runs.tsx';
import { NoRepository } from './no-repository.tsx';
import { PullPane } from './pull-pane.tsx';
import { PullRequests } from './pulls.tsx';
import { RepositoryPrograms } from './repository-programs.tsx';
import { Stashes } from './stashes.tsx';
import { SyncBar } from './sync-bar.tsx';
import { UndoDiscard } from './undo-discard.tsx';
import { type GitPanelState, useGitPanel, VIEWS } from './use-git-panel.ts';

function Changes({ panel, state }: { panel: GitPanelState; state: GitState }) {
  const { say } = useWords();
  const groups = useMemo(() => groupsOf(state), [state]);
  // Conflicts are staged one by one, after they are resolved.
  const loose = useMemo(
    () => groups.filter(({ name }) => name === 'changed' || name === 'fresh').flatMap(({ files }) => files),
    [groups],
  );
  return (
    <>
      <div className="git-scroll">
        <RepositoryPrograms panel={panel} />
        {groups.length === 0 ? (
          <Empty icon={<Check size={20} />} title={say('git.clean')}>
            {say('git.clean.why')}
          </Empty>
        ) : (
          <>
            <ChangeList groups={groups} shown={shownFileOf(state, panel.place)} panel={panel} />
            <p className="git-note small">{say('git.keys')}</p>
          </>
        )}
        <UndoDiscard panel={panel} />
        <p className="git-note small">
          <Link to={`/sessions/${panel.sessionId}/changes`}>{say('git.agentChanges')}</Link>
        </p>
      </div>
      <CommitBox panel={panel} state={state} files={loose} />
    </>
  );
}

function Notice({ panel }: { panel: GitPanelState }) {
  const { say } = useWords();
  const { notice } = panel;
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
        onClick={panel.dismiss}
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}

function Side({ panel, state }: { panel: GitPanelState; state: GitState }) {
  const { say } = useWords();
  const { view } = panel.place;
  return (
    <div className="git-side">
      <SyncBar panel={panel} />
      <nav className="choice git-views" aria-label={say('git.views')}>
        {VIEWS.map((one) => (
          <button key={one} type="button" aria-pressed={view === one} onClick={() => panel.go({ view: one })}>
            {say(`git.view.${one}`)}
          </button>
        ))}
      </nav>
      <Notice panel={panel} />
      <HookRuns panel={panel} />
      {view === 'changes' ? (
        <Changes panel={panel} state={state} />
      ) : (
        <div className="git-scroll">
          {view === 'history' && <History panel={panel} />}
          {view === 'branches' && <Branches panel={panel} />}
          {view === 'stashes' && <Stashes panel={panel} />}
          {view === 'pulls' && <PullRequests panel={panel} />}
        </div>
      )}
    </div>
  );
}

/** The repository of the session's folder: changes, stage, history. */
export function GitPanel({ sessionId }: { sessionId: string }) {
  const panel = useGitPanel(sessionId);
  const query = useQuery(gitStateQuery(sessionId));
  const { view, file, commit, pull } = panel.place;
  if (query.isError && (query.data === undefined || query.isRefetchError)) {
    return <NoRepository panel={panel} error={query.error} retry={() => void query.refetch()} />;
  }
  if (!query.data) return <Loading lines={6} />;
  const isOpen = (file ?? commit ?? pull) !== undefined;
  return (
    <div className="git" data-open={isOpen || undefined}>
      <Side panel={panel} state={query.data} />
      <div className="git-main" onKeyDown={walkLines}>
        {view === 'history' && <CommitPane panel={panel} />}
        {view === 'pulls' && <PullPane panel={panel} />}
        {view === 'changes' && (
          <>
            <DiffPane panel={panel} state={query.data} />
            <ReviewBar sessionId={sessionId} />
          </>
        )}
      </div>
    </div>
  );
}
