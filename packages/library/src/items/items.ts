import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Readable as Stream } from 'node:stream';
import type { Ambient } from '@fucina/shared';
import { libraryError } from '../errors.ts';
import { checkedId, LIBRARY_FOLDER, openContent, readItem, removeItem, writeItem, writeMeta } from './item-files.ts';
import { createItemIndex } from './item-index.ts';
import { type Item, type ItemMeta, itemOf } from './item-meta.ts';
import { cleanItemName, extensionOf, isForViewing, mediaTypeOf } from './item-name.ts';

export interface NewItem {
  name: string;
  content: Uint8Array;
  origin: Item['origin'];
  /** Relative to the project. */
  path?: string | undefined;
  model?: string | undefined;
  provider?: string | undefined;
  madeBy?: string | undefined;
  sessionId?: string | undefined;
  /** Creates a separate item even for the same bytes and name. */
  isAlone?: boolean;
}

export interface ItemContent {
  item: Item;
  sizeBytes: number;
  /** The caller must read or destroy it. */
  content: Readable;
}

/**
 * The library of one project: files created by its agents or given by the user. `project` is an absolute real path;
 * invalid ids are LIBRARY_INVALID, unknown ones LIBRARY_NOT_FOUND, damaged items LIBRARY_MALFORMED, and disk errors
 * LIBRARY_READ_FAILED.
 */
export interface Items extends AsyncDisposable {
  /** Last changed first; an unchanged item is the same object. One item with damaged metadata fails the whole list. */
  list(project: string): Promise<readonly Item[]>;
  read(project: string, id: string): Promise<Item>;
  /** The same bytes under the same name update the existing item. Undefined for a name without a letter. */
  add(project: string, item: NewItem): Promise<Item | undefined>;
  /** Verified content. LIBRARY_TOO_LARGE over 100 MiB. */
  open(project: string, id: string): Promise<ItemContent>;
  /** Like `open`, for the few types that may be shown directly; LIBRARY_NOT_FOUND for any other. */
  preview(project: string, id: string): Promise<ItemContent & { mediaType: string }>;
  /**
   * Path of its content, relative to the project; verified. `isForViewing`: of a type that a desktop shows and cannot
   * execute.
   */
  place(project: string, id: string): Promise<{ path: string; isForViewing: boolean }>;
  /** LIBRARY_NAME_EMPTY when no letter or digit is left after normalization. Returns both names. */
  rename(project: string, id: string, name: string): Promise<{ before: string; after: string }>;
  /** Returns the deleted item. */
  remove(project: string, id: string): Promise<Item>;
}

const MAX_BYTES = 100 * 1024 * 1024;

export function createItems({ ambient }: { ambient: Ambient }): Items {
  const present = async (project: string, id: string): Promise<ItemMeta> => {
    const found = await readItem(project, checkedId(id));
    if (!found) throw libraryError('LIBRARY_NOT_FOUND');
    return found.meta;
  };
  const index = createItemIndex({ ambient });
  const sorted = createSorted();
  const touched = (meta: ItemMeta): ItemMeta => ({ ...meta, aggiornatoIl: new Date(ambient.now()).toISOString() });

  return {
    list: async (project) => sorted(await index.all(project, 'throw')),
    read: async (project, id) => itemOf(await present(project, id)),

    async add(project, { name, content, origin, isAlone, ...from }) {
      const clean = cleanItemName(name);
      if (clean === undefined) return undefined;
      const sha256 = createHash('sha256').update(content).digest('hex');
      // A damaged item must not prevent storing another.
      const others = isAlone ? [] : await index.all(project, 'skip');
      const twin = others.find((other) => other.nome === clean && other.sha256 === sha256);
      if (twin) {
        const renewed = touched(twin);
        await writeMeta(project, renewed);
        return itemOf(renewed);
      }
      const extension = extensionOf(clean);
      const now = new Date(ambient.now()).toISOString();
      const meta: ItemMeta = {
        id: `lib-${ambient.newId()}`,
        nome: clean,
        mediaType: mediaTypeOf(clean),
        origine: origin,
        creatoIl: now,
        aggiornatoIl: now,
        modello: from.model ?? null,
        provider: from.provider ?? null,
        percorso: from.path ?? null,
        creatoDa: from.madeBy ?? null,
        sessione: from.sessionId ?? null,
        file: extension ? `contenuto.${extension}` : 'contenuto',
        sha256,
      };
      await writeItem(project, meta, content);
      return itemOf(meta);
    },

    async open(project, id) {
      const meta = await present(project, id);
      return contentOf(meta, await openContent(project, meta, MAX_BYTES));
    },

    async preview(project, id) {
      const meta = await present(project, id);
      const opened = await openContent(project, meta, MAX_BYTES);
      const { buffer } = await opened.handle.read(Buffer.alloc(16), 0, 16, 0);
      const mediaType = shownType(buffer, meta.mediaType);
      if (mediaType === undefined) {
        await opened.handle.close();
        throw libraryError('LIBRARY_NOT_FOUND', { reason: 'not-shown' });
      }
      return { ...contentOf(meta, opened), mediaType };
    },

    async place(project, id) {
      const meta = await present(project, id);
      const { handle } = await openContent(project, meta, Number.POSITIVE_INFINITY);
      await handle.close();
      return { path: `${LIBRARY_FOLDER}/${meta.id}/${meta.file}`, isForViewing: isForViewing(meta.file) };
    },

    async rename(project, id, name) {
      const meta = await present(project, id);
      const after = cleanItemName(name);
      if (after === undefined) throw libraryError('LIBRARY_NAME_EMPTY');
      await writeMeta(project, { ...touched(meta), nome: after });
      return { before: meta.nome, after };
    },

    async remove(project, id) {
      const meta = await present(project, id);
      await removeItem(project, id);
      return itemOf(meta);
    },

    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  };
}

type Opened = Awaited<ReturnType<typeof openContent>>;

function contentOf(meta: ItemMeta, { handle, stats }: Opened): ItemContent {
  const { size } = stats;
  const content =
    size > 0
      ? handle.createReadStream({ start: 0, end: size - 1 })
      : Stream.from([]).on('close', () => void handle.close());
  return { item: itemOf(meta), sizeBytes: size, content };
}

const SIGNATURES: readonly [signature: string, mediaType: string][] = [
  ['%PDF-', 'application/pdf'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
];

/** Detected by its first bytes, whatever type is declared; text only when it is declared as text. */
function shownType(start: Buffer, mediaType: string): string | undefined {
  const text = start.toString('latin1');
  const known = SIGNATURES.find(([signature]) => text.startsWith(signature));
  if (known) return known[1];
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp';
  return mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : undefined;
}

/** Items in list order, rebuilt only when one of them changed. */
function createSorted(): (metas: readonly ItemMeta[]) => readonly Item[] {
  const items = new WeakMap<ItemMeta, Item>();
  let last: { metas: readonly ItemMeta[]; items: readonly Item[] } = { metas: [], items: [] };
  const itemFor = (meta: ItemMeta): Item => {
    const item = items.get(meta) ?? itemOf(meta);
    items.set(meta, item);
    return item;
  };
  return (metas) => {
    if (metas === last.metas) return last.items;
    const isSame = metas.length === last.metas.length && metas.every((meta, at) => meta === last.metas[at]);
    last = { metas, items: isSame ? last.items : metas.map(itemFor).sort(latestFirst) };
    return last.items;
  };
}

function latestFirst(one: Item, other: Item): number {
  return other.updatedAt - one.updatedAt || other.createdAt - one.createdAt || (other.id < one.id ? -1 : 1);
}
