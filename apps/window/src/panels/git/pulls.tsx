import { ApiError } from '@fucina/client';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { GitMerge, GitPullRequest, GitPullRequestClosed, GitPullRequestDraft, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { CleanText } from '../../parts/clean-text.tsx';
import { Answer } from '../../parts/states.tsx';
import { gitSyncQuery } from '../../wire/git-sync.ts';
import { hostStatusQuery, type PullRequest, type Pulls, pullsQuery, refreshPulls } from '../../wire/github.ts';
import { useWords } from '../../words/words.ts';
import { HostAccess } from './host-access.tsx';
import type { GitPanelState } from './use-git-panel.ts';

const ICONS = {
  open: [GitPullRequest, 'success'],
  draft: [GitPullRequestDraft, 'muted'],
  merged: [GitMerge, 'muted'],
  closed: [GitPullRequestClosed, 'danger'],
  unknown: [GitPullRequest, 'muted'],
} as const;

/** Its state as an icon and a label. */
export function PullState({ pull }: { pull: PullRequest }) {
  const { say } = useWords();
  const state = pull.isDraft && pull.state === 'open' ? 'draft' : pull.state;
  const [Icon, tone] = ICONS[state];
  return (
    <span className={`pull-state ${tone}`}>
      <Icon size={14} aria-hidden /> {say(`pulls.state.${state}`)}
    </span>
  );
}

function PullRow({ pull, panel }: { pull: PullRequest; panel: GitPanelState }) {
  const { say, ago } = useWords();
  const { number, title, branch, isFromFork, author, updated } = pull;
  const isShown = panel.place.pull === String(number);
  const about = [isFromFork ? say('pulls.fork', { name: branch }) : branch, author, updated && ago(updated)];
  return (
    <li className="git-row" data-shown={isShown || undefined}>
      <button
        type="button"
        className="git-row-open"
        aria-current={isShown || undefined}
        onClick={() => panel.go({ view: 'pulls', pull: String(number) })}
      >
        <span className="git-row-name">
          <span className="muted tabular">#{number}</span> <CleanText text={title} />
        </span>
        <span className="small pull-about">
          <PullState pull={pull} /> <span className="muted">{about.filter(Boolean).join(' · ')}</span>
        </span>
      </button>
    </li>
  );
}

function List({ pulls, panel }: { pulls: Pulls; panel: GitPanelState }) {
  const { say } = useWords();
  const { branchPull: own, open, branch, remoteBranch, defaultBranch } = pulls;
  const others = open.filter(({ number }) => number !== own?.number);
  // A merged or closed one does not prevent another.
  const canCreate = own?.state !== 'open' && remoteBranch !== defaultBranch;
  return (
    <>
      <h2 className="git-title">{say('pulls.own', { name: branch })}</h2>
      {own && (
        <ul className="git-rows">
          <PullRow pull={own} panel={panel} />
        </ul>
      )}
      {!own && <p className="muted small git-note">{say(canCreate ? 'pulls.own.none' : 'pulls.own.default')}</p>}
      {canCreate && (
        <p className="git-note">
          <Button onClick={() => panel.go({ view: 'pulls', pull: 'new' })}>{say('pulls.new')}</Button>
        </p>
      )}
      <h2 className="git-title">{say('pulls.others')}</h2>
      {others.length === 0 && <p className="muted small git-note">{say('pulls.others.none')}</p>}
      <ul className="git-rows">
        {others.map((pull) => (
          <PullRow key={pull.number} pull={pull} panel={panel} />
        ))}
      </ul>
    </>
  );
}

/**
 * The checked out branch, so that another branch gives another list; null when there is none, undefined until known.
 */
export function useBranch({ sessionId }: GitPanelState): string | null | undefined {
  const { data, isError } = useQuery(gitSyncQuery(sessionId));
  return data || !isError ? data?.branch : null;
}

function PullList({ panel, account }: { panel: GitPanelState; account: string | null }) {
  const { say } = useWords();
  const client = useQueryClient();
  const branch = useBranch(panel);
  const query = useQuery({ ...pullsQuery(panel.sessionId, branch), enabled: branch !== undefined });
  const isSignedOut = query.error instanceof ApiError && query.error.code === 'HOST_NOT_LOGGED_IN';
  useEffect(() => {
    // The access ended elsewhere: the remaining steps are loaded again.
    if (isSignedOut) void client.invalidateQueries({ queryKey: hostStatusQuery.queryKey });
  }, [client, isSignedOut]);
  return (
    <>
      <p className="pull-account small muted">
        <span>{account === null ? say('pulls.signedIn') : say('pulls.signedInAs', { name: account })}</span>
        <button
          type="button"
          className="icon-button"
          aria-label={say('pulls.refresh')}
          title={say('pulls.refresh')}
          disabled={query.isFetching}
          onClick={() => void refreshPulls(client, panel.sessionId)}
        >
          <RefreshCw size={14} aria-hidden className={query.isFetching ? 'spin' : undefined} />
        </button>
      </p>
      <Answer query={query}>{(pulls) => <List pulls={pulls} panel={panel} />}</Answer>
    </>
  );
}

/** Pull requests on the code host: the branch's own first, then the open ones. */
export function PullRequests({ panel }: { panel: GitPanelState }) {
  const query = useQuery(hostStatusQuery);
  return (
    <Answer query={query}>
      {(status) => (
        <HostAccess status={status} retry={() => void query.refetch()}>
          <PullList panel={panel} account={status.signIn.account} />
        </HostAccess>
      )}
    </Answer>
  );
}
