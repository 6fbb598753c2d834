import * as z from 'zod';
import { bytes, json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { sessionParams } from '../../wire/common.ts';
import { fileBytes, partHeaders, requestedPart } from '../../wire/file-bytes.ts';
import { entryPath, filePreview, folderPath, nameSearch, treeEntry } from '../../wire/folder.ts';

const tag = 'Files and folders';
const level = z.strictObject({ percorso: folderPath.optional() });

export const projectTree = operation({
  id: 'projects.tree',
  tag,
  summary: "One level of a project's folder",
  method: 'GET',
  path: '/projects/{projectId}/tree',
  params: z.strictObject({ projectId: z.string().min(1).max(200) }),
  query: level,
  answer: json(z.object({ voci: z.array(treeEntry) })),
  errors: ['WORKSPACE_NOT_AVAILABLE', 'FILE_NOT_FOUND'],
  handle: async ({ params, query, services }) => ({
    voci: await services.files.projects.tree(params.projectId, query.percorso ?? ''),
  }),
});

export const sessionTree = operation({
  id: 'sessions.tree',
  tag,
  summary: 'One level of the session folder',
  method: 'GET',
  path: '/sessions/{sessionId}/tree',
  params: sessionParams,
  query: level,
  answer: json(z.object({ voci: z.array(treeEntry) })),
  errors: ['FILE_NOT_FOUND'],
  handle: async ({ params, query, services }) => ({
    voci: await services.sessionFiles.list(params.sessionId, query.percorso ?? ''),
  }),
});

export const sessionFile = operation({
  id: 'sessions.file',
  tag,
  summary: 'Open a text file for display',
  method: 'GET',
  path: '/sessions/{sessionId}/tree/file',
  params: sessionParams,
  query: z.strictObject({ percorso: entryPath }),
  answer: json(filePreview),
  errors: ['FILE_NOT_FOUND', 'FILE_TOO_LARGE'],
  handle: ({ params, query, services }) => services.sessionFiles.preview(params.sessionId, query.percorso),
});

export const downloadFile = operation({
  id: 'sessions.download',
  tag,
  summary: 'Download a file of the session folder',
  method: 'GET',
  path: '/sessions/{sessionId}/file',
  params: sessionParams,
  query: z.strictObject({ percorso: entryPath }),
  requestHeaders: partHeaders,
  answer: bytes('application/octet-stream'),
  errors: ['FILE_NOT_FOUND', 'FILE_TOO_LARGE'],
  handle: async ({ params, query, asked, services }) =>
    fileBytes(await services.sessionFiles.download(params.sessionId, query.percorso, requestedPart(asked))),
});

export const previewPdf = operation({
  id: 'sessions.pdf',
  tag,
  summary: 'A PDF of the session folder, for display',
  method: 'GET',
  path: '/sessions/{sessionId}/file/anteprima',
  params: sessionParams,
  query: z.strictObject({ percorso: entryPath }),
  requestHeaders: partHeaders,
  answer: bytes('application/pdf'),
  headers: { 'Content-Security-Policy': "sandbox; frame-ancestors 'self'" },
  errors: ['FILE_NOT_FOUND', 'FILE_TOO_LARGE'],
  handle: async ({ params, query, asked, services }) => {
    const file = await services.sessionFiles.pdf(params.sessionId, query.percorso, requestedPart(asked));
    const { name: _shown, ...shown } = fileBytes(file);
    return shown;
  },
});

export const searchTree = operation({
  id: 'tree.search',
  tag,
  summary: 'Search the session folder by name',
  method: 'GET',
  path: '/sessions/{sessionId}/tree/search',
  params: sessionParams,
  query: z.strictObject({ q: z.string().trim().min(1).max(256) }),
  refusals: { q: (text) => (isLong(text) ? 'PAYLOAD_LIMIT' : 'QUERY_INVALID') },
  answer: json(nameSearch),
  errors: ['PAYLOAD_LIMIT'],
  handle: ({ params, query, services }) => services.sessionFiles.search(params.sessionId, query.q),
});

const isLong = (text: unknown): boolean => typeof text === 'string' && text.trim().length > 256;
