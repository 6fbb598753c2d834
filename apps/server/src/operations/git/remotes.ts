import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { ok, sessionParams } from '../../wire/common.ts';
import { REPOSITORY_ERRORS, remote, syncState } from '../../wire/git.ts';
import { fetched, pulled, pushed } from '../../wire/git-changes.ts';

const common = { tag: 'Git and GitHub', params: sessionParams } as const;
const chosen = z.strictObject({ remoto: z.string().max(4_096).optional() });

export const gitRemotes = operation({
  ...common,
  id: 'git.remotes',
  summary: 'Remotes and their addresses',
  method: 'GET',
  path: '/sessions/{sessionId}/git/remotes',
  answer: json(z.object({ remoti: z.array(remote) })),
  errors: REPOSITORY_ERRORS,
  handle: async ({ params, services }) => ({ remoti: await services.sessionGit.remotes.list(params.sessionId) }),
});

export const gitSync = operation({
  ...common,
  id: 'git.sync',
  summary: 'How far the branch is ahead and behind',
  method: 'GET',
  path: '/sessions/{sessionId}/git/sync',
  answer: json(syncState),
  errors: REPOSITORY_ERRORS,
  handle: ({ params, services }) => services.sessionGit.remotes.sync(params.sessionId),
});

export const gitFetch = operation({
  ...common,
  id: 'git.fetch',
  summary: 'Fetch from one remote or from all',
  method: 'POST',
  path: '/sessions/{sessionId}/git/fetch',
  body: chosen,
  answer: json(fetched),
  errors: [...REPOSITORY_ERRORS, 'GIT_NO_REMOTE', 'GIT_REMOTE_UNKNOWN', 'GIT_FETCH_RUNNING', 'GIT_ABORTED'],
  handle: ({ params, body, services }) => services.sessionGit.remotes.fetch(params.sessionId, body.remoto),
});

export const gitFetchStop = operation({
  ...common,
  id: 'git.fetch-stop',
  summary: 'Cancel the running fetch',
  method: 'POST',
  path: '/sessions/{sessionId}/git/fetch-stop',
  answer: json(ok.extend({ fermato: z.boolean() })),
  errors: REPOSITORY_ERRORS,
  handle: async ({ params, services }) => ({
    ok: true as const,
    fermato: await services.sessionGit.remotes.stopFetch(params.sessionId),
  }),
});

export const gitPull = operation({
  ...common,
  id: 'git.pull',
  summary: 'Pull from the upstream branch',
  method: 'POST',
  path: '/sessions/{sessionId}/git/pull',
  answer: json(pulled),
  errors: [
    ...REPOSITORY_ERRORS,
    'GIT_CONFLICTS',
    'GIT_DETACHED',
    'GIT_NO_UPSTREAM',
    'GIT_UPSTREAM_GONE',
    'GIT_WORKTREE_DIRTY',
    'GIT_PULL_FAILED',
  ],
  handle: ({ params, services }) => services.sessionGit.remotes.pull(params.sessionId),
});

export const gitPush = operation({
  ...common,
  id: 'git.push',
  summary: 'Push or publish the branch; never forces',
  method: 'POST',
  path: '/sessions/{sessionId}/git/push',
  body: chosen,
  answer: json(pushed),
  errors: [
    ...REPOSITORY_ERRORS,
    'GIT_DETACHED',
    'GIT_NOTHING_TO_COMMIT',
    'GIT_NO_REMOTE',
    'GIT_REMOTE_MISMATCH',
    'GIT_REMOTE_REQUIRED',
    'GIT_REMOTE_UNKNOWN',
    'GIT_BEHIND',
    'GIT_PUSH_REJECTED',
  ],
  handle: ({ params, body, services }) => services.sessionGit.remotes.push(params.sessionId, body.remoto),
});
