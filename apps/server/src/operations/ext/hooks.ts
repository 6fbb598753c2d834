import * as z from 'zod';
import { json } from '../../http/answers.ts';
import type { Guard } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import { ok } from '../../wire/common.ts';
import { configuredHook, configuredHooks, hookChange, hookParams, newHook } from '../../wire/configured-extension.ts';
import { extensionPlace, extensionSwitch, extensionTarget } from '../../wire/extension-place.ts';

const tag = 'Extensions';
/** Hooks run programs: only the window, or a program with the token. */
const guards: readonly Guard[] = ['token', 'from-window:ORIGIN_FORBIDDEN'];
const hook = z.object({ hook: configuredHook });

export const listConfiguredHooks = operation({
  id: 'ext.hooks.list',
  tag,
  summary: 'Hooks of the user and of a project, and whether they run',
  method: 'GET',
  path: '/ext/hooks',
  query: extensionPlace,
  answer: json(configuredHooks),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  handle: ({ query, services }) => services.configuredExtensions.hooks(query),
});

export const addHook = operation({
  id: 'ext.hooks.add',
  tag,
  summary: 'Add a hook for one project or for all projects',
  method: 'POST',
  path: '/ext/hooks',
  body: newHook,
  answer: json(hook, 201),
  errors: ['HOOK_INVALID', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ body: { definition, ...target }, services }) => ({
    hook: await services.configuredExtensions.addHook(target, definition),
  }),
});

export const changeHook = operation({
  id: 'ext.hooks.change',
  tag,
  summary: 'Replace the definition of a hook that the user added',
  method: 'PATCH',
  path: '/ext/hooks/{hookId}',
  params: hookParams,
  body: hookChange,
  answer: json(hook),
  errors: ['HOOK_INVALID', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, body: { definition, ...place }, services }) => ({
    hook: await services.configuredExtensions.changeHook({ ...place, id: params.hookId }, definition),
  }),
});

export const removeHook = operation({
  id: 'ext.hooks.remove',
  tag,
  summary: 'Remove a hook that the user added',
  method: 'DELETE',
  path: '/ext/hooks/{hookId}',
  params: hookParams,
  query: extensionTarget,
  answer: json(ok),
  errors: ['HOOK_INVALID', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, query, services }) => {
    await services.configuredExtensions.removeHook({ ...query, id: params.hookId });
    return { ok: true as const };
  },
});

export const turnHook = operation({
  id: 'ext.hooks.turn',
  tag,
  summary: 'Turn a hook on or off',
  method: 'POST',
  path: '/ext/hooks/{hookId}/choices',
  params: hookParams,
  body: extensionSwitch,
  answer: json(hook),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, body: { isOn, ...place }, services }) => ({
    hook: await services.configuredExtensions.turnHook({ ...place, id: params.hookId }, isOn),
  }),
});

export const trustConfiguredHook = operation({
  id: 'ext.hooks.trust',
  tag,
  summary: 'Trust the current version of a hook in a project',
  method: 'POST',
  path: '/ext/hooks/{hookId}/trust',
  params: hookParams,
  body: extensionTarget,
  answer: json(hook),
  errors: ['HOOK_INVALID', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, body, services }) => ({
    hook: await services.configuredExtensions.trustHook({ ...body, id: params.hookId }),
  }),
});
