import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { instant, ok, sessionParams } from '../../wire/common.ts';
import { REPOSITORY_ERRORS, repositoryState } from '../../wire/git.ts';

const common = { tag: 'Extensions' } as const;
const discard = renamed(z.object({ id: z.string(), alle: instant, percorsi: z.array(z.string()) }), {
  alle: 'at',
  percorsi: 'paths',
});

export const listDiscards = operation({
  ...common,
  id: 'ext.discards.list',
  summary: 'Discards that can be undone, newest first',
  method: 'GET',
  path: '/ext/sessions/{sessionId}/discards',
  params: sessionParams,
  answer: json(renamed(z.object({ scarti: z.array(discard) }), { scarti: 'discards' })),
  errors: REPOSITORY_ERRORS,
  handle: async ({ params, services }) => ({
    discards: await services.sessionGit.staging.discards(params.sessionId),
  }),
});

export const undoDiscard = operation({
  ...common,
  id: 'ext.discards.undo',
  summary: 'Restore what a discard removed, except files that changed since',
  method: 'POST',
  path: '/ext/sessions/{sessionId}/discards/{discardId}/undo',
  params: sessionParams.extend({ discardId: z.string() }),
  answer: json(
    renamed(ok.extend({ ripristinati: z.array(z.string()), lasciati: z.array(z.string()), stato: repositoryState }), {
      ripristinati: 'restored',
      lasciati: 'skipped',
      stato: 'state',
    }),
  ),
  errors: REPOSITORY_ERRORS,
  handle: async ({ params, services }) => ({
    ok: true as const,
    ...(await services.sessionGit.staging.undoDiscard(params.sessionId, params.discardId)),
  }),
});
