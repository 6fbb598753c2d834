import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { mapped, renamed } from '../../http/renamed.ts';
import { ok, sessionParams } from '../../wire/common.ts';
import { area, gitPath, paths, REPOSITORY_ERRORS, repositoryState } from '../../wire/git.ts';

const common = { tag: 'Git and GitHub', method: 'POST', params: sessionParams } as const;
const named = renamed(z.strictObject({ percorsi: paths }), { percorsi: 'paths' });
const staged = renamed(ok.extend({ percorsi: z.array(z.string()), stato: repositoryState }), {
  percorsi: 'paths',
  stato: 'state',
});
const PATHS_ERRORS = [...REPOSITORY_ERRORS, 'GIT_PATHS_REQUIRED', 'GIT_PATH_INVALID'] as const;

export const gitStage = operation({
  ...common,
  id: 'git.stage',
  summary: 'Stage paths',
  path: '/sessions/{sessionId}/git/stage',
  body: named,
  refusals: { percorsi: 'GIT_PATHS_REQUIRED' },
  answer: json(staged),
  errors: PATHS_ERRORS,
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessionGit.staging.stage(params.sessionId, body.paths)),
  }),
});

export const gitUnstage = operation({
  ...common,
  id: 'git.unstage',
  summary: 'Unstage paths',
  path: '/sessions/{sessionId}/git/unstage',
  body: named,
  refusals: { percorsi: 'GIT_PATHS_REQUIRED' },
  answer: json(staged),
  errors: PATHS_ERRORS,
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessionGit.staging.unstage(params.sessionId, body.paths)),
  }),
});

export const gitDiscard = operation({
  ...common,
  id: 'git.discard',
  summary: 'Discard unstaged changes in paths',
  path: '/sessions/{sessionId}/git/discard',
  body: named,
  refusals: { percorsi: 'GIT_PATHS_REQUIRED' },
  answer: json(
    renamed(ok.extend({ riportati: z.array(z.string()), eliminati: z.array(z.string()), stato: repositoryState }), {
      riportati: 'restored',
      eliminati: 'removed',
      stato: 'state',
    }),
  ),
  errors: [...PATHS_ERRORS, 'GIT_NOTHING_TO_DISCARD', 'GIT_CONFLICTS', 'GIT_NESTED_REPO'],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessionGit.staging.discard(params.sessionId, body.paths)),
  }),
});

export const gitHunk = operation({
  ...common,
  id: 'git.hunk',
  summary: 'Stage, unstage or discard one hunk',
  path: '/sessions/{sessionId}/git/hunk',
  body: renamed(
    z.strictObject({
      percorso: gitPath,
      area,
      indice: z.int().min(0),
      impronta: z.string().max(200),
      azione: mapped({ prepara: 'stage', togli: 'unstage', annulla: 'discard' }),
    }),
    { percorso: 'path', indice: 'index', impronta: 'fingerprint', azione: 'action' },
  ),
  refusals: {
    percorso: 'GIT_HUNK_INVALID',
    area: 'GIT_HUNK_INVALID',
    indice: 'GIT_HUNK_INVALID',
    azione: 'GIT_HUNK_INVALID',
  },
  answer: json(renamed(ok.extend({ stato: repositoryState }), { stato: 'state' })),
  errors: [
    ...REPOSITORY_ERRORS,
    'GIT_HUNK_INVALID',
    'GIT_DIFF_CHANGED',
    'GIT_HUNK_UNSUPPORTED',
    'GIT_HUNK_FAILED',
    'GIT_CONFLICTS',
  ],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    state: await services.sessionGit.staging.hunk(params.sessionId, body),
  }),
});
