import * as z from 'zod';
import { json } from '../../http/answers.ts';
import type { Guard } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import { ok } from '../../wire/common.ts';
import {
  networkModes,
  networkSetting,
  networkToolPlace,
  networkToolSetting,
  networkTools,
  newRule,
  sandboxPlace,
  sandboxRefusal,
  sandboxRule,
  sandboxTest,
  sandboxView,
} from '../../wire/sandbox.ts';

const tag = 'Extensions';
/** Only the window, or a program with the token, may allow commands more. */
const guards: readonly Guard[] = ['token', 'from-window:ORIGIN_FORBIDDEN'];

export const sandboxState = operation({
  id: 'ext.sandbox.state',
  tag,
  summary: 'What limits commands here, the network setting, and whether the server has a token',
  method: 'GET',
  path: '/ext/sandbox',
  query: sandboxPlace,
  answer: json(z.object({ sandbox: sandboxView })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  handle: async ({ query, services, language }) => ({
    sandbox: { view: await services.sandbox.view(query), language },
  }),
});

export const sandboxRules = operation({
  id: 'ext.sandbox.rules',
  tag,
  summary: 'Rules of all projects, or those that apply to one',
  method: 'GET',
  path: '/ext/sandbox/rules',
  query: sandboxPlace,
  answer: json(z.object({ regole: z.array(sandboxRule) })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  handle: async ({ query, services }) => ({ regole: [...(await services.sandbox.rules(query))] }),
});

export const addSandboxRule = operation({
  id: 'ext.sandbox.rules-add',
  tag,
  summary: 'Add a rule for one project or for all projects',
  method: 'POST',
  path: '/ext/sandbox/rules',
  body: newRule,
  answer: json(z.object({ regola: sandboxRule }), 201),
  errors: ['PERMISSIONS_INVALID', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ body, services }) => ({ regola: await services.sandbox.addRule(body) }),
});

export const removeSandboxRule = operation({
  id: 'ext.sandbox.rules-remove',
  tag,
  summary: 'Remove a rule',
  method: 'DELETE',
  path: '/ext/sandbox/rules/{ruleId}',
  params: z.strictObject({ ruleId: z.string() }),
  answer: json(ok),
  guards,
  handle: async ({ params, services }) => {
    await services.sandbox.removeRule(params.ruleId);
    return { ok: true as const };
  },
});

export const setSandboxNetwork = operation({
  id: 'ext.sandbox.network',
  tag,
  summary: 'Set the network of commands for one session, one project or all projects',
  method: 'POST',
  path: '/ext/sandbox/network',
  body: networkSetting,
  answer: json(z.object({ rete: networkModes })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ body, services }) => ({ rete: await services.sandbox.setNetwork(body) }),
});

export const sandboxTools = operation({
  id: 'ext.sandbox.tools',
  tag,
  summary: 'Which tools of the network are denied for a session, a project or everywhere',
  method: 'GET',
  path: '/ext/sandbox/tools',
  query: networkToolPlace,
  answer: json(z.object({ tools: networkTools })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  handle: async ({ query, services }) => ({ tools: await services.sandbox.networkTools(query) }),
});

export const denySandboxTool = operation({
  id: 'ext.sandbox.tools-deny',
  tag,
  summary: 'Deny page reading, web search or the browser, or stop denying it',
  method: 'POST',
  path: '/ext/sandbox/tools',
  body: networkToolSetting,
  answer: json(z.object({ tools: networkTools })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ body, services }) => ({ tools: await services.sandbox.denyTool(body) }),
});

export const sandboxRefusals = operation({
  id: 'ext.sandbox.refusals',
  tag,
  summary: 'What the sandbox kept commands from since the server started, newest first',
  method: 'GET',
  path: '/ext/sandbox/refusals',
  answer: json(z.object({ rifiuti: z.array(sandboxRefusal) })),
  handle: async ({ services }) => ({ rifiuti: [...(await services.sandbox.refusals())] }),
});

export const testSandbox = operation({
  id: 'ext.sandbox.test',
  tag,
  summary: 'Try in real commands what the sandbox must block',
  method: 'POST',
  path: '/ext/sandbox/test',
  answer: json(z.object({ prova: sandboxTest })),
  guards,
  handle: async ({ services }) => ({ prova: await services.sandbox.test() }),
});
