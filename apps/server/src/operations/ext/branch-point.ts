import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { sessionParams } from '../../wire/common.ts';
import { branchPoint, branchPointDiff, gitPath, hash, REPOSITORY_ERRORS } from '../../wire/git.ts';

const common = { tag: 'Extensions', method: 'GET', params: sessionParams } as const;

export const readBranchPoint = operation({
  ...common,
  id: 'ext.branch-point.read',
  summary: 'Files that changed since the branch point, with uncommitted changes',
  path: '/ext/sessions/{sessionId}/branch-point',
  query: z.strictObject({ base: z.string().max(4_096).optional() }),
  answer: json(branchPoint),
  errors: [...REPOSITORY_ERRORS, 'GIT_BRANCH_NOT_FOUND', 'GIT_COMMIT_UNKNOWN'],
  handle: ({ params, query, services }) => services.sessionGit.reading.branchPoint(params.sessionId, query.base),
});

export const readBranchPointDiff = operation({
  ...common,
  id: 'ext.branch-point.diff',
  summary: 'One file, from a commit to the work tree',
  path: '/ext/sessions/{sessionId}/branch-point/diff',
  query: renamed(z.strictObject({ da: hash, percorso: gitPath, prima: gitPath.optional() }), {
    da: 'from',
    percorso: 'path',
    prima: 'previous',
  }),
  answer: json(branchPointDiff),
  errors: [...REPOSITORY_ERRORS, 'GIT_COMMIT_INVALID', 'GIT_COMMIT_UNKNOWN', 'GIT_PATH_INVALID'],
  handle: ({ params, query, services }) => services.sessionGit.reading.branchPointDiff(params.sessionId, query),
});
