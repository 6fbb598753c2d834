import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { ok, sessionId, sessionParams } from '../../wire/common.ts';
import { terminal, terminalId, wslView } from '../../wire/terminal.ts';

const common = { tag: 'Terminals' } as const;

export const listTerminals = operation({
  ...common,
  id: 'terminals.list',
  summary: 'Terminals of a session',
  method: 'GET',
  path: '/sessions/{sessionId}/terminals',
  params: sessionParams,
  answer: json(z.object({ items: z.array(terminal) })),
  errors: ['TERMINAL_STORE_UNAVAILABLE'],
  handle: async ({ params, services }) => ({ items: await services.sessionTerminals.list(params.sessionId) }),
});

export const openTerminal = operation({
  ...common,
  id: 'terminals.open',
  summary: 'Open a terminal; its bytes pass through a WebSocket',
  method: 'POST',
  path: '/sessions/{sessionId}/terminals',
  params: sessionParams,
  answer: json(terminal),
  errors: ['TERMINAL_LIMIT_REACHED', 'TERMINAL_STORE_UNAVAILABLE'],
  handle: ({ params, services }) => services.sessionTerminals.open(params.sessionId),
});

export const closeTerminal = operation({
  ...common,
  id: 'terminals.close',
  summary: 'Close a terminal and end its shell',
  method: 'POST',
  path: '/sessions/{sessionId}/terminals/{terminalId}/close',
  params: z.strictObject({ sessionId, terminalId }),
  answer: json(ok.extend({ terminalId: z.string(), sessionId: z.string() })),
  errors: ['TERMINAL_STORE_UNAVAILABLE'],
  handle: async ({ params, services }) => {
    await services.sessionTerminals.close(params.sessionId, params.terminalId);
    return { ok: true as const, ...params };
  },
});

export const readWsl = operation({
  ...common,
  id: 'wsl.read',
  summary: 'WSL status and user setting',
  method: 'GET',
  path: '/wsl',
  answer: json(wslView),
  errors: ['WSL_STORE_UNAVAILABLE'],
  handle: ({ services }) => services.wsl.read(),
});

export const chooseWsl = operation({
  ...common,
  id: 'wsl.choose',
  summary: 'Choose whether commands run as the normal WSL user',
  method: 'POST',
  path: '/wsl',
  body: renamed(z.strictObject({ usaUtenteNormale: z.boolean() }), { usaUtenteNormale: 'usesNormalUser' }),
  answer: json(wslView),
  errors: ['WSL_STORE_UNAVAILABLE'],
  handle: ({ body, services }) => services.wsl.choose(body.usesNormalUser),
});
