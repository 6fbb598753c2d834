import { ApiError } from '@fucina/client';
import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, GitBranch, RefreshCw, Square } from 'lucide-react';
import { withHooks } from '../../parts/hooks-note.ts';
import { api } from '../../wire/client.ts';
import { type GitSync, gitSyncQuery } from '../../wire/git-sync.ts';
import { useWords } from '../../words/words.ts';
import type { GitPanelState } from './use-git-panel.ts';

function Branch({ sync, panel }: { sync: GitSync; panel: GitPanelState }) {
  const { say, number } = useWords();
  return (
    <>
      <button
        type="button"
        className="chip git-branch"
        title={say('git.view.branches')}
        onClick={() => panel.go({ view: 'branches' })}
      >
        <GitBranch size={14} aria-hidden />
        <span className="tree-name">{sync.branch ?? sync.operation?.branch ?? say('git.detached')}</span>
      </button>
      {(sync.ahead ?? 0) > 0 && (
        <span className="tabular small" title={say('git.ahead', { count: sync.ahead ?? 0 })}>
          <span aria-hidden>↑{number(sync.ahead ?? 0)}</span>
          <span className="unseen">{say('git.ahead', { count: sync.ahead ?? 0 })}</span>
        </span>
      )}
      {(sync.behind ?? 0) > 0 && (
        <span className="tabular small" title={say('git.behind', { count: sync.behind ?? 0 })}>
          <span aria-hidden>↓{number(sync.behind ?? 0)}</span>
          <span className="unseen">{say('git.behind', { count: sync.behind ?? 0 })}</span>
        </span>
      )}
    </>
  );
}

function useSyncActions(panel: GitPanelState) {
  const { say } = useWords();
  return {
    fetch: () =>
      void panel.run(async () => {
        try {
          await api.post('/sessions/{sessionId}/git/fetch', { path: panel.path, body: {} });
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'GIT_ABORTED') throw error;
          return say('git.fetch.stopped');
        }
        return say('git.fetched');
      }),
    pull: () =>
      void panel.run(async () => {
        const pulled = await api.post('/sessions/{sessionId}/git/pull', { path: panel.path });
        const { conflicts, commitBefore, commitAfter } = pulled;
        if (conflicts > 0) return say('git.pulled.conflicts', { count: conflicts });
        return withHooks(say, say(commitBefore === commitAfter ? 'git.pulled.nothing' : 'git.pulled'), pulled);
      }),
    push: (remote: string | undefined) =>
      void panel.run(async () => {
        const body = remote === undefined ? {} : { remote };
        const pushed = await api.post('/sessions/{sessionId}/git/push', { path: panel.path, body });
        const text = say(pushed.nothingToPush ? 'git.pushed.nothing' : 'git.pushed');
        return withHooks(say, text, pushed);
      }),
  };
}

const isPublished = ({ reference, isUpstreamGone }: GitSync) => reference !== null && !isUpstreamGone;

interface PushProps {
  sync: GitSync;
  panel: GitPanelState;
  push: (remote: string | undefined) => void;
}

/** A branch without an upstream is published; with several remotes, on the one that the user chooses. */
function Push({ sync, panel, push }: PushProps) {
  const { say } = useWords();
  const isKnown = isPublished(sync);
  if (isKnown || sync.remotes.length === 1) {
    const act = () => push(isKnown ? undefined : sync.remotes[0]?.name);
    return (
      <button type="button" className="chip" disabled={panel.isBusy} onClick={act}>
        <ArrowUp size={12} aria-hidden /> {say(isKnown ? 'git.push' : 'git.publish')}
      </button>
    );
  }
  return (
    <select
      className="chip"
      aria-label={say('git.publishTo')}
      value=""
      disabled={panel.isBusy}
      onChange={(event) => push(event.currentTarget.value)}
    >
      <option value="">{say('git.publishTo')}</option>
      {sync.remotes.map(({ name }) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

/** An unfinished git operation, and what to do next. */
function Ongoing({ sync: { operation } }: { sync: GitSync }) {
  const { say } = useWords();
  if (!operation) return null;
  const { kind, step, steps } = operation;
  return (
    <p className="git-ongoing small" role="status">
      <strong>{say(`git.ongoing.${kind}`)}</strong>
      {step !== null && steps !== null && ` ${say('git.ongoing.step', { step: step, steps: steps })}`}
      {`. ${say(`git.ongoing.${kind}.next`)}`}
    </p>
  );
}

/** The branch, its distance from its upstream, and the actions to synchronize them. */
export function SyncBar({ panel }: { panel: GitPanelState }) {
  const { say } = useWords();
  const sync = useQuery({
    ...gitSyncQuery(panel.sessionId),
    refetchInterval: ({ state }) => (state.data?.isFetching || panel.isBusy ? 1_000 : false),
  }).data;
  const acts = useSyncActions(panel);
  if (!sync) return <div className="git-sync" />;
  return (
    <>
      <div className="git-sync">
        <Branch sync={sync} panel={panel} />
        <span className="git-space" />
        {sync.remotes.length > 0 && (
          <>
            {sync.isFetching ? (
              <button
                type="button"
                className="chip"
                onClick={() =>
                  void api.post('/sessions/{sessionId}/git/fetch-stop', { path: panel.path }).catch(() => undefined)
                }
              >
                <Square size={12} aria-hidden /> {say('git.fetch.stop')}
              </button>
            ) : (
              <button
                type="button"
                className="icon-button"
                aria-label={say('git.fetch')}
                title={say('git.fetch')}
                disabled={panel.isBusy}
                onClick={acts.fetch}
              >
                <RefreshCw size={14} aria-hidden />
              </button>
            )}
            {isPublished(sync) && (
              <button type="button" className="chip" disabled={panel.isBusy} onClick={acts.pull}>
                <ArrowDown size={12} aria-hidden /> {say('git.pull')}
              </button>
            )}
            {sync.branch !== null && <Push sync={sync} panel={panel} push={acts.push} />}
          </>
        )}
      </div>
      <Ongoing sync={sync} />
    </>
  );
}
