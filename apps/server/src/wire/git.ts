import type { Branch, History, Remote, RepositoryState, Stash } from '@fucina/host';
import type { ErrorCode } from '@fucina/shared';
import * as z from 'zod';
import { absentWhenNull, encoded, mapped, renamed } from '../http/renamed.ts';
import { instant } from './common.ts';

/** The errors of every operation on a session's repository. */
export const REPOSITORY_ERRORS = [
  'GIT_STORE_UNAVAILABLE',
  'GIT_NOT_A_REPOSITORY',
  'GIT_COMMAND_FAILED',
  'GIT_TIMEOUT',
  'GIT_OUTPUT_TOO_LARGE',
] as const satisfies readonly ErrorCode[];

/** Validated by the service, which knows git's rules. */
export const gitPath = z.string().max(8_192);
/** The service checks their number and content. */
export const paths = z.array(gitPath);
export const hash = z.string().max(200);
export const area = mapped({ preparato: 'staged', lavoro: 'work' });

const fingerprint = z.string().regex(/^[0-9a-f]{64}$/);
const commitName = renamed(z.object({ commit: z.string(), breve: z.string(), soggetto: z.string() }), {
  breve: 'short',
  soggetto: 'subject',
})
  .nullable()
  .meta({ id: 'GitCommitName' });

const KINDS = {
  modified: 'modificato',
  added: 'aggiunto',
  deleted: 'eliminato',
  renamed: 'rinominato',
  copied: 'copiato',
  'type-changed': 'tipoCambiato',
  untracked: 'nonTracciato',
  ignored: 'ignorato',
  conflict: 'conflitto',
} as const;

const place = { radiceRepo: z.string(), prefisso: z.string(), cartellaEradiceRepo: z.boolean() };
const placeNames = { radiceRepo: 'root', prefisso: 'prefix', cartellaEradiceRepo: 'isRoot' } as const;

/** There can be tens of thousands: one codec per entry takes twenty times as long as one for all. */
export const stateEntries = encoded(
  z.array(
    z.object({
      percorso: z.string(),
      percorsoRepo: z.string(),
      da: z.string().nullable(),
      x: z.string(),
      y: z.string(),
      tipo: z.enum(KINDS),
      staged: z.boolean(),
      nonStaged: z.boolean(),
      conflitto: z.boolean(),
      cartella: z.boolean(),
      repoAnnidato: z.boolean(),
    }),
  ),
  (list: RepositoryState['entries']) =>
    list.map((entry) => ({
      percorso: entry.path,
      percorsoRepo: entry.repositoryPath,
      da: entry.from,
      x: entry.x,
      y: entry.y,
      tipo: KINDS[entry.kind],
      staged: entry.isStaged,
      nonStaged: entry.isUnstaged,
      conflitto: entry.isConflict,
      cartella: entry.isFolder,
      repoAnnidato: entry.isRepository,
    })),
);

const summary = renamed(
  z.object({
    totale: z.number().int(),
    staged: z.number().int(),
    nonStaged: z.number().int(),
    nonTracciati: z.number().int(),
    conflitti: z.number().int(),
  }),
  { totale: 'total', nonStaged: 'unstaged', nonTracciati: 'untracked', conflitti: 'conflicts' },
);

const facts = { riepilogo: summary, base: commitName, impronta: fingerprint, preparatiFuori: z.number().int() };
const factNames = { riepilogo: 'summary', impronta: 'fingerprint', preparatiFuori: 'stagedOutside' } as const;

export const repositoryState = renamed(z.object({ ...place, voci: stateEntries, ...facts }).meta({ id: 'GitState' }), {
  ...placeNames,
  voci: 'entries',
  ...factNames,
});

/** The state without its entries. */
export const stateFacts = renamed(z.object({ ...place, ...facts }), { ...placeNames, ...factNames });

/** Beyond the document: an unfinished git operation; absent when there is none. */
const operazione = absentWhenNull(
  renamed(
    z.object({
      tipo: mapped({
        merge: 'merge',
        rebase: 'rebase',
        am: 'apply',
        'cherry-pick': 'cherry-pick',
        revert: 'revert',
        bisect: 'bisect',
      }),
      ramo: z.string().nullable(),
      passo: z.number().int().nullable(),
      passi: z.number().int().nullable(),
    }),
    { tipo: 'kind', ramo: 'branch', passo: 'step', passi: 'steps' },
  ),
);

export const branchState = renamed(
  z.object({ ...place, ramo: z.string().nullable(), staccata: z.boolean(), operazione }),
  { ...placeNames, ramo: 'branch', staccata: 'isDetached', operazione: 'ongoing' },
);

const diffText = { testo: z.string(), troncato: z.boolean(), binario: z.boolean(), impronta: fingerprint };
const textNames = { testo: 'text', troncato: 'isCut', binario: 'isBinary', impronta: 'fingerprint' } as const;

export const fileDiff = renamed(
  z.object({ percorso: z.string(), area, base: commitName, ...diffText }).meta({ id: 'GitDiff' }),
  { percorso: 'path', ...textNames },
);

/** Beyond the interface: a page of the log, from `cursore` of the previous page. */
export const historyCursor = z.codec(
  z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})\.\d{1,9}$/),
  z.object({ from: z.string(), skip: z.number().int() }),
  {
    decode: (text) => {
      const [from = '', skip = ''] = text.split('.');
      return { from, skip: Number(skip) };
    },
    encode: ({ from, skip }) => `${from}.${skip}`,
  },
);

export const history = encoded(
  z
    .object({
      commit: z.array(
        z.object({
          commit: z.string(),
          breve: z.string(),
          autore: z.string(),
          data: z.string(),
          genitori: z.number().int(),
          padri: z.array(z.string()),
          soggetto: z.string(),
          inviato: z.boolean(),
        }),
      ),
      altri: z.boolean(),
      cursore: z.string().optional().describe('Of the next page, where there are more'),
      ultimoMessaggio: z.string(),
      testa: z.string().nullable(),
      remoto: z.string().nullable(),
      nomeRemoto: z.string().nullable(),
      baseComune: z.string().nullable(),
    })
    .meta({ id: 'GitHistory' }),
  (log: History) => ({
    commit: log.commits.map((commit) => ({
      commit: commit.commit,
      breve: commit.short,
      autore: commit.author,
      data: commit.date,
      genitori: commit.parents.length,
      padri: commit.parents,
      soggetto: commit.subject,
      inviato: commit.isPushed,
    })),
    altri: log.hasMore,
    ...(log.next && { cursore: z.encode(historyCursor, log.next) }),
    ultimoMessaggio: log.lastMessage,
    testa: log.head,
    remoto: log.upstream,
    nomeRemoto: log.upstreamName,
    baseComune: log.mergeBase,
  }),
);

const ends = { da: z.string(), a: z.string(), daVuoto: z.boolean() };
const endNames = { da: 'from', a: 'to', daVuoto: 'isFromEmpty' } as const;

const changed = { stato: z.enum(['A', 'D', 'M', 'R']), prima: z.string().nullable(), percorso: z.string() };
const changedNames = { stato: 'status', prima: 'previous', percorso: 'path' } as const;
const changedFile = renamed(z.object(changed), changedNames);

export const rangeChanges = renamed(
  z
    .object({ ...ends, file: z.array(changedFile), altri: z.boolean(), fuori: z.number().int() })
    .meta({ id: 'GitChanges' }),
  { ...endNames, file: 'files', altri: 'hasMore', fuori: 'outside' },
);

export const rangeDiff = renamed(
  z.object({ percorso: z.string(), prima: z.string().nullable(), ...ends, ...diffText }).meta({ id: 'GitRangeDiff' }),
  { percorso: 'path', prima: 'previous', ...endNames, ...textNames },
);

const lines = z.number().int().nullable();

/** An extension: what changed since the branch point. */
export const branchPoint = renamed(
  z
    .object({
      base: renamed(z.object({ nome: z.string(), commit: z.string() }), { nome: 'name' }).nullable(),
      basi: z.array(z.string()),
      file: z.array(
        renamed(z.object({ ...changed, aggiunte: lines, rimosse: lines }), {
          ...changedNames,
          aggiunte: 'added',
          rimosse: 'removed',
        }),
      ),
      altri: z.boolean(),
    })
    .meta({ id: 'GitBranchPoint' }),
  { basi: 'bases', file: 'files', altri: 'hasMore' },
);

export const branchPointDiff = renamed(
  z
    .object({ percorso: z.string(), prima: z.string().nullable(), da: z.string(), ...diffText })
    .meta({ id: 'GitBranchPointDiff' }),
  { percorso: 'path', prima: 'previous', da: 'from', ...textNames },
);

const reference = renamed(z.object({ corto: z.string(), remoto: z.string(), ramo: z.string() }), {
  corto: 'short',
  remoto: 'remote',
  ramo: 'branch',
}).nullable();

const distance = {
  riferimento: reference,
  avanti: z.number().int().nullable(),
  indietro: z.number().int().nullable(),
  riferimentoSparito: z.boolean(),
};
const distanceNames = {
  riferimento: 'upstream',
  avanti: 'ahead',
  indietro: 'behind',
  riferimentoSparito: 'isUpstreamGone',
} as const;

export const branch = renamed(
  z.object({ nome: z.string(), corrente: z.boolean(), commit: z.string(), ...distance }).meta({ id: 'GitBranch' }),
  { nome: 'name', corrente: 'isCurrent', ...distanceNames } satisfies Record<string, keyof Branch>,
);

export const stash = renamed(
  z
    .object({
      indice: z.number().int(),
      commit: z.string(),
      messaggio: z.string(),
      ramo: z.string().nullable(),
      data: z.string(),
    })
    .meta({ id: 'GitStash' }),
  { indice: 'index', messaggio: 'message', ramo: 'branch', data: 'date' } satisfies Record<string, keyof Stash>,
);

export const remote = renamed(
  z.object({ nome: z.string(), url: z.string(), urlInvio: z.string().nullable() }).meta({ id: 'GitRemote' }),
  { nome: 'name', urlInvio: 'pushUrl' } satisfies Record<string, keyof Remote>,
);

export const syncState = renamed(
  z
    .object({
      ramo: z.string().nullable(),
      staccata: z.boolean(),
      operazione,
      remoti: z.array(remote),
      ...distance,
      remotoPerInvio: z.string().nullable(),
      ultimoRecupero: instant.nullable(),
      recuperoInCorso: z.boolean(),
    })
    .meta({ id: 'GitSync' }),
  {
    ramo: 'branch',
    staccata: 'isDetached',
    operazione: 'ongoing',
    remoti: 'remotes',
    ...distanceNames,
    remotoPerInvio: 'pushRemote',
    ultimoRecupero: 'lastFetchAt',
    recuperoInCorso: 'isFetching',
  },
);
