import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useLiveRepository } from '../../session/use-live-repository.ts';
import { openOverlay } from '../../shell/overlay-state.ts';
import { type GitArea } from '../../wire/git.ts';
import { refreshGit } from '../../wire/git-sync.ts';

export const VIEWS = ['changes', 'history', 'branches', 'stashes', 'pulls'] as const;
export type GitView = (typeof VIEWS)[number];

/** The current selection, from the address. */
export interface GitPlace {
  view: GitView;
  file: string | undefined;
  area: GitArea;
  commit: string | undefined;
  /** Its number, or `new`. */
  pull: string | undefined;
}

export interface GitPanelState {
  sessionId: string;
  /** Of the operations of its repository. */
  path: { sessionId: string };
  place: GitPlace;
  /** Missing fields are left out of the address. */
  go(place: Partial<GitPlace>): void;
  notice: { text?: string; error?: unknown } | undefined;
  dismiss(): void;
  isBusy: boolean;
  /** Sequentially. Shows the result, reloads the repository, and returns whether it succeeded. */
  run(act: () => Promise<string | undefined>): Promise<boolean>;
  ask(question: { title: string; text: string; act: string; run: () => Promise<string | undefined> }): void;
}

const isView = (value: string | null): value is GitView => VIEWS.includes(value as GitView);

function usePlace(): Pick<GitPanelState, 'place' | 'go'> {
  const [search, setSearch] = useSearchParams();
  return useMemo(() => {
    const view = search.get('show');
    return {
      place: {
        view: isView(view) ? view : 'changes',
        file: search.get('file') ?? undefined,
        area: search.get('area') === 'index' ? 'index' : 'worktree',
        commit: search.get('commit') ?? undefined,
        pull: search.get('pull') ?? undefined,
      },
      go: ({ view: show, ...rest }) => {
        const next = new URLSearchParams();
        const named = { show: show === 'changes' ? undefined : show, ...rest };
        for (const [name, value] of Object.entries(named)) if (value !== undefined) next.set(name, value);
        setSearch(next);
      },
    };
  }, [search, setSearch]);
}

export function useGitPanel(sessionId: string): GitPanelState {
  useLiveRepository(sessionId);
  const client = useQueryClient();
  const { place, go } = usePlace();
  const [notice, setNotice] = useState<GitPanelState['notice']>();
  const [isBusy, setIsBusy] = useState(false);
  const waiting = useRef(0);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return useMemo(() => {
    const runAndNotify = async (act: () => Promise<string | undefined>) => {
      try {
        const text = await act();
        setNotice(text === undefined ? undefined : { text });
      } finally {
        await refreshGit(client, sessionId);
      }
    };
    return {
      sessionId,
      path: { sessionId },
      place,
      go,
      notice,
      dismiss: () => setNotice(undefined),
      isBusy,
      run(act) {
        const work = async () => {
          try {
            await runAndNotify(act);
            return true;
          } catch (error) {
            setNotice({ error });
            return false;
          }
        };
        waiting.current += 1;
        setIsBusy(true);
        const done = last.current.then(work).finally(() => {
          waiting.current -= 1;
          if (waiting.current === 0) setIsBusy(false);
        });
        last.current = done;
        return done;
      },
      ask: ({ run, ...question }) =>
        openOverlay({ kind: 'confirm', isDangerous: true, ...question, run: () => runAndNotify(run) }),
    };
  }, [sessionId, client, place, go, notice, isBusy]);
}
