import type {
  MergedWorktree,
  PickedFromSessions,
  SetupRun,
  SetupScript,
  UsedWorktree,
  WorktreeSetup,
  WorktreeStart,
} from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { iso, sessionId } from './common.ts';

/** A project by one of its sessions or by its folder; exactly one where a place is required. */
const placeFields = { sessionId: sessionId.optional(), cartella: z.string().min(1).max(4_096).optional() };
const placeNames = { cartella: 'path' } as const;
const hasPlace = (place: { sessionId?: unknown; cartella?: unknown }): boolean =>
  (place.sessionId === undefined) !== (place.cartella === undefined);
const ONE_PLACE = 'exactly one of sessionId and cartella';

export const worktreePlace = renamed(z.strictObject(placeFields), placeNames);
export const worktreeSource = renamed(z.strictObject(placeFields).refine(hasPlace, ONE_PLACE), placeNames);

const branchName = z.string().min(1).max(1_000);

export const newWorktree = renamed(
  z
    .strictObject({
      ...placeFields,
      titolo: z.string().max(10_000).optional(),
      ramo: branchName.optional(),
      ramoEsistente: branchName.optional(),
      base: branchName.optional(),
      pullRequest: z.number().int().min(1).max(2_147_483_647).optional(),
      conModifiche: z.boolean().optional(),
      fileLocali: z.array(z.string().min(1).max(4_096)).max(50).optional(),
    })
    .refine(hasPlace, ONE_PLACE)
    .refine(
      ({ ramo, ramoEsistente, base }) => ramoEsistente === undefined || (ramo === undefined && base === undefined),
      'ramoEsistente excludes ramo and base',
    )
    .refine(
      ({ pullRequest, ...others }) =>
        pullRequest === undefined ||
        [others.titolo, others.ramo, others.ramoEsistente, others.base].every((other) => other === undefined),
      'pullRequest excludes titolo, ramo, ramoEsistente and base',
    ),
  {
    ...placeNames,
    titolo: 'title',
    ramo: 'branch',
    ramoEsistente: 'existingBranch',
    conModifiche: 'carriesChanges',
    fileLocali: 'localFiles',
  },
);

export const worktree = encoded(
  z
    .object({
      id: z.string(),
      nome: z.string(),
      percorso: z.string(),
      cartella: z.string(),
      origine: z.string(),
      base: z.object({ nome: z.string().nullable(), commit: z.string() }),
      ramoCreato: z.boolean(),
      porte: z.number().int().nullable(),
      creatoAlle: z.string(),
      stato: z
        .object({
          ramo: z.string().nullable(),
          commit: z.string().nullable(),
          fileModificati: z.number().int(),
          avanti: z.number().int().nullable(),
          indietro: z.number().int().nullable(),
          nonUniti: z.number().int(),
        })
        .nullable(),
      sessioni: z.array(z.string()),
    })
    .meta({ id: 'Worktree' }),
  (one: UsedWorktree) => ({
    id: one.id,
    nome: one.name,
    percorso: one.path,
    cartella: one.folder,
    origine: one.source,
    base: { nome: one.base.reference?.replace(/^refs\/(heads|remotes)\//, '') ?? null, commit: one.base.commit },
    ramoCreato: one.ownsBranch,
    porte: one.portBase,
    creatoAlle: iso(one.createdAt),
    stato: one.state && {
      ramo: one.state.branch,
      commit: one.state.commit,
      fileModificati: one.state.changedCount,
      avanti: one.state.ahead,
      indietro: one.state.behind,
      nonUniti: one.state.unmergedCount,
    },
    sessioni: one.sessionIds,
  }),
);

const setupScript = z.object({
  percorso: z.string(),
  testo: z.string(),
  impronta: z.string(),
  fidato: z.boolean(),
});

const asScript = ({ path, text, fingerprint, isTrusted }: SetupScript) => ({
  percorso: path,
  testo: text,
  impronta: fingerprint,
  fidato: isTrusted,
});

const RUN_STATES = { running: 'in-corso', succeeded: 'riuscita', failed: 'fallita', stopped: 'fermata' } as const;

const setupRun = z.object({
  stato: z.enum(['in-corso', 'riuscita', 'fallita', 'fermata']),
  uscita: z.string(),
  tagliata: z.boolean(),
  codice: z.number().int().nullable(),
  sandbox: z.string().nullable(),
});

const asRun = ({ state, output, isCut, exitCode, enforcement }: SetupRun) => ({
  stato: RUN_STATES[state],
  uscita: output,
  tagliata: isCut,
  codice: exitCode,
  sandbox: enforcement,
});

export const worktreeSetup = encoded(
  z.object({ script: setupScript.nullable(), esecuzione: setupRun.nullable() }).meta({ id: 'WorktreeSetup' }),
  ({ script, run }: WorktreeSetup) => ({ script: script && asScript(script), esecuzione: run && asRun(run) }),
);

export const worktreeBases = encoded(
  z
    .object({
      corrente: z.string().nullable(),
      haCommit: z.boolean(),
      fileModificati: z.number().int(),
      locali: z.array(z.string()),
      remoti: z.array(z.string()),
      fileLocali: z.array(z.string()),
      preparazione: setupScript.nullable(),
    })
    .meta({ id: 'WorktreeBases' }),
  ({ current, hasCommit, changedCount, local, remote, localFiles, setup }: WorktreeStart) => ({
    corrente: current,
    haCommit: hasCommit,
    fileModificati: changedCount,
    locali: local,
    remoti: remote,
    fileLocali: localFiles,
    preparazione: setup && asScript(setup),
  }),
);

const WAYS = { none: 'nessuno', 'fast-forward': 'avanzamento', merge: 'unione', rebase: 'rebase' } as const;

export const worktreeMergeRequest = renamed(
  z.strictObject({ messaggio: z.string().max(65_536).optional(), rebase: z.boolean().optional() }),
  { messaggio: 'message', rebase: 'isRebase' },
);

export const mergedWorktree = encoded(
  z
    .object({
      unito: z.boolean(),
      conflitti: z.array(z.string()),
      modo: z.enum(['nessuno', 'avanzamento', 'unione', 'rebase']),
      in: z.string().nullable(),
      prima: z.string(),
      dopo: z.string(),
      hookNonEseguiti: z.array(z.string()).optional(),
      hookFalliti: z.array(z.string()).optional(),
    })
    .meta({ id: 'WorktreeMerge' }),
  ({ isMerged, conflicts, way, into, before, after, hooksNotRun, hooksFailed }: MergedWorktree) => ({
    unito: isMerged,
    conflitti: conflicts,
    modo: WAYS[way],
    in: into,
    prima: before,
    dopo: after,
    ...(hooksNotRun && { hookNonEseguiti: hooksNotRun }),
    ...(hooksFailed && { hookFalliti: hooksFailed }),
  }),
);

const pickedFile = renamed(
  z.strictObject({
    sessionId,
    da: z.string().min(1).max(200),
    percorso: z.string().min(1).max(4_096),
    prima: z.string().min(1).max(4_096).optional(),
    impronta: z.string().regex(/^[0-9a-f]{64}$/),
    pezzi: z.array(z.number().int().min(0).max(100_000)).min(1).max(10_000).optional(),
  }),
  { da: 'from', percorso: 'path', prima: 'previous', impronta: 'fingerprint', pezzi: 'hunks' },
);

/** The place is the folder that gets the changes. */
export const pickRequest = renamed(
  z
    .strictObject({ ...placeFields, scelte: z.array(pickedFile).max(500), prova: z.boolean().optional() })
    .refine(hasPlace, ONE_PLACE),
  { ...placeNames, scelte: 'choices', prova: 'isRehearsal' },
);

export const pickedChanges = encoded(
  z
    .object({
      applicato: z.boolean(),
      conflitti: z.array(z.object({ sessionId: z.string(), percorso: z.string() })),
      percorsi: z.array(z.string()),
      annullamento: z.string().nullable(),
    })
    .meta({ id: 'PickedChanges' }),
  ({ isApplied, conflicts, paths, undoId }: PickedFromSessions) => ({
    applicato: isApplied,
    conflitti: conflicts.map((conflict) => ({ sessionId: conflict.sessionId, percorso: conflict.path })),
    percorsi: paths,
    annullamento: undoId,
  }),
);
