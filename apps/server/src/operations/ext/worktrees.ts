import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { ok } from '../../wire/common.ts';
import { paths, REPOSITORY_ERRORS } from '../../wire/git.ts';
import {
  mergedWorktree,
  newWorktree,
  worktree,
  worktreeBases,
  worktreeMergeRequest,
  worktreePlace,
  worktreeSource,
} from '../../wire/worktree.ts';

const tag = 'Extensions';
const params = z.strictObject({ worktreeId: z.string().min(1).max(200) });
const flag = z.enum(['true']).optional();
const answer = json(z.object({ worktree }));
/** A worktree whose repository is gone can still be read and removed. */
const ALWAYS_ERRORS = ['GIT_STORE_UNAVAILABLE', 'GIT_COMMAND_FAILED', 'GIT_TIMEOUT', 'GIT_OUTPUT_TOO_LARGE'] as const;

export const listWorktrees = operation({
  id: 'ext.worktrees.list',
  tag,
  summary: 'Worktrees of a repository, or all that were made here',
  method: 'GET',
  path: '/ext/worktrees',
  query: worktreePlace,
  answer: json(z.object({ worktree: z.array(worktree) })),
  errors: [...REPOSITORY_ERRORS, 'WORKSPACE_NOT_AVAILABLE'],
  handle: async ({ query, services }) => ({ worktree: await services.worktrees.list(query) }),
});

export const worktreeStart = operation({
  id: 'ext.worktrees.bases',
  tag,
  summary: 'What a new worktree can start from',
  method: 'GET',
  path: '/ext/worktrees/bases',
  query: worktreeSource,
  answer: json(worktreeBases),
  errors: [...REPOSITORY_ERRORS, 'WORKSPACE_NOT_AVAILABLE'],
  handle: ({ query, services }) => services.worktrees.bases(query),
});

export const createWorktree = operation({
  id: 'ext.worktrees.create',
  tag,
  summary: 'Make a worktree with a new branch, with one that exists, or from a pull request',
  method: 'POST',
  path: '/ext/worktrees',
  body: newWorktree,
  answer: json(z.object({ worktree }), 201),
  errors: [
    ...REPOSITORY_ERRORS,
    'WORKSPACE_NOT_AVAILABLE',
    'GIT_COMMIT_UNKNOWN',
    'GIT_BRANCH_INVALID',
    'GIT_BRANCH_EXISTS',
    'GIT_BRANCH_NOT_FOUND',
    'GIT_BRANCH_CURRENT',
    'GIT_CONFLICTS',
    'GIT_PATH_INVALID',
    'GIT_NO_REMOTE',
  ],
  handle: async ({ body, services }) => ({ worktree: await services.worktrees.create(body) }),
});

export const readWorktree = operation({
  id: 'ext.worktrees.read',
  tag,
  summary: 'One worktree',
  method: 'GET',
  path: '/ext/worktrees/{worktreeId}',
  params,
  answer,
  errors: ALWAYS_ERRORS,
  handle: async ({ params: { worktreeId }, services }) => ({ worktree: await services.worktrees.read(worktreeId) }),
});

export const removeWorktree = operation({
  id: 'ext.worktrees.remove',
  makesRoom: true,
  tag,
  summary: 'Remove a worktree; its branch stays unless asked',
  method: 'DELETE',
  path: '/ext/worktrees/{worktreeId}',
  params,
  query: renamed(z.strictObject({ forza: flag, eliminaRamo: flag }), { forza: 'force', eliminaRamo: 'deleteBranch' }),
  answer: json(ok),
  errors: [...ALWAYS_ERRORS, 'GIT_WORKTREE_DIRTY', 'GIT_BRANCH_NOT_MERGED', 'SESSION_STILL_RUNNING'],
  handle: async ({ params: { worktreeId }, query, services }) => {
    await services.worktrees.remove(worktreeId, {
      isForced: query.force === 'true',
      deletesBranch: query.deleteBranch === 'true',
    });
    return { ok: true as const };
  },
});

export const mergeWorktree = operation({
  id: 'ext.worktrees.merge',
  tag,
  summary: 'Merge a worktree into the branch of the folder it was made from',
  method: 'POST',
  path: '/ext/worktrees/{worktreeId}/merge',
  params,
  body: worktreeMergeRequest,
  answer: json(mergedWorktree),
  errors: [...REPOSITORY_ERRORS, 'GIT_WORKTREE_DIRTY', 'GIT_CONFLICTS', 'GIT_COMMIT_UNKNOWN', 'SESSION_STILL_RUNNING'],
  handle: ({ params: { worktreeId }, body, services }) => services.worktrees.merge(worktreeId, body),
});

export const takeWorktreeFiles = operation({
  id: 'ext.worktrees.take-files',
  tag,
  summary: 'Give the source folder some files as they are in a worktree',
  method: 'POST',
  path: '/ext/worktrees/{worktreeId}/files',
  params,
  body: renamed(z.strictObject({ percorsi: paths }), { percorsi: 'paths' }),
  answer: json(z.object({ percorsi: z.array(z.string()) })),
  errors: [
    ...REPOSITORY_ERRORS,
    'GIT_PATHS_REQUIRED',
    'GIT_PATH_INVALID',
    'GIT_PATH_UNCHANGED',
    'GIT_WORKTREE_DIRTY',
    'GIT_CONFLICTS',
    'GIT_COMMIT_UNKNOWN',
  ],
  handle: async ({ params: { worktreeId }, body, services }) => ({
    percorsi: await services.worktrees.takeFiles(worktreeId, body.paths),
  }),
});
