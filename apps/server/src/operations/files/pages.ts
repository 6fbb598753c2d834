import * as z from 'zod';
import { bytes, json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { sessionParams } from '../../wire/common.ts';
import { partHeaders, requestedPart } from '../../wire/file-bytes.ts';
import { entryPath } from '../../wire/folder.ts';
import { guestPage } from '../../wire/guest-page.ts';
import { pageAddress, pageFile } from '../../wire/page.ts';

const tag = 'Files and folders';

export const openPage = operation({
  id: 'pages.open',
  tag,
  summary: 'Create a short-lived pass for a page of the session folder',
  method: 'POST',
  path: '/sessions/{sessionId}/pagine',
  params: sessionParams,
  guards: ['token', 'from-window:PAGE_ORIGIN_FORBIDDEN'],
  body: renamed(
    z
      .strictObject({
        percorso: entryPath.optional(),
        voceId: z.string().min(1).max(200).optional(),
      })
      .refine(({ percorso, voceId }) => (percorso === undefined) !== (voceId === undefined), 'exactly one of the two'),
    { percorso: 'path', voceId: 'itemId' },
  ),
  answer: json(pageAddress),
  errors: ['PAGE_ORIGIN_FORBIDDEN', 'FILE_NOT_FOUND', 'LIBRARY_NOT_FOUND'],
  handle: ({ params, body, services }) => services.sessionFiles.openPage(params.sessionId, body),
});

export const readPage = operation({
  id: 'pages.read',
  tag,
  summary: 'A page of the session folder and its assets',
  method: 'GET',
  path: '/pagine/{pageId}/{path*}',
  params: z.strictObject({ pageId: z.string(), path: z.string() }),
  query: z.looseObject({}),
  guards: ['page-pass'],
  requestHeaders: partHeaders,
  answer: bytes('application/octet-stream'),
  errors: ['FILE_NOT_FOUND', 'FILE_TOO_LARGE'],
  handle: async ({ params, asked, services, origin }) =>
    pageFile(await services.sessionFiles.readPage(params.pageId, params.path, requestedPart(asked)), {
      pass: params.pageId,
      origin,
    }),
});

export const guestReader = operation({
  id: 'pages.guest',
  tag,
  summary: 'The sandboxed page that renders documents and presentations',
  method: 'GET',
  path: '/lettore/ospite',
  answer: bytes('text/html; charset=utf-8'),
  handle: ({ nonce }) => guestPage(nonce()),
});
