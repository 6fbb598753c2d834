import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { mapped, renamed } from '../../http/renamed.ts';
import { sessionParams } from '../../wire/common.ts';
import { entryName, entryPath, folderPath } from '../../wire/folder.ts';

const tag = 'Files and folders';
const moved = z.object({ nuovoPercorso: z.string() });

export const createEntry = operation({
  id: 'tree.create',
  tag,
  summary: 'Create a file or a folder',
  method: 'POST',
  path: '/sessions/{sessionId}/tree/create',
  params: sessionParams,
  body: renamed(
    z.strictObject({ percorsoBase: folderPath, nome: entryName, tipo: mapped({ file: 'file', cartella: 'folder' }) }),
    { percorsoBase: 'parent', nome: 'name', tipo: 'kind' },
  ),
  answer: json(z.object({ percorso: z.string() })),
  errors: ['FILE_NOT_FOUND', 'FILE_EXISTS', 'WORKSPACE_ALREADY_EXISTS'],
  handle: async ({ params, body, services }) => ({
    percorso: await services.sessionFiles.create(params.sessionId, body),
  }),
});

export const renameEntry = operation({
  id: 'tree.rename',
  tag,
  summary: 'Rename a file or a folder',
  method: 'POST',
  path: '/sessions/{sessionId}/tree/rename',
  params: sessionParams,
  body: renamed(z.strictObject({ percorso: entryPath, nuovoNome: entryName }), { percorso: 'path', nuovoNome: 'name' }),
  answer: json(moved),
  errors: ['FILE_NOT_FOUND', 'FILE_EXISTS'],
  handle: async ({ params, body, services }) => ({
    nuovoPercorso: await services.sessionFiles.rename(params.sessionId, body),
  }),
});

export const moveEntry = operation({
  id: 'tree.move',
  tag,
  summary: 'Move a file or a folder',
  method: 'POST',
  path: '/sessions/{sessionId}/tree/move',
  params: sessionParams,
  body: renamed(z.strictObject({ percorso: entryPath, cartellaDestinazione: folderPath }), {
    percorso: 'path',
    cartellaDestinazione: 'target',
  }),
  answer: json(moved),
  errors: ['FILE_NOT_FOUND', 'FILE_EXISTS'],
  handle: async ({ params, body, services }) => ({
    nuovoPercorso: await services.sessionFiles.move(params.sessionId, body),
  }),
});

export const copyEntry = operation({
  id: 'tree.copy',
  tag,
  summary: 'Duplicate a file or a folder in place',
  method: 'POST',
  path: '/sessions/{sessionId}/tree/copy',
  params: sessionParams,
  body: z.strictObject({ percorso: entryPath }),
  answer: json(moved),
  errors: ['FILE_NOT_FOUND'],
  handle: async ({ params, body, services }) => ({
    nuovoPercorso: await services.sessionFiles.copy(params.sessionId, body.percorso),
  }),
});

export const deleteEntry = operation({
  id: 'tree.delete',
  makesRoom: true,
  tag,
  summary: 'Delete a file or a folder',
  method: 'POST',
  path: '/sessions/{sessionId}/tree/delete',
  params: sessionParams,
  body: z.strictObject({ percorso: entryPath }),
  // Beyond the interface: `cestino` is true when it is in the system's trash, from where it can be restored.
  answer: json(z.object({ eliminato: z.literal(true), cestino: z.boolean() })),
  errors: ['FILE_NOT_FOUND'],
  handle: async ({ params, body, services }) => {
    const { isInBin } = await services.sessionFiles.remove(params.sessionId, body.percorso);
    return { eliminato: true as const, cestino: isInBin };
  },
});

export const revealEntry = operation({
  id: 'tree.reveal',
  tag,
  summary: 'Show an entry in the file manager',
  method: 'POST',
  path: '/sessions/{sessionId}/tree/reveal',
  params: sessionParams,
  body: z.strictObject({ percorso: entryPath }),
  answer: json(z.object({ rivelato: z.literal(true) })),
  errors: ['FILE_NOT_FOUND', 'PLATFORM_UNSUPPORTED'],
  handle: async ({ params, body, services }) => {
    await services.sessionFiles.reveal(params.sessionId, body.percorso);
    return { rivelato: true as const };
  },
});

export const openFolder = operation({
  id: 'tree.open',
  tag,
  summary: 'Open a folder in the file manager',
  method: 'POST',
  path: '/sessions/{sessionId}/tree/open',
  params: sessionParams,
  body: z.strictObject({ percorso: folderPath }),
  answer: json(z.object({ aperto: z.literal(true) })),
  errors: ['FILE_NOT_FOUND', 'PLATFORM_UNSUPPORTED'],
  handle: async ({ params, body, services }) => {
    await services.sessionFiles.open(params.sessionId, body.percorso);
    return { aperto: true as const };
  },
});
