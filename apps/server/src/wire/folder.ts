import type { BrowsedFolder, FilePreview, FolderPortrait, Launch, NameSearch, TreeEntry } from '@fucina/host';
import { accepted, parseFileName, parseRelativePath } from '@fucina/shared';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { iso } from './common.ts';

const taking = (parse: (text: string) => string) => (text: string) => accepted(parse, text) !== undefined;
const path = z.string().max(1_024);

/** Paths within a folder, and names: a malformed one is rejected before the folder is looked up. */
export const entryPath = path.min(1).refine(taking(parseRelativePath));
export const folderPath = path.refine(taking((text) => parseRelativePath(text, { allowRoot: true })));
export const entryName = path.refine(taking(parseFileName));

export const treeEntry = renamed(z.object({ nome: z.string(), cartella: z.boolean() }), {
  nome: 'name',
  cartella: 'isFolder',
} satisfies Record<string, keyof TreeEntry>);

export const filePreview = renamed(
  z.object({ percorso: z.string(), contenuto: z.string(), dimensione: z.number().int() }).meta({ id: 'FilePreview' }),
  { percorso: 'path', contenuto: 'text', dimensione: 'sizeBytes' } satisfies Record<string, keyof FilePreview>,
);

export const browsedFolder = z
  .object({
    root: z.string(),
    path: z.string(),
    parent: z.string().nullable(),
    items: z.array(z.object({ name: z.string(), path: z.string(), projectId: z.string().nullable() })),
    recommended: z.array(
      z.object({
        label: z.string(),
        path: z.string(),
        kind: z.enum(['project', 'recent', 'known']),
        projectId: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'BrowsedFolder' }) satisfies z.ZodType<BrowsedFolder>;

const git = z.object({
  ramo: z.string().nullable(),
  cartellaEradiceRepo: z.boolean(),
  nonSalvate: z.number().int(),
  repoAnnidati: z.array(z.string()),
});

export const folderPortrait = encoded(
  z
    .object({
      percorso: z.string(),
      leggibile: z.boolean(),
      radice: z.boolean().optional(),
      file: z.number().int().optional(),
      cartelle: z.number().int().optional(),
      oltreIlTetto: z.boolean().optional(),
      tetto: z.number().int().optional(),
      git: git.nullable().optional(),
      istruzioni: z.array(z.string()).optional(),
    })
    .meta({ id: 'FolderPortrait' }),
  (folder: FolderPortrait) => {
    if (!folder.isReadable) return { percorso: folder.path, leggibile: false };
    return {
      percorso: folder.path,
      leggibile: true,
      radice: folder.isWide,
      file: folder.fileCount,
      cartelle: folder.folderCount,
      oltreIlTetto: folder.isOverCeiling,
      tetto: folder.ceiling,
      git: folder.git && {
        ramo: folder.git.branch,
        cartellaEradiceRepo: folder.git.isRepositoryRoot,
        nonSalvate: folder.git.unsavedCount,
        repoAnnidati: folder.git.nestedRepositories,
      },
      istruzioni: folder.instructions,
    };
  },
);

const CUTS = { results: 'risultati', entries: 'voci', depth: 'profondita', time: 'tempo' } as const;

export const nameSearch = encoded(
  z
    .object({
      risultati: z.array(z.object({ percorso: z.string(), nome: z.string(), cartella: z.boolean() })),
      troncato: z.boolean(),
      motivo: z.enum(['risultati', 'voci', 'profondita', 'tempo']).nullable(),
      saltate: z.array(z.string()),
      visitate: z.number().int(),
    })
    .meta({ id: 'NameSearch' }),
  ({ hits, cutBy, skipped, visited }: NameSearch) => ({
    risultati: hits.map(({ path, name, isFolder }) => ({ percorso: path, nome: name, cartella: isFolder })),
    troncato: cutBy !== null,
    motivo: cutBy && CUTS[cutBy],
    saltate: skipped,
    visitate: visited,
  }),
);

export const launch = encoded(
  z
    .object({ launchId: z.string(), id: z.string(), nome: z.string(), scadeAlle: z.string() })
    .meta({ id: 'WorkspaceLaunch' }),
  ({ launchId, name, expiresAt }: Launch) => ({ launchId, id: launchId, nome: name, scadeAlle: iso(expiresAt) }),
);
