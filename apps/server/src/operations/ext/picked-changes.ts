import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { ok } from '../../wire/common.ts';
import { REPOSITORY_ERRORS } from '../../wire/git.ts';
import { pickedChanges, pickRequest, worktreeSource } from '../../wire/worktree.ts';

const tag = 'Extensions';

export const pickChanges = operation({
  id: 'ext.worktrees.pick',
  tag,
  summary: 'Merge chosen files and hunks of sessions into the files of a folder',
  method: 'POST',
  path: '/ext/worktrees/picks',
  body: pickRequest,
  answer: json(pickedChanges),
  errors: [
    ...REPOSITORY_ERRORS,
    'WORKSPACE_NOT_AVAILABLE',
    'GIT_PATHS_REQUIRED',
    'GIT_PATH_INVALID',
    'GIT_PATH_UNCHANGED',
    'GIT_DIFF_CHANGED',
    'GIT_HUNK_INVALID',
    'GIT_HUNK_UNSUPPORTED',
    'GIT_COMMIT_INVALID',
    'GIT_COMMIT_UNKNOWN',
    'GIT_CONFLICTS',
    'GIT_WORKTREE_DIRTY',
  ],
  handle: ({ body: { choices, isRehearsal = false, ...target }, services }) =>
    services.worktrees.pick(target, choices, { isRehearsal }),
});

export const undoPick = operation({
  id: 'ext.worktrees.undo-pick',
  tag,
  summary: 'Restore what merging chosen changes replaced, except files that changed since',
  method: 'POST',
  path: '/ext/worktrees/picks/{pickId}/undo',
  params: z.strictObject({ pickId: z.string().regex(/^\d{8}$/) }),
  body: worktreeSource,
  answer: json(
    renamed(ok.extend({ ripristinati: z.array(z.string()), lasciati: z.array(z.string()) }), {
      ripristinati: 'restored',
      lasciati: 'skipped',
    }),
  ),
  errors: [...REPOSITORY_ERRORS, 'WORKSPACE_NOT_AVAILABLE'],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.worktrees.undoPick(body, params.pickId)),
  }),
});
