import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { browsedFolder, folderPortrait } from '../../wire/folder.ts';

const tag = 'Files and folders';

export const listProjects = operation({
  id: 'projects.list',
  tag,
  summary: 'Project folders, by id and name',
  method: 'GET',
  path: '/projects',
  answer: json(z.object({ items: z.array(renamed(z.object({ id: z.string(), nome: z.string() }), { nome: 'name' })) })),
  handle: async ({ services }) => ({ items: await services.files.projects.list() }),
});

export const browse = operation({
  id: 'workspace.browse',
  tag,
  summary: 'Browse the folders of this computer',
  method: 'GET',
  path: '/workspace-browser',
  query: z.strictObject({ path: z.string().optional() }),
  answer: json(browsedFolder),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  handle: ({ query, services }) => services.files.workspace.browse(query.path),
});

export const createFolder = operation({
  id: 'workspace.create-folder',
  tag,
  summary: 'Create a folder',
  method: 'POST',
  path: '/workspace-browser/folders',
  body: z.strictObject({ parentPath: z.string().min(1), name: z.string().min(1) }),
  answer: json(z.object({ name: z.string(), path: z.string() })),
  errors: ['WORKSPACE_NOT_AVAILABLE', 'WORKSPACE_ALREADY_EXISTS'],
  handle: ({ body, services }) => services.files.workspace.createFolder(body.parentPath, body.name),
});

export const frequentFolders = operation({
  id: 'workspace.frequent',
  tag,
  summary: 'Frequently used folders, at most six',
  method: 'GET',
  path: '/frequent-dirs',
  answer: json(
    z.object({
      items: z.array(
        renamed(z.object({ etichetta: z.string(), percorso: z.string() }), { etichetta: 'label', percorso: 'path' }),
      ),
    }),
  ),
  handle: async ({ services }) => ({ items: await services.files.workspace.frequent() }),
});

export const portrait = operation({
  id: 'workspace.portrait',
  tag,
  summary: 'Summary of a folder',
  method: 'GET',
  path: '/workspace-info',
  query: z.strictObject({ path: z.string().min(1).max(4_096) }),
  answer: json(folderPortrait),
  handle: ({ query, services }) => services.files.workspace.portrait(query.path),
});
