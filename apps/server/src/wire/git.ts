import type {
  Branch,
  BranchState,
  FileDiff,
  History,
  RangeChanges,
  RangeDiff,
  Remote,
  RepositoryState,
  Stash,
  SyncState,
} from '@fucina/host';
import type { ErrorCode } from '@fucina/shared';
import * as z from 'zod';
import { encoded, mapped, renamed } from '../http/renamed.ts';
import { isoOrNull } from './common.ts';

/** What every operation on a session's repository can answer. */
export const REPOSITORY_ERRORS = [
  'GIT_STORE_UNAVAILABLE',
  'GIT_NOT_A_REPOSITORY',
  'GIT_COMMAND_FAILED',
  'GIT_TIMEOUT',
  'GIT_OUTPUT_TOO_LARGE',
] as const satisfies readonly ErrorCode[];

/** Looked at by the service, which knows what git takes. */
export const gitPath = z.string().max(8_192);
/** How many there may be, and what they may hold, is the service's to tell. */
export const paths = z.array(gitPath);
export const hash = z.string().max(200);
export const area = mapped({ preparato: 'staged', lavoro: 'work' });

const fingerprint = z.string().regex(/^[0-9a-f]{64}$/);
const commitName = z
  .object({ commit: z.string(), breve: z.string(), soggetto: z.string() })
  .nullable()
  .meta({ id: 'GitCommitName' });

const baseOf = (base: RepositoryState['base']): z.output<typeof commitName> =>
  base && { commit: base.commit, breve: base.short, soggetto: base.subject };

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

export const repositoryState = encoded(
  z
    .object({
      radiceRepo: z.string(),
      prefisso: z.string(),
      cartellaEradiceRepo: z.boolean(),
      voci: z.array(
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
      riepilogo: z.object({
        totale: z.number().int(),
        staged: z.number().int(),
        nonStaged: z.number().int(),
        nonTracciati: z.number().int(),
        conflitti: z.number().int(),
      }),
      base: commitName,
      impronta: fingerprint,
      preparatiFuori: z.number().int(),
    })
    .meta({ id: 'GitState' }),
  (state: RepositoryState) => ({
    radiceRepo: state.root,
    prefisso: state.prefix,
    cartellaEradiceRepo: state.isRoot,
    voci: state.entries.map((entry) => ({
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
    riepilogo: {
      totale: state.summary.total,
      staged: state.summary.staged,
      nonStaged: state.summary.unstaged,
      nonTracciati: state.summary.untracked,
      conflitti: state.summary.conflicts,
    },
    base: baseOf(state.base),
    impronta: state.fingerprint,
    preparatiFuori: state.stagedOutside,
  }),
);

const OPERATIONS = {
  merge: 'merge',
  rebase: 'rebase',
  apply: 'am',
  'cherry-pick': 'cherry-pick',
  revert: 'revert',
  bisect: 'bisect',
} as const;

/** Beyond the document: what git has begun and not finished; absent when there is nothing. */
const operazione = z
  .object({
    tipo: z.enum(['merge', 'rebase', 'am', 'cherry-pick', 'revert', 'bisect']),
    ramo: z.string().nullable(),
    passo: z.number().int().nullable(),
    passi: z.number().int().nullable(),
  })
  .optional();

function operationOf(ongoing: BranchState['ongoing']) {
  if (!ongoing) return {};
  const { kind, branch, step, steps } = ongoing;
  return { operazione: { tipo: OPERATIONS[kind], ramo: branch, passo: step, passi: steps } };
}

export const branchState = encoded(
  z.object({
    radiceRepo: z.string(),
    prefisso: z.string(),
    cartellaEradiceRepo: z.boolean(),
    ramo: z.string().nullable(),
    staccata: z.boolean(),
    operazione,
  }),
  (state: BranchState) => ({
    radiceRepo: state.root,
    prefisso: state.prefix,
    cartellaEradiceRepo: state.isRoot,
    ramo: state.branch,
    staccata: state.isDetached,
    ...operationOf(state.ongoing),
  }),
);

const diffText = { testo: z.string(), troncato: z.boolean(), binario: z.boolean(), impronta: fingerprint };
const textOf = (diff: Pick<FileDiff, 'text' | 'isCut' | 'isBinary' | 'fingerprint'>) => ({
  testo: diff.text,
  troncato: diff.isCut,
  binario: diff.isBinary,
  impronta: diff.fingerprint,
});

export const fileDiff = encoded(
  z
    .object({ percorso: z.string(), area: z.enum(['preparato', 'lavoro']), base: commitName, ...diffText })
    .meta({ id: 'GitDiff' }),
  (diff: FileDiff) => ({
    percorso: diff.path,
    area: diff.area === 'staged' ? ('preparato' as const) : ('lavoro' as const),
    base: baseOf(diff.base),
    ...textOf(diff),
  }),
);

/** Beyond the interface: a page of the log, as `cursore` of the page before gave it. */
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
const endsOf = (range: Pick<RangeChanges, 'from' | 'to' | 'isFromEmpty'>) => ({
  da: range.from,
  a: range.to,
  daVuoto: range.isFromEmpty,
});

export const rangeChanges = encoded(
  z
    .object({
      ...ends,
      file: z.array(
        z.object({ stato: z.enum(['A', 'D', 'M', 'R']), prima: z.string().nullable(), percorso: z.string() }),
      ),
      altri: z.boolean(),
      fuori: z.number().int(),
    })
    .meta({ id: 'GitChanges' }),
  (changes: RangeChanges) => ({
    ...endsOf(changes),
    file: changes.files.map(({ status, previous, path }) => ({ stato: status, prima: previous, percorso: path })),
    altri: changes.hasMore,
    fuori: changes.outside,
  }),
);

export const rangeDiff = encoded(
  z.object({ percorso: z.string(), prima: z.string().nullable(), ...ends, ...diffText }).meta({ id: 'GitRangeDiff' }),
  (diff: RangeDiff) => ({ percorso: diff.path, prima: diff.previous, ...endsOf(diff), ...textOf(diff) }),
);

const reference = z.object({ corto: z.string(), remoto: z.string(), ramo: z.string() }).nullable();

const referenceOf = (upstream: Branch['upstream']): z.output<typeof reference> =>
  upstream && { corto: upstream.short, remoto: upstream.remote, ramo: upstream.branch };

export const branch = encoded(
  z
    .object({
      nome: z.string(),
      corrente: z.boolean(),
      commit: z.string(),
      riferimento: reference,
      avanti: z.number().int().nullable(),
      indietro: z.number().int().nullable(),
      riferimentoSparito: z.boolean(),
    })
    .meta({ id: 'GitBranch' }),
  (one: Branch) => ({
    nome: one.name,
    corrente: one.isCurrent,
    commit: one.commit,
    riferimento: referenceOf(one.upstream),
    avanti: one.ahead,
    indietro: one.behind,
    riferimentoSparito: one.isUpstreamGone,
  }),
);

export const stash = encoded(
  z
    .object({
      indice: z.number().int(),
      commit: z.string(),
      messaggio: z.string(),
      ramo: z.string().nullable(),
      data: z.string(),
    })
    .meta({ id: 'GitStash' }),
  (one: Stash) => ({
    indice: one.index,
    commit: one.commit,
    messaggio: one.message,
    ramo: one.branch,
    data: one.date,
  }),
);

const remoteFields = z
  .object({ nome: z.string(), url: z.string(), urlInvio: z.string().nullable() })
  .meta({ id: 'GitRemote' });
export const remote = renamed(remoteFields, { nome: 'name', urlInvio: 'pushUrl' } satisfies Record<
  string,
  keyof Remote
>);

export const syncState = encoded(
  z
    .object({
      ramo: z.string().nullable(),
      staccata: z.boolean(),
      operazione,
      remoti: z.array(remoteFields),
      riferimento: reference,
      avanti: z.number().int().nullable(),
      indietro: z.number().int().nullable(),
      riferimentoSparito: z.boolean(),
      remotoPerInvio: z.string().nullable(),
      ultimoRecupero: z.string().nullable(),
      recuperoInCorso: z.boolean(),
    })
    .meta({ id: 'GitSync' }),
  (sync: SyncState) => ({
    ramo: sync.branch,
    staccata: sync.isDetached,
    ...operationOf(sync.ongoing),
    remoti: sync.remotes.map(({ name, url, pushUrl }) => ({ nome: name, url, urlInvio: pushUrl })),
    riferimento: referenceOf(sync.upstream),
    avanti: sync.ahead,
    indietro: sync.behind,
    riferimentoSparito: sync.isUpstreamGone,
    remotoPerInvio: sync.pushRemote,
    ultimoRecupero: isoOrNull(sync.lastFetchAt),
    recuperoInCorso: sync.isFetching,
  }),
);
