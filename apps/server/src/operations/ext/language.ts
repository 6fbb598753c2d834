import * as z from 'zod';
import { json } from '../../http/answers.ts';
import type { Guard } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { sessionParams } from '../../wire/common.ts';
import { extensionPlace as place } from '../../wire/extension-place.ts';
import {
  diagnosedFile,
  diagnostic,
  languageServer,
  languageServerParams,
  mappedSymbol,
  problemCount,
} from '../../wire/language.ts';

const tag = 'Extensions';
/** They start programs: only the window, or a program with the token. */
const guards: readonly Guard[] = ['token', 'from-window:ORIGIN_FORBIDDEN'];
const onServer = {
  tag,
  method: 'POST',
  params: languageServerParams,
  body: place,
  answer: json(z.object({ server: languageServer })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  guards,
} as const;

export const listLanguageServers = operation({
  id: 'ext.language.servers',
  tag,
  summary: 'Language servers found for a project, with their state',
  method: 'GET',
  path: '/ext/language-servers',
  query: place,
  answer: json(z.object({ server: z.array(languageServer), errore: z.string().nullable() })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  handle: async ({ query, services }) => {
    const { servers, problem } = await services.language.servers(query);
    return { server: [...servers], errore: problem };
  },
});

export const trustLanguageServer = operation({
  ...onServer,
  id: 'ext.language.trust',
  summary: 'Trust a language server of the project as it is now, and start it',
  path: '/ext/language-servers/{serverId}/trust',
  handle: async ({ params, body, services }) => ({
    server: await services.language.trust({ ...body, id: params.serverId }),
  }),
});

export const restartLanguageServer = operation({
  ...onServer,
  id: 'ext.language.restart',
  summary: 'Start a language server anew',
  path: '/ext/language-servers/{serverId}/start',
  handle: async ({ params, body, services }) => ({
    server: await services.language.restart({ ...body, id: params.serverId }),
  }),
});

export const countProblems = operation({
  id: 'ext.language.counts',
  tag,
  summary: 'Files of the session with known errors or warnings',
  method: 'GET',
  path: '/ext/sessions/{sessionId}/diagnostics',
  params: sessionParams,
  answer: json(z.object({ file: z.array(problemCount) })),
  handle: async ({ params, services }) => ({ file: await services.language.counts(params.sessionId) }),
});

export const findSymbols = operation({
  id: 'ext.language.symbols',
  tag,
  summary: 'Declarations in the session folder by a part of their name, best first',
  method: 'GET',
  path: '/ext/sessions/{sessionId}/symbols',
  params: sessionParams,
  query: renamed(z.strictObject({ cerca: z.string().trim().min(2).max(200) }), { cerca: 'query' }),
  answer: json(renamed(z.object({ simboli: z.array(mappedSymbol) }), { simboli: 'symbols' })),
  handle: async ({ params, query, services, signal }) => ({
    symbols: [...(await services.language.symbols(params.sessionId, query.query, signal))],
  }),
});

export const diagnoseFile = operation({
  id: 'ext.language.diagnostics',
  tag,
  summary: 'Diagnostics of one file, as it is on disk or with unsaved text',
  method: 'POST',
  path: '/ext/sessions/{sessionId}/diagnostics/file',
  params: sessionParams,
  body: diagnosedFile,
  answer: json(z.object({ problemi: z.array(diagnostic).nullable() })),
  handle: async ({ params, body, services }) => {
    const found = await services.language.diagnostics(params.sessionId, body);
    return { problemi: found && [...found] };
  },
});
