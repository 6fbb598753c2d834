import type { ErrorCode } from '@fucina/shared';
import { mcpSignedInWords } from '@fucina/shared/sentences';
import * as z from 'zod';
import { json, page } from '../../http/answers.ts';
import type { Guard } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import { extensionTarget } from '../../wire/extension-place.ts';
import { mcpServer, mcpServerParams, mcpSignIn, mcpSignInReturn } from '../../wire/mcp-server.ts';

const tag = 'Extensions';
const RETURN_PATH = '/ext/mcp/sign-in/callback';
const guards: readonly Guard[] = ['token', 'from-window:ORIGIN_FORBIDDEN'];
const FINISH_ERRORS: readonly ErrorCode[] = [
  'OAUTH_ATTESA_IGNOTA',
  'OAUTH_CODICE_MANCANTE',
  'OAUTH_SCAMBIO_RIFIUTATO',
  'OAUTH_RETE',
  'OAUTH_RISPOSTA_INATTESA',
  'OAUTH_CUSTODIA_FALLITA',
];

export const startMcpSignIn = operation({
  id: 'ext.mcp.sign-in',
  tag,
  summary: 'Start the sign-in at an MCP server; returns the address to open',
  method: 'POST',
  path: '/ext/mcp/{serverId}/sign-in',
  params: mcpServerParams,
  body: extensionTarget,
  answer: json(mcpSignIn),
  errors: ['MCP_INVALID', 'OAUTH_NON_CONFIGURATO', 'OAUTH_RETE', 'OAUTH_RISPOSTA_INATTESA', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: ({ params, body, services, returnOrigin }) =>
    services.mcp.signIn({ ...body, id: params.serverId }, `${returnOrigin}/api/v1${RETURN_PATH}`),
});

export const signOutMcp = operation({
  id: 'ext.mcp.sign-out',
  tag,
  summary: 'Forget the sign-in at an MCP server',
  method: 'DELETE',
  path: '/ext/mcp/{serverId}/sign-in',
  params: mcpServerParams,
  query: extensionTarget,
  answer: json(z.object({ server: mcpServer })),
  errors: ['PROVIDER_STORE_UNAVAILABLE', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, query, services }) => ({
    server: await services.mcp.signOut({ ...query, id: params.serverId }),
  }),
});

export const returnFromMcpSignIn = operation({
  id: 'ext.mcp.sign-in-return',
  tag,
  summary: 'Sign-in callback for the browser',
  method: 'GET',
  path: RETURN_PATH,
  query: mcpSignInReturn,
  answer: page(),
  errors: FINISH_ERRORS,
  guards: ['sign-in-state'],
  async handle({ query, services, language }) {
    await services.mcp.finishSignIn(query);
    return { ...mcpSignedInWords(language), language };
  },
});
