import * as z from 'zod';
import { json, longList } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { sessionParams } from '../../wire/common.ts';
import {
  area,
  branchState,
  fileDiff,
  gitPath,
  hash,
  history,
  historyCursor,
  REPOSITORY_ERRORS,
  rangeChanges,
  rangeDiff,
  repositoryState,
  stateEntries,
  stateFacts,
} from '../../wire/git.ts';

const common = { tag: 'Git and GitHub', method: 'GET', params: sessionParams } as const;

export const gitStatus = operation({
  ...common,
  id: 'git.status',
  summary: 'Uncommitted changes',
  path: '/sessions/{sessionId}/git/status',
  answer: longList('voci', { rows: stateEntries, rest: stateFacts, schema: repositoryState }),
  errors: REPOSITORY_ERRORS,
  async handle({ params, services }) {
    const { entries, ...rest } = await services.sessionGit.reading.state(params.sessionId);
    return { rows: entries, rest };
  },
});

export const gitBranch = operation({
  ...common,
  id: 'git.branch',
  summary: 'The current branch',
  path: '/sessions/{sessionId}/git/branch',
  answer: json(branchState),
  errors: REPOSITORY_ERRORS,
  handle: ({ params, services }) => services.sessionGit.reading.branch(params.sessionId),
});

export const gitDiff = operation({
  ...common,
  id: 'git.diff',
  summary: 'The changes of one file, staged or not',
  path: '/sessions/{sessionId}/git/diff',
  query: renamed(z.strictObject({ percorso: gitPath, area }), { percorso: 'path' }),
  refusals: { area: (value) => (typeof value === 'string' ? 'GIT_DIFF_AREA_INVALID' : 'QUERY_INVALID') },
  answer: json(fileDiff),
  errors: [...REPOSITORY_ERRORS, 'GIT_DIFF_AREA_INVALID', 'GIT_PATH_UNCHANGED', 'GIT_PATH_INVALID'],
  handle: ({ params, query, services }) => services.sessionGit.reading.diff(params.sessionId, query.path, query.area),
});

export const gitLog = operation({
  ...common,
  id: 'git.log',
  summary: 'The latest commits, or a page of older ones',
  path: '/sessions/{sessionId}/git/log',
  query: renamed(z.strictObject({ cursore: historyCursor.optional() }), { cursore: 'at' }),
  answer: json(history),
  errors: [...REPOSITORY_ERRORS, 'GIT_COMMIT_UNKNOWN'],
  handle: ({ params, query, services }) => services.sessionGit.reading.history(params.sessionId, query.at),
});

const RANGE = { a: 'to', da: 'from' } as const;
const RANGE_ERRORS = [...REPOSITORY_ERRORS, 'GIT_COMMIT_INVALID', 'GIT_COMMIT_UNKNOWN'] as const;

export const gitChanges = operation({
  ...common,
  id: 'git.changes',
  summary: 'The files a commit changed, or that differ between two',
  path: '/sessions/{sessionId}/git/changes',
  query: renamed(z.strictObject({ a: hash, da: hash.optional() }), RANGE),
  answer: json(rangeChanges),
  errors: RANGE_ERRORS,
  handle: ({ params, query, services }) => services.sessionGit.reading.changes(params.sessionId, query),
});

export const gitChangesDiff = operation({
  ...common,
  id: 'git.changes-diff',
  summary: 'One file between two commits',
  path: '/sessions/{sessionId}/git/changes-diff',
  query: renamed(z.strictObject({ a: hash, percorso: gitPath, da: hash.optional(), prima: gitPath.optional() }), {
    ...RANGE,
    percorso: 'path',
    prima: 'previous',
  }),
  answer: json(rangeDiff),
  errors: [...RANGE_ERRORS, 'GIT_PATH_INVALID'],
  handle: ({ params, query, services }) => services.sessionGit.reading.changesDiff(params.sessionId, query),
});
