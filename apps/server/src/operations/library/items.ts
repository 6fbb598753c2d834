import * as z from 'zod';
import { bytes, json, nullableList } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { sessionId, sessionParams } from '../../wire/common.ts';
import { item } from '../../wire/item.ts';
import { listProblem, recordId, withProblem } from '../../wire/record-fields.ts';
import { tag } from './record-scope.ts';

const path = '/sessions/{sessionId}/library/{itemId}';
const params = z.strictObject({ sessionId, itemId: recordId });
const errors = ['LIBRARY_NOT_FOUND', 'LIBRARY_INVALID', 'LIBRARY_MALFORMED', 'LIBRARY_READ_FAILED'] as const;
const base = { tag, params, refusals: { itemId: 'LIBRARY_INVALID' } } as const;

export const listItems = operation({
  id: 'library.list',
  tag,
  summary: 'List the project library, last changed first',
  method: 'GET',
  path: '/sessions/{sessionId}/library',
  params: sessionParams,
  answer: nullableList('voci', item, listProblem),
  handle: async ({ params: { sessionId: asked }, services, language }) =>
    withProblem(await services.sessionLibrary.list(asked), language),
});

export const downloadItem = operation({
  ...base,
  id: 'library.download',
  summary: 'Download an item',
  method: 'GET',
  path: `${path}/file`,
  answer: bytes('application/octet-stream'),
  errors: [...errors, 'LIBRARY_TOO_LARGE'],
  async handle({ params: { sessionId: asked, itemId }, services }) {
    const { item, ...content } = await services.sessionLibrary.open(asked, itemId);
    return { ...content, name: item.name };
  },
});

export const previewItem = operation({
  ...base,
  id: 'library.preview',
  summary: 'Display an item inline',
  method: 'GET',
  path: `${path}/anteprima`,
  answer: bytes('application/octet-stream'),
  headers: { 'Content-Security-Policy': "default-src 'none'; sandbox; object-src 'none'; frame-ancestors 'self'" },
  errors,
  async handle({ params: { sessionId: asked, itemId }, services }) {
    const { item: _item, ...content } = await services.sessionLibrary.preview(asked, itemId);
    return content;
  },
});

export const revealItem = operation({
  ...base,
  id: 'library.reveal',
  summary: 'Show an item in the file manager',
  method: 'POST',
  path: `${path}/rivela`,
  answer: json(z.object({ rivelato: z.literal(true) })),
  errors: [...errors, 'PLATFORM_UNSUPPORTED'],
  async handle({ params: { sessionId: asked, itemId }, services }) {
    await services.sessionLibrary.reveal(asked, itemId);
    return { rivelato: true as const };
  },
});

export const openItem = operation({
  ...base,
  id: 'library.open',
  summary: 'Open an item with its default program',
  method: 'POST',
  path: `${path}/apri`,
  answer: json(z.object({ aperto: z.literal(true) })),
  errors: [...errors, 'PLATFORM_UNSUPPORTED'],
  async handle({ params: { sessionId: asked, itemId }, services }) {
    await services.sessionLibrary.show(asked, itemId);
    return { aperto: true as const };
  },
});

export const renameItem = operation({
  ...base,
  id: 'library.rename',
  summary: 'Rename an item',
  method: 'PATCH',
  path,
  body: renamed(z.strictObject({ nome: z.string().max(1_000) }), { nome: 'name' }),
  answer: json(z.object({ id: z.string(), nomePrima: z.string(), nomeDopo: z.string() })),
  errors: [...errors, 'LIBRARY_NAME_EMPTY'],
  async handle({ params: { sessionId: asked, itemId }, body, services }) {
    const { before, after } = await services.sessionLibrary.rename(asked, itemId, body.name);
    return { id: itemId, nomePrima: before, nomeDopo: after };
  },
});

export const deleteItem = operation({
  ...base,
  id: 'library.delete',
  makesRoom: true,
  summary: 'Delete an item',
  method: 'DELETE',
  path,
  answer: json(z.object({ eliminato: z.literal(true), id: z.string(), nome: z.string() })),
  errors,
  async handle({ params: { sessionId: asked, itemId }, services }) {
    const { id, name } = await services.sessionLibrary.remove(asked, itemId);
    return { eliminato: true as const, id, nome: name };
  },
});
