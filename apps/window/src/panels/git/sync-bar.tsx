import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, GitBranch, RefreshCw, Square } from 'lucide-react';
import { WireError } from '../../wire/call.ts';
import { type GitSync, gitSyncQuery } from '../../wire/git.ts';
import { useWords } from '../../words/words.ts';
import type { GitView } from './use-git-view.ts';

function Branch({ sync, view }: { sync: GitSync; view: GitView }) {
  const { say, number } = useWords();
  return (
    <>
      <button
        type="button"
        className="chip git-branch"
        title={say('git.view.branches')}
        onClick={() => view.go({ view: 'branches' })}
      >
        <GitBranch size={14} aria-hidden />
        <span className="tree-name">{sync.ramo ?? sync.operazione?.ramo ?? say('git.detached')}</span>
      </button>
      {(sync.avanti ?? 0) > 0 && (
        <span className="tabular small" title={say('git.ahead', { count: sync.avanti ?? 0 })}>
          <span aria-hidden>↑{number(sync.avanti ?? 0)}</span>
          <span className="unseen">{say('git.ahead', { count: sync.avanti ?? 0 })}</span>
        </span>
      )}
      {(sync.indietro ?? 0) > 0 && (
        <span className="tabular small" title={say('git.behind', { count: sync.indietro ?? 0 })}>
          <span aria-hidden>↓{number(sync.indietro ?? 0)}</span>
          <span className="unseen">{say('git.behind', { count: sync.indietro ?? 0 })}</span>
        </span>
      )}
    </>
  );
}

interface Pulled {
  conflitti: number;
  commitPrima: string | null;
  commitDopo: string | null;
}

function useSyncActs(view: GitView) {
  const { say } = useWords();
  return {
    fetch: () =>
      void view.run(async () => {
        try {
          await view.post('fetch', {});
        } catch (error) {
          if (!(error instanceof WireError) || error.code !== 'GIT_ABORTED') throw error;
          return say('git.fetch.stopped');
        }
        return say('git.fetched');
      }),
    pull: () =>
      void view.run(async () => {
        const { conflitti, commitPrima, commitDopo } = await view.post<Pulled>('pull');
        if (conflitti > 0) return say('git.pulled.conflicts', { count: conflitti });
        return say(commitPrima === commitDopo ? 'git.pulled.nothing' : 'git.pulled');
      }),
    push: (remoto: string | undefined) =>
      void view.run(async () => {
        const body = remoto === undefined ? {} : { remoto };
        const pushed = await view.post<{ nienteDaInviare?: boolean }>('push', body);
        return say(pushed.nienteDaInviare ? 'git.pushed.nothing' : 'git.pushed');
      }),
  };
}

const isPublished = ({ riferimento, riferimentoSparito }: GitSync) => riferimento !== null && !riferimentoSparito;

interface PushProps {
  sync: GitSync;
  view: GitView;
  push: (remote: string | undefined) => void;
}

/** A branch that follows none is published, where there are many remotes on the one the person chooses. */
function Push({ sync, view, push }: PushProps) {
  const { say } = useWords();
  const isKnown = isPublished(sync);
  if (isKnown || sync.remoti.length === 1) {
    const act = () => push(isKnown ? undefined : sync.remoti[0]?.nome);
    return (
      <button type="button" className="chip" disabled={view.isBusy} onClick={act}>
        <ArrowUp size={12} aria-hidden /> {say(isKnown ? 'git.push' : 'git.publish')}
      </button>
    );
  }
  return (
    <select
      className="chip"
      aria-label={say('git.publishTo')}
      value=""
      disabled={view.isBusy}
      onChange={(event) => push(event.currentTarget.value)}
    >
      <option value="">{say('git.publishTo')}</option>
      {sync.remoti.map(({ nome }) => (
        <option key={nome}>{nome}</option>
      ))}
    </select>
  );
}

/** What git has begun and not finished, and what to do next. */
function Ongoing({ sync: { operazione } }: { sync: GitSync }) {
  const { say } = useWords();
  if (!operazione) return null;
  const { tipo, passo, passi } = operazione;
  return (
    <p className="git-ongoing small" role="status">
      <strong>{say(`git.ongoing.${tipo}`)}</strong>
      {passo !== null && passi !== null && ` ${say('git.ongoing.step', { step: passo, steps: passi })}`}
      {`. ${say(`git.ongoing.${tipo}.next`)}`}
    </p>
  );
}

/** The branch, how far it is from the one it follows, and the ways to bring them together. */
export function SyncBar({ view }: { view: GitView }) {
  const { say } = useWords();
  const sync = useQuery({
    ...gitSyncQuery(view.sessionId),
    refetchInterval: ({ state }) => (state.data?.recuperoInCorso || view.isBusy ? 1_000 : false),
  }).data;
  const acts = useSyncActs(view);
  if (!sync) return <div className="git-sync" />;
  return (
    <>
      <div className="git-sync">
        <Branch sync={sync} view={view} />
        <span className="git-space" />
        {sync.remoti.length > 0 && (
          <>
            {sync.recuperoInCorso ? (
              <button
                type="button"
                className="chip"
                onClick={() => void view.post('fetch-stop').catch(() => undefined)}
              >
                <Square size={12} aria-hidden /> {say('git.fetch.stop')}
              </button>
            ) : (
              <button
                type="button"
                className="icon-button"
                aria-label={say('git.fetch')}
                title={say('git.fetch')}
                disabled={view.isBusy}
                onClick={acts.fetch}
              >
                <RefreshCw size={14} aria-hidden />
              </button>
            )}
            {isPublished(sync) && (
              <button type="button" className="chip" disabled={view.isBusy} onClick={acts.pull}>
                <ArrowDown size={12} aria-hidden /> {say('git.pull')}
              </button>
            )}
            {sync.ramo !== null && <Push sync={sync} view={view} push={acts.push} />}
          </>
        )}
      </div>
      <Ongoing sync={sync} />
    </>
  );
}
