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
import type { Sessions } from '@fucina/sessions';
import { AppError, isAppError } from '@fucina/shared';
import { createSessionGuard } from './session-guard.ts';

/** The files of a session's folder: sessions knows the folder, files reads it. */
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
  sessions: Sessions;
  items: Pick<Items, 'place'>;
  /** Also copies the attached file to the project's library. */
  keep(sessionId: string, file: { folder: string; path: string }): Promise<void>;
}

export function createSessionFiles({ files, sessions, items, keep }: SessionFilesNeeds): SessionFiles {
  const { tree, changes, pages, fileManager, attachments } = files;
  const folderOf = (sessionId: string): Promise<string> => sessions.folderOf(sessionId);
  const { list, download, preview, pdf, search } = tree;
  const { create, copy, remove, write } = changes;
  const { reveal, open } = fileManager;
  const { inFolder } = createSessionGuard(() => sessions);
  return {
    ...inFolder({ list, download, preview, pdf, search, create, copy, remove, write, reveal, open }),
    rename: async (sessionId, { path, name }) => changes.rename(await folderOf(sessionId), path, name),
    move: async (sessionId, { path, target }) => changes.move(await folderOf(sessionId), path, target),
    async openPage(sessionId, { path, itemId = '' }) {
      const folder = await folderOf(sessionId);
      return pages.open(sessionId, { folder, path: path ?? (await pageOfItem(items, folder, itemId)) });
    },
    async readPage(pass, path, ask) {
      // A token ends with its session.
      await folderOf(pages.sessionOf(pass));
      return pages.read(pass, path, ask);
    },
    async attach(sessionId, file) {
      const folder = await folderOf(sessionId);
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
