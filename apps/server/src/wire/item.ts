import type { Item } from '@fucina/host';
import * as z from 'zod';
import { encoded } from '../http/renamed.ts';
import { iso } from './common.ts';

const wireItem = z
  .object({
    id: z.string(),
    nome: z.string(),
    mediaType: z.string(),
    fileType: z.enum(['image', 'document']),
    origine: z.enum(['generated', 'uploaded']),
    creatoIl: z.string(),
    aggiornatoIl: z.string(),
    modello: z.string().nullable(),
    provider: z.string().nullable(),
    cartella: z.string().nullable(),
    percorso: z.string().nullable(),
    creatoDa: z.string().nullable(),
    sessione: z.string().nullable(),
  })
  .meta({ id: 'LibraryItem' });

export const item = encoded(wireItem, (item: Item) => ({
  id: item.id,
  nome: item.name,
  mediaType: item.mediaType,
  fileType: item.fileType,
  origine: item.origin,
  creatoIl: iso(item.createdAt),
  aggiornatoIl: iso(item.updatedAt),
  modello: item.model,
  provider: item.provider,
  cartella: item.folder,
  percorso: item.path,
  creatoDa: item.madeBy,
  sessione: item.sessionId,
}));
