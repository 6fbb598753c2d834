import type { Files } from '@fucina/files';
import type { Item, ItemContent, Library } from '@fucina/library';
import type { Sessions } from '@fucina/sessions';
import { AppError } from '@fucina/shared';
import { createSessionGuard } from './session-guard.ts';

/** The library of a session's project: sessions knows the folder, library the items, files the desktop. */
export interface SessionLibrary {
  /** null, never empty, when it cannot be read. */
  list(sessionId: string): Promise<readonly Item[] | null>;
  open(sessionId: string, id: string): Promise<ItemContent>;
  preview(sessionId: string, id: string): Promise<ItemContent & { mediaType: string }>;
  reveal(sessionId: string, id: string): Promise<void>;
  /** PLATFORM_UNSUPPORTED also for a file that the desktop could execute. */
  show(sessionId: string, id: string): Promise<void>;
  rename(sessionId: string, id: string, name: string): Promise<{ before: string; after: string }>;
  remove(sessionId: string, id: string): Promise<Item>;
}

interface SessionLibraryNeeds {
  library: Library;
  files: Files;
  sessions: Sessions;
}

export function createSessionLibrary({ library, files, sessions }: SessionLibraryNeeds): SessionLibrary {
  const { items } = library;
  const folderOf = (sessionId: string): Promise<string> => sessions.folderOf(sessionId);
  const { inFolder } = createSessionGuard(() => sessions);
  const { open, preview, rename, remove } = items;
  return {
    ...inFolder({ open, preview, rename, remove }),
    async list(sessionId) {
      const folder = await folderOf(sessionId);
      return library.orNull(() => items.list(folder));
    },
    async reveal(sessionId, id) {
      const folder = await folderOf(sessionId);
      const { path } = await items.place(folder, id);
      await files.fileManager.reveal(folder, path);
    },
    async show(sessionId, id) {
      const folder = await folderOf(sessionId);
      const { path, isForViewing } = await items.place(folder, id);
      if (!isForViewing) throw new AppError('PLATFORM_UNSUPPORTED', { reason: 'could-be-run' });
      await files.fileManager.show(folder, path);
    },
  };
}
