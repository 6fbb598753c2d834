import type { Files } from '@fucina/files';
import type { Item, ItemContent, Library } from '@fucina/library';
import { AppError } from '@fucina/shared';
import type { SessionResolver } from './session-resolver.ts';

/** The library of a session's project: library knows the items, files the desktop. */
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
  resolver: SessionResolver;
}

export function createSessionLibrary({ library, files, resolver }: SessionLibraryNeeds): SessionLibrary {
  const { items } = library;
  const { resolve, inFolder } = resolver;
  return {
    open: inFolder(items.open),
    preview: inFolder(items.preview),
    rename: inFolder(items.rename),
    remove: inFolder(items.remove),
    async list(sessionId) {
      const { folder } = await resolve(sessionId);
      return library.orNull(() => items.list(folder));
    },
    async reveal(sessionId, id) {
      const { folder } = await resolve(sessionId);
      const { path } = await items.place(folder, id);
      await files.fileManager.reveal(folder, path);
    },
    async show(sessionId, id) {
      const { folder } = await resolve(sessionId);
      const { path, isForViewing } = await items.place(folder, id);
      if (!isForViewing) throw new AppError('PLATFORM_UNSUPPORTED', { reason: 'could-be-run' });
      await files.fileManager.show(folder, path);
    },
  };
}
