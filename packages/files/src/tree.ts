import { type Ambient, listInside, once, parseRelativePath, readFileInside } from '@fucina/shared';
import { type Download, download, type PartAsk, pdf } from './download.ts';
import { asFileError, filesError } from './errors.ts';
import { refuseLong } from './long-path.ts';
import { type NameSearch, searchNames } from './name-search.ts';
import { sorted } from './sorted.ts';
import { decodeForDisplay } from './text.ts';

export interface TreeEntry {
  name: string;
  /**
   * Also true of a link to a folder inside the root; a link that points outside is listed like a file and cannot be
   * opened.
   */
  isFolder: boolean;
}

export interface FilePreview {
  /** The requested path, normalized. */
  path: string;
  text: string;
  sizeBytes: number;
}

/** The files of one folder (a session's or a project's, absolute real path); paths inside it are relative. */
export interface Tree {
  /** One level, up to 100,000 entries: folders first, then files, each alphabetical. Throws QUERY_INVALID (bad path, outside, a file), FILE_NOT_FOUND. */
  list(folder: string, path: string): Promise<TreeEntry[]>;
  /**
   * A whole text file. Throws QUERY_INVALID (invalid path, outside, a folder; reason `not-text` for bytes that are not
   * text), FILE_NOT_FOUND, FILE_TOO_LARGE (above 512 KiB).
   */
  preview(folder: string, path: string): Promise<FilePreview>;
  /**
   * Any file for download, or a range of one of any size. Throws QUERY_INVALID, FILE_NOT_FOUND, FILE_TOO_LARGE (the
   * requested part is above 64 MiB).
   */
  download(folder: string, path: string, ask?: PartAsk): Promise<Download>;
  /** A PDF file to be shown, recognized by its bytes. FILE_NOT_FOUND for any other. Throws the same as `download`. */
  pdf(folder: string, path: string, ask?: PartAsk): Promise<Download>;
  /** Searches entries by name, at any depth. Throws QUERY_INVALID, FILE_NOT_FOUND when the folder is missing. */
  search(folder: string, text: string): Promise<NameSearch>;
}

const MAX_PREVIEW_BYTES = 512 * 1024;
const MAX_LEVEL = 100_000;

export function createTree(ambient: Ambient): Tree {
  return {
    list: listLevel,
    download: (folder, path, ask) => download(ambient, { folder, path }, ask),
    pdf: (folder, path, ask) => pdf(ambient, { folder, path }, ask),
    async search(folder, text) {
      try {
        return await searchNames(ambient, folder, text);
      } catch (error) {
        throw asFileError(error);
      }
    },
    async preview(folder, path) {
      try {
        refuseLong(path);
        const { bytes, realPath } = await readFileInside(folder, path, MAX_PREVIEW_BYTES);
        const text = await decodeForDisplay(bytes);
        if (text === undefined)
          throw filesError('QUERY_INVALID', { reason: 'not-text', params: { percorso: realPath } });
        return { path: parseRelativePath(path), text, sizeBytes: bytes.length };
      } catch (error) {
        throw asFileError(error);
      }
    },
  };
}

export async function listLevel(folder: string, path: string): Promise<TreeEntry[]> {
  try {
    refuseLong(path);
    const { entries } = await listInside(folder, path, MAX_LEVEL);
    return await sorted(
      entries.map(({ name, isFolder }) => ({ name, isFolder })),
      inOrder,
    );
  } catch (error) {
    throw asFileError(error);
  }
}

/** Creating one takes some milliseconds. */
const collator = once(() => new Intl.Collator('en', { sensitivity: 'variant' }));

export function inOrder(a: TreeEntry, b: TreeEntry): number {
  return Number(b.isFolder) - Number(a.isFolder) || collator().compare(a.name, b.name) || (a.name < b.name ? -1 : 1);
}
