import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { ok } from '../../wire/common.ts';
import { worktreeSetup } from '../../wire/worktree.ts';

const tag = 'Extensions';
const params = z.strictObject({ worktreeId: z.string().min(1).max(200) });

export const readWorktreeSetup = operation({
  id: 'ext.worktrees.setup.read',
  tag,
  summary: 'The set-up script of a worktree, and its last run with the output so far',
  method: 'GET',
  path: '/ext/worktrees/{worktreeId}/setup',
  params,
  answer: json(worktreeSetup),
  errors: [],
  handle: ({ params: { worktreeId }, services }) => services.worktrees.setup.read(worktreeId),
});

export const startWorktreeSetup = operation({
  id: 'ext.worktrees.setup.start',
  tag,
  summary: 'Run the set-up script of a worktree in the sandbox',
  method: 'POST',
  path: '/ext/worktrees/{worktreeId}/setup',
  params,
  body: renamed(z.strictObject({ impronta: z.string().length(64).optional() }), { impronta: 'fingerprint' }),
  answer: json(worktreeSetup, 202),
  errors: [],
  guards: ['token', 'from-window:ORIGIN_FORBIDDEN'],
  handle: ({ params: { worktreeId }, body, services }) => services.worktrees.setup.start(worktreeId, body),
});

export const stopWorktreeSetup = operation({
  id: 'ext.worktrees.setup.stop',
  tag,
  summary: 'Stop the set-up script of a worktree',
  method: 'DELETE',
  path: '/ext/worktrees/{worktreeId}/setup',
  params,
  answer: json(ok),
  errors: [],
  handle: async ({ params: { worktreeId }, services }) => {
    await services.worktrees.setup.stop(worktreeId);
    return { ok: true as const };
  },
});
