import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { ok, sessionParams, text } from '../../wire/common.ts';
import { elicitationAnswer, forgedList, hookList, mcpList, pluginList, skillList } from '../../wire/extension.ts';

const tag = 'Tools and extensions';
const id = text.max(200);
const done = { ok: true as const };

export const listHooks = operation({
  id: 'extensions.hooks',
  tag,
  summary: 'The hooks of a project, and which are trusted',
  method: 'GET',
  path: '/sessions/{sessionId}/hooks',
  params: sessionParams,
  answer: json(hookList),
  handle: async ({ params, services, language }) => ({
    listed: await services.sessionExtensions.hooks(params.sessionId),
    language,
  }),
});

export const listMcp = operation({
  id: 'extensions.mcp',
  tag,
  summary: 'MCP servers of a project, and which are trusted',
  method: 'GET',
  path: '/sessions/{sessionId}/mcp',
  params: sessionParams,
  answer: json(mcpList),
  handle: async ({ params, services, language }) => ({
    listed: await services.sessionExtensions.mcp(params.sessionId),
    language,
  }),
});

export const listSkills = operation({
  id: 'extensions.skills',
  tag,
  summary: 'Skills of a project and of the user',
  method: 'GET',
  path: '/sessions/{sessionId}/skills',
  params: sessionParams,
  answer: json(skillList),
  handle: async ({ params, services, language }) => ({
    listed: await services.sessionExtensions.skills(params.sessionId),
    language,
  }),
});

export const listForged = operation({
  id: 'extensions.forged',
  tag,
  summary: 'Forged tools of the user',
  method: 'GET',
  path: '/sessions/{sessionId}/tool-forge',
  params: sessionParams,
  answer: json(forgedList),
  handle: async ({ params, services, language }) => ({
    listed: await services.sessionExtensions.forged(params.sessionId),
    language,
  }),
});

export const listPlugins = operation({
  id: 'extensions.plugins',
  tag,
  summary: 'Plugins of a project, their contents and trust warnings',
  method: 'GET',
  path: '/sessions/{sessionId}/plugins',
  params: sessionParams,
  answer: json(pluginList),
  handle: async ({ params, services, language }) => ({
    listed: await services.sessionExtensions.plugins(params.sessionId),
    language,
  }),
});

export const trustHook = operation({
  id: 'extensions.trust-hook',
  tag,
  summary: 'Trust the current version of a hook',
  method: 'POST',
  path: '/sessions/{sessionId}/hooks/{hookId}/trust',
  params: sessionParams.extend({ hookId: id }),
  answer: json(ok),
  errors: ['HOOK_INVALID'],
  async handle({ params: { sessionId, hookId }, services }) {
    await services.sessionExtensions.trustHook(sessionId, hookId);
    return done;
  },
});

export const trustMcp = operation({
  id: 'extensions.trust-mcp',
  tag,
  summary: 'Trust the current version of an MCP server',
  method: 'POST',
  path: '/sessions/{sessionId}/mcp/{serverId}/trust',
  params: sessionParams.extend({ serverId: id }),
  answer: json(ok),
  errors: ['MCP_INVALID'],
  async handle({ params: { sessionId, serverId }, services }) {
    await services.sessionExtensions.trustMcp(sessionId, serverId);
    return done;
  },
});

export const answerElicitation = operation({
  id: 'extensions.answer-elicitation',
  tag,
  summary: 'Answer a request of an MCP server to the user',
  method: 'POST',
  path: '/sessions/{sessionId}/mcp-elicitation',
  params: sessionParams,
  body: renamed(elicitationAnswer, { risposta: 'answer' }),
  refusals: { risposta: 'ELICITATION_ANSWER_INVALID' },
  answer: json(ok),
  errors: ['ELICITATION_NOT_PENDING', 'ELICITATION_ANSWER_INVALID'],
  async handle({ params: { sessionId }, body: { requestId, answer }, services }) {
    await services.sessionExtensions.answer(sessionId, requestId, answer);
    return done;
  },
});

export const trustPlugin = operation({
  id: 'extensions.trust-plugin',
  tag,
  summary: 'Trust the current version of a plugin',
  method: 'POST',
  path: '/sessions/{sessionId}/plugins/{pluginId}/trust',
  params: sessionParams.extend({ pluginId: id }),
  answer: json(ok),
  errors: ['PLUGIN_INVALID'],
  async handle({ params: { sessionId, pluginId }, services }) {
    await services.sessionExtensions.trustPlugin(sessionId, pluginId);
    return done;
  },
});

export const enableForged = operation({
  id: 'extensions.enable-forged',
  tag,
  summary: 'Turn a forged tool on or off',
  method: 'POST',
  path: '/sessions/{sessionId}/tool-forge/{toolId}/enable',
  params: sessionParams.extend({ toolId: id }),
  body: renamed(z.strictObject({ abilitato: z.boolean() }), { abilitato: 'isEnabled' }),
  answer: json(ok),
  async handle({ params: { sessionId, toolId }, body, services }) {
    await services.sessionExtensions.enableForged(sessionId, toolId, body.isEnabled);
    return done;
  },
});
