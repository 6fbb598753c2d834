import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { ok, sessionParams } from '../../wire/common.ts';
import { paths, REPOSITORY_ERRORS } from '../../wire/git.ts';
import { gitHookRuns, gitPrograms, hookChoice } from '../../wire/git-programs.ts';

const common = {
  tag: 'Extensions',
  params: sessionParams,
  answer: json(gitPrograms),
  errors: REPOSITORY_ERRORS,
} as const;

export const readGitPrograms = operation({
  ...common,
  id: 'ext.git.programs.read',
  summary: 'Programs that the repository brings along, and what is left out while they are not trusted',
  method: 'GET',
  path: '/ext/sessions/{sessionId}/git/programs',
  handle: ({ params, services }) => services.sessionGit.programs.read(params.sessionId),
});

export const trustGitFilter = operation({
  ...common,
  id: 'ext.git.programs.trust-filter',
  summary: 'Trust the commands of a filter that the repository defines',
  method: 'POST',
  path: '/ext/sessions/{sessionId}/git/programs/filters',
  body: z.strictObject({ name: z.string().max(1000), fingerprint: z.string().length(64) }),
  guards: ['token', 'from-window:ORIGIN_FORBIDDEN'],
  handle: ({ params, body, services }) => services.sessionGit.programs.trustFilter(params.sessionId, body),
});

export const chooseGitHook = operation({
  ...common,
  id: 'ext.git.programs.choose-hook',
  summary: 'Trust the content of a hook, in the sandbox or outside, or decide about its next run',
  method: 'POST',
  path: '/ext/sessions/{sessionId}/git/programs/hooks',
  body: hookChoice,
  guards: ['token', 'from-window:ORIGIN_FORBIDDEN'],
  handle: ({ params, body, services }) => services.sessionGit.programs.chooseHook(params.sessionId, body),
});

export const readGitHookRuns = operation({
  ...common,
  id: 'ext.git.hooks.runs',
  summary: 'Hooks of the current or last operation that ran some, with their output',
  method: 'GET',
  path: '/ext/sessions/{sessionId}/git/hooks/runs',
  answer: json(gitHookRuns),
  handle: async ({ params, services }) => ({
    hookRuns: await services.sessionGit.programs.hookRuns(params.sessionId),
  }),
});

export const stopGitHook = operation({
  ...common,
  id: 'ext.git.hooks.stop',
  summary: 'Stop the running hook, and the operation that waits for it',
  method: 'POST',
  path: '/ext/sessions/{sessionId}/git/hooks/stop',
  answer: json(z.object({ wasRunning: z.boolean() })),
  handle: async ({ params, services }) => ({
    wasRunning: await services.sessionGit.programs.stopHook(params.sessionId),
  }),
});

export const stageWithMarkers = operation({
  tag: 'Extensions',
  id: 'ext.git.stage-with-markers',
  summary: 'Stage paths, also files in conflict whose text has conflict markers',
  method: 'POST',
  path: '/ext/sessions/{sessionId}/git/stage-with-markers',
  params: sessionParams,
  body: z.strictObject({ paths }),
  answer: json(ok),
  errors: [...REPOSITORY_ERRORS, 'GIT_PATHS_REQUIRED', 'GIT_PATH_INVALID'],
  handle: async ({ params, body, services }) => {
    await services.sessionGit.staging.stageWithMarkers(params.sessionId, body.paths);
    return { ok: true as const };
  },
});
