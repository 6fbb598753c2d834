import type { Pushed, SyncState } from '@fucina/host';
import * as z from 'zod';
import { absentWhenNull, encoded, renamed } from '../http/renamed.ts';
import { ok } from './common.ts';
import { repositoryState, syncState } from './git.ts';

/** Beyond the document: hooks that exist and were not run, and that failed afterwards; absent when there is none. */
const hookFields = {
  hookNonEseguiti: absentWhenNull(z.array(z.string())),
  hookFalliti: absentWhenNull(z.array(z.string())),
};
const hookNames = { hookNonEseguiti: 'hooksNotRun', hookFalliti: 'hooksFailed' } as const;
const stateNames = { stato: 'state' } as const;

/** Answers of the operations that change a repository. */
export const switched = renamed(ok.extend({ ramo: z.string(), ...hookFields, stato: repositoryState }), {
  ramo: 'branch',
  ...stateNames,
  ...hookNames,
});

export const committed = renamed(ok.extend({ commit: z.string(), ...hookFields, stato: repositoryState }), {
  ...stateNames,
  ...hookNames,
});

export const committedPaths = renamed(
  ok.extend({ percorsi: z.array(z.string()), commit: z.string(), ...hookFields, stato: repositoryState }),
  { percorsi: 'paths', ...stateNames, ...hookNames },
);

export const undoneCommit = renamed(ok.extend({ messaggio: z.string(), stato: repositoryState }), {
  messaggio: 'message',
  ...stateNames,
});

export const createdRepository = renamed(ok.extend({ ramo: z.string(), stato: repositoryState }), {
  ramo: 'branch',
  ...stateNames,
});

export const fetched = encoded(
  ok.extend({ remoto: z.string(), sincronizzazione: syncState }),
  ({ remote, sync }: { remote: string | null; sync: SyncState }) => ({
    ok: true as const,
    remoto: remote ?? 'tutti',
    sincronizzazione: sync,
  }),
);

export const pulled = renamed(
  z.object({
    ok: z.boolean(),
    conflitti: z.number().int(),
    commitPrima: z.string().nullable(),
    commitDopo: z.string().nullable(),
    ...hookFields,
    stato: repositoryState,
    sincronizzazione: syncState,
  }),
  {
    ok: 'isMerged',
    conflitti: 'conflicts',
    commitPrima: 'before',
    commitDopo: 'after',
    sincronizzazione: 'sync',
    ...stateNames,
    ...hookNames,
  },
);

const OUTCOMES = { new: 'nuovo', updated: 'aggiornato', unchanged: 'invariato' } as const;

export const pushed = encoded(
  ok.extend({
    remoto: z.string(),
    ramo: z.string(),
    pubblicato: z.boolean(),
    esiti: z.array(z.object({ da: z.string(), a: z.string(), esito: z.enum(OUTCOMES) })),
    nienteDaInviare: z.literal(true).optional(),
    hookNonEseguiti: z.array(z.string()).optional(),
    sincronizzazione: syncState,
  }),
  ({ remote, branch, isPublished, outcomes, hooksNotRun, sync }: Pushed & { sync: SyncState }) => ({
    ok: true as const,
    remoto: remote,
    ramo: branch,
    pubblicato: isPublished,
    esiti: outcomes.map(({ from, to, outcome }) => ({ da: from, a: to, esito: OUTCOMES[outcome] })),
    ...(outcomes.every(({ outcome }) => outcome === 'unchanged') && { nienteDaInviare: true as const }),
    ...(hooksNotRun && { hookNonEseguiti: hooksNotRun }),
    sincronizzazione: sync,
  }),
);
