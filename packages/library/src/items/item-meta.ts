import * as z from 'zod';

/** The content of an item's `meta.json`, with its field names on disk. */
const meta = z.object({
  id: z.string(),
  nome: z.string().min(1),
  mediaType: z.string().min(1),
  origine: z.enum(['generated', 'uploaded']).optional(),
  creatoIl: z.iso.datetime(),
  aggiornatoIl: z.iso.datetime(),
  modello: z.string().nullish(),
  provider: z.string().nullish(),
  /** Its original path in the project. */
  percorso: z.string().nullish(),
  /** The tool that created it. */
  creatoDa: z.string().nullish(),
  sessione: z.string().nullish(),
  /** Name of the content file in the same folder, without a path. */
  file: z.string().regex(/^[\w-]+(\.[\w-]+)?$/),
  /** Hash of the content; absent in items of older versions, which are not verified. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

export type ItemMeta = z.output<typeof meta>;

export interface Item {
  /** `lib-<uuid>`, or an id given by another version of this application. */
  id: string;
  name: string;
  mediaType: string;
  fileType: 'image' | 'document';
  origin: 'generated' | 'uploaded';
  /** ms. */
  createdAt: number;
  updatedAt: number;
  model: string | null;
  provider: string | null;
  /** The folder of origin, relative to the project; null for the project's own. */
  folder: string | null;
  path: string | null;
  madeBy: string | null;
  sessionId: string | null;
}

/** Undefined when the text is not a valid item file. */
export function readMeta(text: string, id: string): ItemMeta | undefined {
  try {
    const { success, data } = meta.safeParse(JSON.parse(text));
    return success && data.id === id ? data : undefined;
  } catch {
    return undefined; // not JSON
  }
}

export function itemOf(meta: ItemMeta): Item {
  const path = meta.percorso ?? null;
  const at = path?.lastIndexOf('/') ?? -1;
  return {
    id: meta.id,
    name: meta.nome,
    mediaType: meta.mediaType,
    fileType: meta.mediaType.startsWith('image/') ? 'image' : 'document',
    origin: meta.origine ?? 'uploaded',
    createdAt: Date.parse(meta.creatoIl),
    updatedAt: Date.parse(meta.aggiornatoIl),
    model: meta.modello ?? null,
    provider: meta.provider ?? null,
    folder: path !== null && at > 0 ? path.slice(0, at) : null,
    path,
    madeBy: meta.creatoDa ?? null,
    sessionId: meta.sessione ?? null,
  };
}
