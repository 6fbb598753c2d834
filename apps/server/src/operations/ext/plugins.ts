import { json } from '../../http/answers.ts';
import type { Guard } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import { ok } from '../../wire/common.ts';
import {
  configuredPlugin,
  configuredPlugins,
  newPlugin,
  pluginFolder,
  pluginParams,
  shownPlugin,
} from '../../wire/configured-plugin.ts';
import { extensionPlace, extensionSwitch, extensionTarget } from '../../wire/extension-place.ts';

const tag = 'Extensions';
/** Plugins run code: only the window, or a program with the token. */
const guards: readonly Guard[] = ['token', 'from-window:ORIGIN_FORBIDDEN'];

export const listConfiguredPlugins = operation({
  id: 'ext.plugins.list',
  tag,
  summary: 'Plugins of the user and of a project, and which are trusted',
  method: 'GET',
  path: '/ext/plugins',
  query: extensionPlace,
  answer: json(configuredPlugins),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  handle: async ({ query, services, language }) => ({
    list: await services.configuredExtensions.plugins(query),
    language,
  }),
});

export const readPluginFolder = operation({
  id: 'ext.plugins.preview',
  tag,
  summary: 'What the plugin of a folder would run',
  method: 'POST',
  path: '/ext/plugins/preview',
  body: pluginFolder,
  answer: json(shownPlugin),
  errors: ['PLUGIN_INVALID'],
  guards,
  handle: async ({ body, services, language }) => ({
    row: await services.configuredExtensions.previewPlugin(body.source),
    language,
  }),
});

export const addPlugin = operation({
  id: 'ext.plugins.add',
  tag,
  summary: 'Copy the plugin of a folder, as it was shown, for one project or for all projects',
  method: 'POST',
  path: '/ext/plugins',
  body: newPlugin,
  answer: json(configuredPlugin, 201),
  errors: ['PLUGIN_INVALID', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ body: { source, hash, ...place }, services, language }) => ({
    row: await services.configuredExtensions.addPlugin(place, { path: source, hash }),
    language,
  }),
});

export const removePlugin = operation({
  id: 'ext.plugins.remove',
  tag,
  summary: 'Remove a plugin that the user added',
  method: 'DELETE',
  path: '/ext/plugins/{pluginId}',
  params: pluginParams,
  query: extensionTarget,
  answer: json(ok),
  errors: ['PLUGIN_INVALID', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, query, services }) => {
    await services.configuredExtensions.removePlugin({ ...query, id: params.pluginId });
    return { ok: true as const };
  },
});

export const turnPlugin = operation({
  id: 'ext.plugins.turn',
  tag,
  summary: 'Turn a plugin on or off',
  method: 'POST',
  path: '/ext/plugins/{pluginId}/choices',
  params: pluginParams,
  body: extensionSwitch,
  answer: json(configuredPlugin),
  errors: ['PLUGIN_INVALID', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, body: { isOn, ...place }, services, language }) => ({
    row: await services.configuredExtensions.turnPlugin({ ...place, id: params.pluginId }, isOn),
    language,
  }),
});

export const trustConfiguredPlugin = operation({
  id: 'ext.plugins.trust',
  tag,
  summary: 'Trust the current version of a plugin',
  method: 'POST',
  path: '/ext/plugins/{pluginId}/trust',
  params: pluginParams,
  body: extensionTarget,
  answer: json(configuredPlugin),
  errors: ['PLUGIN_INVALID', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, body, services, language }) => ({
    row: await services.configuredExtensions.trustPlugin({ ...body, id: params.pluginId }),
    language,
  }),
});
