import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { branch, branchPoint, newBranch, restored, restorePreview, turnReference } from '../../wire/branch.ts';
import { sessionParams } from '../../wire/common.ts';

const tag = 'Extensions';

export const createBranch = operation({
  id: 'ext.branches.create',
  tag,
  summary: 'Branch a session: resend an edited message, or continue after a turn',
  method: 'POST',
  path: '/ext/sessions/{sessionId}/branches',
  params: sessionParams,
  body: newBranch,
  answer: json(branch, 201),
  errors: ['SESSION_NOT_READY', 'SESSION_STORE_HEADER_FAILED', 'SESSION_STORE_BUSY', 'SERVER_SHUTTING_DOWN'],
  handle: ({ params, body, services }) => services.sessions.branches.create(params.sessionId, body),
});

export const listBranches = operation({
  id: 'ext.branches.list',
  tag,
  summary: 'Turns of a session that have alternatives in other sessions',
  method: 'GET',
  path: '/ext/sessions/{sessionId}/branches',
  params: sessionParams,
  answer: json(z.object({ rami: z.array(branchPoint) })),
  handle: async ({ params, services }) => ({ rami: await services.sessions.branches.list(params.sessionId) }),
});

export const previewRestore = operation({
  id: 'ext.restore.preview',
  tag,
  summary: 'Files that a restore to before a turn would change',
  method: 'GET',
  path: '/ext/sessions/{sessionId}/restore',
  params: sessionParams,
  query: turnReference,
  answer: json(restorePreview),
  handle: ({ params, query, services }) => services.sessions.branches.preview(params.sessionId, query.reference),
});

export const restoreFiles = operation({
  id: 'ext.restore.run',
  tag,
  summary: 'Undo the file changes of a turn and of all turns after it',
  method: 'POST',
  path: '/ext/sessions/{sessionId}/restore',
  params: sessionParams,
  body: turnReference,
  answer: json(restored),
  errors: ['SESSION_NOT_READY', 'SESSION_STORE_BUSY', 'SERVER_SHUTTING_DOWN'],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessions.branches.restore(params.sessionId, body.reference)),
  }),
});
