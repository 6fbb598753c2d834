import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { ok, sessionParams } from '../../wire/common.ts';
import { hash, REPOSITORY_ERRORS, repositoryState, stash } from '../../wire/git.ts';

const common = { tag: 'Git and GitHub', params: sessionParams } as const;
const accantonati = z.array(stash);
const stashed = renamed(ok.extend({ accantonati, stato: repositoryState }), {
  accantonati: 'stashes',
  stato: 'state',
});
const choice = renamed(z.strictObject({ indice: z.int().min(0), commit: hash }), { indice: 'index' });

export const gitStashes = operation({
  ...common,
  id: 'git.stashes',
  summary: 'List stashes',
  method: 'GET',
  path: '/sessions/{sessionId}/git/stashes',
  answer: json(z.object({ accantonati })),
  errors: REPOSITORY_ERRORS,
  handle: async ({ params, services }) => ({ accantonati: await services.sessionGit.stashes.list(params.sessionId) }),
});

export const gitStash = operation({
  ...common,
  id: 'git.stash',
  summary: "Stash the session folder's changes",
  method: 'POST',
  path: '/sessions/{sessionId}/git/stash',
  body: renamed(z.strictObject({ messaggio: z.string().optional(), conNuovi: z.boolean().optional() }), {
    messaggio: 'message',
    conNuovi: 'hasNew',
  }),
  answer: json(stashed),
  errors: [...REPOSITORY_ERRORS, 'GIT_NOTHING_TO_STASH', 'GIT_CONFLICTS'],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessionGit.stashes.push(params.sessionId, { ...body, hasNew: body.hasNew === true })),
  }),
});

export const gitStashPop = operation({
  ...common,
  id: 'git.stash-pop',
  summary: 'Pop a stash',
  method: 'POST',
  path: '/sessions/{sessionId}/git/stash-pop',
  body: choice,
  answer: json(stashed),
  errors: [...REPOSITORY_ERRORS, 'GIT_STASH_CHANGED', 'GIT_STASH_OUTSIDE', 'GIT_STASH_CONFLICT'],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessionGit.stashes.pop(params.sessionId, body)),
  }),
});

export const gitStashDrop = operation({
  ...common,
  id: 'git.stash-drop',
  summary: 'Drop a stash',
  method: 'POST',
  path: '/sessions/{sessionId}/git/stash-drop',
  body: choice,
  answer: json(ok.extend({ accantonati })),
  errors: [...REPOSITORY_ERRORS, 'GIT_STASH_CHANGED'],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    accantonati: await services.sessionGit.stashes.drop(params.sessionId, body),
  }),
});
