import type {
  Attachment,
  Download,
  FilePreview,
  Files,
  NameSearch,
  NewAttachment,
  PageFile,
  PagePass,
  PartAsk,
  TextWrite,
  TreeEntry,
  WrittenFile,
} from '@fucina/files';
import type { Items } from '@fucina/library';
import { AppError, isAppError } from '@fucina/shared';
import type { SessionResolver } from './session-resolver.ts';

/** The files of a session's folder. */
export interface SessionFiles {
  list(sessionId: string, path: string): Promise<TreeEntry[]>;
  preview(sessionId: string, path: string): Promise<FilePreview>;
  download(sessionId: string, path: string, ask?: PartAsk): Promise<Download>;
  pdf(sessionId: string, path: string, ask?: PartAsk): Promise<Download>;
  search(sessionId: string, text: string): Promise<NameSearch>;
  create(sessionId: string, entry: { parent: string; name: string; kind: 'file' | 'folder' }): Promise<string>;
  rename(sessionId: string, entry: { path: string; name: string }): Promise<string>;
  move(sessionId: string, entry: { path: string; target: string }): Promise<string>;
  copy(sessionId: string, path: string): Promise<string>;
  write(sessionId: string, file: TextWrite): Promise<WrittenFile>;
  remove(sessionId: string, path: string): Promise<{ isInBin: boolean }>;
  reveal(sessionId: string, path: string): Promise<void>;
  open(sessionId: string, path: string): Promise<void>;
  /** An access token for a page of the session's folder or library, valid as long as the session exists. */
  openPage(sessionId: string, page: { path?: string; itemId?: string }): Promise<PagePass>;
  readPage(pass: string, path: string, ask?: PartAsk): Promise<PageFile>;
  /** Stores an attached file where the agent can read it. */
  attach(sessionId: string, file: NewAttachment): Promise<Attachment>;
}

interface SessionFilesNeeds {
  files: Files;
  resolver: SessionResolver;
  items: Pick<Items, 'place'>;
  /** Also copies the attached file to the project's library. */
  keep(sessionId: string, file: { folder: string; path: string }): Promise<void>;
}

export function createSessionFiles({ files, resolver, items, keep }: SessionFilesNeeds): SessionFiles {
  const { tree, changes, pages, fileManager, attachments } = files;
  const { resolve, inFolder } = resolver;
  return {
    list: inFolder(tree.list),
    preview: inFolder(tree.preview),
    download: inFolder(tree.download),
    pdf: inFolder(tree.pdf),
    search: inFolder(tree.search),
    create: inFolder(changes.create),
    rename: inFolder((folder, { path, name }: { path: string; name: string }) => changes.rename(folder, path, name)),
    move: inFolder((folder, { path, target }: { path: string; target: string }) => changes.move(folder, path, target)),
    copy: inFolder(changes.copy),
    write: inFolder(changes.write),
    remove: inFolder(changes.remove),
    reveal: inFolder(fileManager.reveal),
    open: inFolder(fileManager.open),
    async openPage(sessionId, { path, itemId = '' }) {
      const { folder } = await resolve(sessionId);
      return pages.open(sessionId, { folder, path: path ?? (await pageOfItem(items, folder, itemId)) });
    },
    async readPage(pass, path, ask) {
      // A token ends with its session.
      await resolve(pages.sessionOf(pass));
      return pages.read(pass, path, ask);
    },
    async attach(sessionId, file) {
      const { folder } = await resolve(sessionId);
      const saved = await attachments.save(folder, file);
      await keep(sessionId, { folder, path: saved.path });
      return saved;
    },
  };
}

/** Here a damaged item counts as missing. */
async function pageOfItem(items: Pick<Items, 'place'>, folder: string, itemId: string): Promise<string> {
  try {
    return (await items.place(folder, itemId)).path;
  } catch (cause) {
    if (!isAppError(cause)) throw cause;
    throw new AppError('LIBRARY_NOT_FOUND', { reason: cause.code, cause });
  }
}
