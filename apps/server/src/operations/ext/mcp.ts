import * as z from 'zod';
import { json } from '../../http/answers.ts';
import type { Guard } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import { ok } from '../../wire/common.ts';
import { extensionPlace, extensionTarget } from '../../wire/extension-place.ts';
import {
  mcpCandidate,
  mcpChoice,
  mcpImport,
  mcpImportFile,
  mcpLogLine,
  mcpServer,
  mcpServerChange,
  mcpServerList,
  mcpServerParams,
  mcpText,
  mcpTrust,
  newMcpServer,
} from '../../wire/mcp-server.ts';
import { mcpSuggestion, mcpTyped } from '../../wire/mcp-suggestion.ts';

const tag = 'Extensions';
/** They start programs: only the window, or a program with the token. */
const guards: readonly Guard[] = ['token', 'from-window:ORIGIN_FORBIDDEN'];
const oneServer = json(z.object({ server: mcpServer }));

export const listMcpServers = operation({
  id: 'ext.mcp.list',
  tag,
  summary: 'MCP servers of the user and of a project, with their state and tools',
  method: 'GET',
  path: '/ext/mcp',
  query: extensionPlace,
  answer: json(mcpServerList),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  handle: ({ query, services }) => services.mcp.list(query),
});

export const addMcpServer = operation({
  id: 'ext.mcp.add',
  tag,
  summary: 'Add an MCP server for one project or for all projects',
  method: 'POST',
  path: '/ext/mcp',
  body: newMcpServer,
  answer: json(z.object({ server: mcpServer }), 201),
  errors: ['MCP_INVALID', 'PROVIDER_STORE_UNAVAILABLE', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ body, services }) => ({ server: await services.mcp.add({ secrets: {}, ...body }) }),
});

export const changeMcpServer = operation({
  id: 'ext.mcp.change',
  tag,
  summary: 'Replace the definition of an MCP server that the user added',
  method: 'PATCH',
  path: '/ext/mcp/{serverId}',
  params: mcpServerParams,
  body: mcpServerChange,
  answer: oneServer,
  errors: ['MCP_INVALID', 'PROVIDER_STORE_UNAVAILABLE', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, body, services }) => ({
    server: await services.mcp.change({ secrets: {}, ...body, id: params.serverId }),
  }),
});

export const removeMcpServer = operation({
  id: 'ext.mcp.remove',
  tag,
  summary: 'Remove an MCP server that the user added, with its secrets',
  method: 'DELETE',
  path: '/ext/mcp/{serverId}',
  params: mcpServerParams,
  query: extensionTarget,
  answer: json(ok),
  errors: ['MCP_INVALID', 'PROVIDER_STORE_UNAVAILABLE', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, query, services }) => {
    await services.mcp.remove({ ...query, id: params.serverId });
    return { ok: true as const };
  },
});

export const chooseMcpTools = operation({
  id: 'ext.mcp.choose',
  tag,
  summary: 'Turn an MCP server, or some of its tools, on or off',
  method: 'POST',
  path: '/ext/mcp/{serverId}/choices',
  params: mcpServerParams,
  body: mcpChoice,
  answer: oneServer,
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, body: { isOn, offTools, ...place }, services }) => ({
    server: await services.mcp.choose({ ...place, id: params.serverId }, { isOn, offTools }),
  }),
});

export const trustMcpServer = operation({
  id: 'ext.mcp.trust',
  tag,
  summary: 'Trust the current version of an MCP server in a project',
  method: 'POST',
  path: '/ext/mcp/{serverId}/trust',
  params: mcpServerParams,
  body: mcpTrust,
  answer: oneServer,
  errors: ['MCP_INVALID', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, body: { calls, ...target }, services }) => ({
    server: await services.mcp.trust({ ...target, id: params.serverId }, calls),
  }),
});

export const connectMcpServer = operation({
  id: 'ext.mcp.connect',
  tag,
  summary: 'Start an MCP server anew and list its tools; a failure is in its state',
  method: 'POST',
  path: '/ext/mcp/{serverId}/start',
  params: mcpServerParams,
  body: extensionTarget,
  answer: oneServer,
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, body, services }) => ({
    server: await services.mcp.connect({ ...body, id: params.serverId }),
  }),
});

export const readMcpLog = operation({
  id: 'ext.mcp.log',
  tag,
  summary: 'What an MCP server did and wrote since the server started, oldest first',
  method: 'GET',
  path: '/ext/mcp/{serverId}/log',
  params: mcpServerParams,
  query: extensionTarget,
  answer: json(z.object({ righe: z.array(mcpLogLine) })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  handle: async ({ params, query, services }) => ({
    righe: [...(await services.mcp.log({ ...query, id: params.serverId }))],
  }),
});

export const listMcpImports = operation({
  id: 'ext.mcp.import-files',
  tag,
  summary: 'MCP servers in the configurations of other programs on this computer',
  method: 'GET',
  path: '/ext/mcp/imports',
  query: extensionPlace,
  answer: json(z.object({ file: z.array(mcpImportFile) })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  handle: async ({ query, services }) => ({ file: [...(await services.mcp.importFiles(query))] }),
});

export const readMcpText = operation({
  id: 'ext.mcp.import-read',
  tag,
  summary: 'MCP servers in a pasted configuration',
  method: 'POST',
  path: '/ext/mcp/imports/preview',
  body: mcpText,
  answer: json(z.object({ server: z.array(mcpCandidate) })),
  errors: ['MCP_INVALID'],
  handle: async ({ body, services }) => ({ server: [...(await services.mcp.readText(body.text))] }),
});

export const importMcpServers = operation({
  id: 'ext.mcp.import',
  tag,
  summary: 'Add chosen MCP servers of a configuration as they were shown, all or none',
  method: 'POST',
  path: '/ext/mcp/imports',
  body: mcpImport,
  answer: json(z.object({ aggiunti: z.array(z.string()) }), 201),
  errors: ['MCP_INVALID', 'PROVIDER_STORE_UNAVAILABLE', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ body, services }) => ({ aggiunti: [...(await services.mcp.runImport(body))] }),
});

export const suggestMcp = operation({
  id: 'ext.mcp.suggest',
  tag,
  summary: 'Ways to continue the name of a resource or the arguments of a prompt',
  method: 'POST',
  path: '/ext/mcp/suggestions',
  body: mcpTyped,
  answer: json(z.object({ suggerimenti: z.array(mcpSuggestion) })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ body: { typed, ...place }, services }) => ({
    suggerimenti: [...(await services.mcp.suggest(place, typed))],
  }),
});
