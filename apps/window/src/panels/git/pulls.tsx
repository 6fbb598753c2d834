import { ApiError } from '@fucina/client';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { GitMerge, GitPullRequest, GitPullRequestClosed, GitPullRequestDraft, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { CleanText } from '../../parts/clean-text.tsx';
import { Answer } from '../../parts/states.tsx';
import { gitSyncQuery } from '../../wire/git.ts';
import { hostStatusQuery, type PullRequest, type Pulls, pullsQuery, refreshPulls } from '../../wire/github.ts';
import { useWords } from '../../words/words.ts';
import { HostAccess } from './host-access.tsx';
import type { GitPanelState } from './use-git-panel.ts';

const ICONS = {
  open: [GitPullRequest, 'success'],
  draft: [GitPullRequestDraft, 'muted'],
  merged: [GitMerge, 'muted'],
  closed: [GitPullRequestClosed, 'danger'],
  sconosciuto: [GitPullRequest, 'muted'],
} as const;

/** Its state as an icon and a label. */
export function PullState({ pull }: { pull: PullRequest }) {
  const { say } = useWords();
  const state = pull.bozza && pull.stato === 'open' ? 'draft' : pull.stato;
  const [Icon, tone] = ICONS[state];
  return (
    <span className={`pull-state ${tone}`}>
      <Icon size={14} aria-hidden /> {say(`pulls.state.${state}`)}
    </span>
  );
}

function PullRow({ pull, panel }: { pull: PullRequest; panel: GitPanelState }) {
  const { say, ago } = useWords();
  const { numero, titolo, ramo, daFork, autore, aggiornata } = pull;
  const isShown = panel.place.pull === String(numero);
  const about = [daFork ? say('pulls.fork', { name: ramo }) : ramo, autore, aggiornata && ago(aggiornata)];
  return (
    <li className="git-row" data-shown={isShown || undefined}>
      <button
        type="button"
        className="git-row-open"
        aria-current={isShown || undefined}
        onClick={() => panel.go({ view: 'pulls', pull: String(numero) })}
      >
        <span className="git-row-name">
          <span className="muted tabular">#{numero}</span> <CleanText text={titolo} />
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
  const { prDelRamo: own, aperte, ramo, ramoRemoto, ramoPredefinito } = pulls;
  const others = aperte.filter(({ numero }) => numero !== own?.numero);
  // A merged or closed one does not prevent another.
  const canCreate = own?.stato !== 'open' && ramoRemoto !== ramoPredefinito;
  return (
    <>
      <h2 className="git-title">{say('pulls.own', { name: ramo })}</h2>
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
          <PullRow key={pull.numero} pull={pull} panel={panel} />
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
  return data || !isError ? data?.ramo : null;
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
          <PullList panel={panel} account={status.accesso.account} />
        </HostAccess>
      )}
    </Answer>
  );
}
