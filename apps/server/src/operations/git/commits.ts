import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { sessionParams } from '../../wire/common.ts';
import { area, hash, paths, REPOSITORY_ERRORS } from '../../wire/git.ts';
import { committed, committedPaths, createdRepository, undoneCommit } from '../../wire/git-changes.ts';

const common = { tag: 'Git and GitHub', method: 'POST', params: sessionParams } as const;
/** The service checks its limit. */
const messaggio = z.string();
const impronta = z.string().max(200);

export const gitCommit = operation({
  ...common,
  id: 'git.commit',
  summary: 'Commit paths as they are on disk',
  path: '/sessions/{sessionId}/git/commit',
  body: renamed(z.strictObject({ percorsi: paths, messaggio }), { percorsi: 'paths', messaggio: 'message' }),
  refusals: { percorsi: 'GIT_PATHS_REQUIRED', messaggio: 'GIT_MESSAGE_REQUIRED' },
  answer: json(committedPaths),
  errors: [
    ...REPOSITORY_ERRORS,
    'GIT_PATHS_REQUIRED',
    'GIT_MESSAGE_REQUIRED',
    'GIT_NOTHING_TO_COMMIT',
    'GIT_WORKTREE_DIFFERS',
    'GIT_PATH_INVALID',
    'GIT_CONFLICTS',
  ],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessionGit.commits.paths(params.sessionId, body.paths, body.message)),
  }),
});

export const gitCommitStaged = operation({
  ...common,
  id: 'git.commit-staged',
  summary: 'Commit what is staged',
  path: '/sessions/{sessionId}/git/commit-staged',
  body: renamed(z.strictObject({ messaggio, impronta }), { messaggio: 'message', impronta: 'fingerprint' }),
  refusals: { messaggio: 'GIT_MESSAGE_REQUIRED' },
  answer: json(committed),
  errors: [
    ...REPOSITORY_ERRORS,
    'GIT_MESSAGE_REQUIRED',
    'GIT_STAGED_CHANGED',
    'GIT_NOTHING_STAGED',
    'GIT_STAGED_OUTSIDE',
    'GIT_CONFLICTS',
  ],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessionGit.commits.staged(params.sessionId, body.message, body.fingerprint)),
  }),
});

export const gitAmend = operation({
  ...common,
  id: 'git.amend',
  summary: 'Amend the last commit',
  path: '/sessions/{sessionId}/git/amend',
  body: renamed(z.strictObject({ messaggio, impronta, commit: hash }), {
    messaggio: 'message',
    impronta: 'fingerprint',
  }),
  refusals: { messaggio: 'GIT_MESSAGE_REQUIRED' },
  answer: json(committed),
  errors: [
    ...REPOSITORY_ERRORS,
    'GIT_MESSAGE_REQUIRED',
    'GIT_HEAD_CHANGED',
    'GIT_COMMIT_PUSHED',
    'GIT_STAGED_CHANGED',
    'GIT_STAGED_OUTSIDE',
    'GIT_CONFLICTS',
  ],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessionGit.commits.amend(params.sessionId, body)),
  }),
});

export const gitUndoCommit = operation({
  ...common,
  id: 'git.undo-commit',
  summary: 'Undo the last commit, keeping its changes staged',
  path: '/sessions/{sessionId}/git/undo-commit',
  body: z.strictObject({ commit: hash }),
  answer: json(undoneCommit),
  errors: [
    ...REPOSITORY_ERRORS,
    'GIT_HEAD_CHANGED',
    'GIT_COMMIT_PUSHED',
    'GIT_MERGE_COMMIT',
    'GIT_COMMIT_OUTSIDE',
    'GIT_CONFLICTS',
  ],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessionGit.commits.undo(params.sessionId, body.commit)),
  }),
});

export const gitInit = operation({
  ...common,
  id: 'git.init',
  summary: 'Create a repository in the session folder',
  path: '/sessions/{sessionId}/git/init',
  body: z.strictObject({ conferma: z.boolean().optional() }),
  answer: json(createdRepository),
  errors: [
    'GIT_STORE_UNAVAILABLE',
    'GIT_COMMAND_FAILED',
    'GIT_TIMEOUT',
    'GIT_OUTPUT_TOO_LARGE',
    'GIT_ALREADY_A_REPOSITORY',
    'GIT_INIT_NEEDS_CONFIRM',
  ],
  handle: async ({ params, body, services }) => ({
    ok: true as const,
    ...(await services.sessionGit.commits.init(params.sessionId, body.conferma === true)),
  }),
});

export const gitCommitMessage = operation({
  ...common,
  id: 'git.commit-message',
  summary: "Generate a commit message with the session's model",
  path: '/sessions/{sessionId}/git/commit-message',
  body: z.strictObject({ bozza: z.string().max(4_096).optional(), lingua: z.string().max(20).optional() }),
  answer: json(
    renamed(
      z.object({
        messaggio: z.string(),
        area,
        troncato: z.boolean(),
        modello: z.string(),
      }),
      { messaggio: 'message', troncato: 'isCut', modello: 'model' },
    ),
  ),
  errors: [
    ...REPOSITORY_ERRORS,
    'GIT_NOTHING_TO_COMMIT',
    'MODEL_CALL_FAILED',
    'SESSION_MODEL_UNKNOWN',
    'RUNTIME_NOT_AVAILABLE',
    'PROVIDER_KEY_REQUIRED',
  ],
  handle: ({ params, body, services, signal }) =>
    services.sessionGit.suggestMessage(params.sessionId, {
      draft: body.bozza,
      language: body.lingua === 'en' ? 'en' : 'it',
      signal,
    }),
});
