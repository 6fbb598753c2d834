import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { ok, sessionParams } from '../../wire/common.ts';
import { branch, REPOSITORY_ERRORS } from '../../wire/git.ts';
import { switched } from '../../wire/git-changes.ts';

const common = { tag: 'Git and GitHub', params: sessionParams } as const;
const name = z.string().max(4_096);
const rami = z.array(branch);

export const gitBranches = operation({
  ...common,
  id: 'git.branches',
  summary: 'Local branches',
  method: 'GET',
  path: '/sessions/{sessionId}/git/branches',
  answer: json(z.object({ rami })),
  errors: REPOSITORY_ERRORS,
  handle: async ({ params, services }) => ({ rami: await services.sessionGit.branches.list(params.sessionId) }),
});

export const gitSwitch = operation({
  ...common,
  id: 'git.switch',
  summary: 'Switch branch',
  method: 'POST',
  path: '/sessions/{sessionId}/git/switch',
  body: z.strictObject({ ramo: name }),
  answer: json(switched),
  errors: [...REPOSITORY_ERRORS, 'GIT_BRANCH_INVALID', 'GIT_BRANCH_NOT_FOUND', 'GIT_SWITCH_BLOCKED'],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessionGit.branches.switch(params.sessionId, body.ramo)),
  }),
});

export const gitBranchCreate = operation({
  ...common,
  id: 'git.branch-create',
  summary: 'Create a branch and switch to it',
  method: 'POST',
  path: '/sessions/{sessionId}/git/branch-create',
  body: z.strictObject({ ramo: name }),
  answer: json(switched),
  errors: [...REPOSITORY_ERRORS, 'GIT_BRANCH_INVALID', 'GIT_BRANCH_EXISTS'],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessionGit.branches.create(params.sessionId, body.ramo)),
  }),
});

export const gitBranchRename = operation({
  ...common,
  id: 'git.branch-rename',
  summary: 'Rename a branch',
  method: 'POST',
  path: '/sessions/{sessionId}/git/branch-rename',
  body: z.strictObject({ da: name, a: name }),
  answer: json(ok.extend({ rami })),
  errors: [...REPOSITORY_ERRORS, 'GIT_BRANCH_INVALID', 'GIT_BRANCH_NOT_FOUND', 'GIT_BRANCH_EXISTS'],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    rami: await services.sessionGit.branches.rename(params.sessionId, body.da, body.a),
  }),
});

export const gitBranchDelete = operation({
  ...common,
  id: 'git.branch-delete',
  summary: 'Delete a branch',
  method: 'POST',
  path: '/sessions/{sessionId}/git/branch-delete',
  body: z.strictObject({ ramo: name, forza: z.boolean().optional() }),
  answer: json(ok.extend({ rami })),
  errors: [
    ...REPOSITORY_ERRORS,
    'GIT_BRANCH_INVALID',
    'GIT_BRANCH_NOT_FOUND',
    'GIT_BRANCH_CURRENT',
    'GIT_BRANCH_NOT_MERGED',
  ],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    rami: await services.sessionGit.branches.delete(params.sessionId, body.ramo, body.forza === true),
  }),
});
