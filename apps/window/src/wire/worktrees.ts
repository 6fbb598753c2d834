import type { components } from '@fucina/wire-types';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { address, erase, read, send } from './call.ts';

type Schemas = components['schemas'];
export type Worktree = Schemas['Worktree'];
export type WorktreeBases = Schemas['WorktreeBases'];
export type WorktreeMerge = Schemas['WorktreeMerge'];
export type WorktreeSetup = Schemas['WorktreeSetup'];

export type PickedChanges = Schemas['PickedChanges'];

/** A changed file of a session as its diff showed it; without `pezzi` the whole file. */
export interface PickedChange {
  sessionId: string;
  da: string;
  percorso: string;
  prima?: string;
  impronta: string;
  pezzi?: number[];
}

/** The folder that gets chosen changes: one of them. */
export interface PickTarget {
  cartella?: string;
  sessionId?: string;
}

export interface NewWorktree {
  cartella: string;
  titolo?: string;
  base?: string;
  pullRequest?: number | undefined;
  conModifiche?: boolean;
  fileLocali?: string[];
}

const BASE = ['ext', 'worktrees'];
const KEY = ['worktrees'];
const POLL_MS = 30_000;

/** All of them, oldest first. */
export const worktreesQuery = queryOptions({
  queryKey: [...KEY, 'all'],
  queryFn: async ({ signal }) => (await read<{ worktree: Worktree[] }>(address(BASE), signal)).worktree,
  // Each is a question to git: none is asked while there are none.
  refetchInterval: (query) => ((query.state.data?.length ?? 0) > 0 ? POLL_MS : false),
  staleTime: 5_000,
});

export const readWorktreeBases = (cartella: string, signal?: AbortSignal): Promise<WorktreeBases> =>
  read(address([...BASE, 'basi'], { cartella }), signal);

export const worktreeBasesQuery = (cartella: string) =>
  queryOptions({
    queryKey: [...KEY, 'bases', cartella],
    queryFn: ({ signal }) => readWorktreeBases(cartella, signal),
    staleTime: 0,
  });

export const refreshWorktrees = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: KEY });

/** All of these throw WireError. */
export const createWorktree = async (request: NewWorktree): Promise<Worktree> =>
  (await send<{ worktree: Worktree }>(address(BASE), request)).worktree;

export const removeWorktree = (id: string, choice: { isForced?: boolean; deletesBranch?: boolean }): Promise<unknown> =>
  erase(
    address([...BASE, id], {
      ...(choice.isForced && { forza: 'true' }),
      ...(choice.deletesBranch && { eliminaRamo: 'true' }),
    }),
  );

export const mergeWorktree = (
  id: string,
  { message, isRebase }: { message: string | undefined; isRebase: boolean },
): Promise<WorktreeMerge> =>
  send(address([...BASE, id, 'unione']), {
    ...(message !== undefined && { messaggio: message }),
    ...(isRebase && { rebase: true }),
  });

const setupOf = (id: string): string => address([...BASE, id, 'preparazione']);

export const readWorktreeSetup = (id: string): Promise<WorktreeSetup> => read(setupOf(id));

export const startWorktreeSetup = (id: string, impronta?: string): Promise<WorktreeSetup> =>
  send(setupOf(id), impronta === undefined ? {} : { impronta });

export const stopWorktreeSetup = (id: string): Promise<unknown> => erase(setupOf(id));

const placeOf = ({ cartella, sessionId }: PickTarget): PickTarget =>
  cartella === undefined ? { sessionId: sessionId ?? '' } : { cartella };

export const pickChanges = (target: PickTarget, scelte: readonly PickedChange[]): Promise<PickedChanges> =>
  send(address([...BASE, 'scelte']), { ...placeOf(target), scelte });

export const undoPick = (target: PickTarget, id: string): Promise<{ lasciati: string[] }> =>
  send(address([...BASE, 'scelte', id, 'annullamento']), placeOf(target));
