import type { Attachment, Download, FilePreview, Files, NewAttachment, TreeEntry } from '@fucina/files';
import type { Sessions } from '@fucina/sessions';

/** The files of a session's folder: sessions knows which folder, files knows how to look into one. */
export interface SessionFiles {
  list(sessionId: string, path: string): Promise<TreeEntry[]>;
  preview(sessionId: string, path: string): Promise<FilePreview>;
  download(sessionId: string, path: string): Promise<Download>;
  /** Puts a file the person hands over where the agent can read it. */
  attach(sessionId: string, file: NewAttachment): Promise<Attachment>;
}

export function createSessionFiles({ files, sessions }: { files: Files; sessions: Sessions }): SessionFiles {
  return {
    list: async (sessionId, path) => files.tree.list(await sessions.folderOf(sessionId), path),
    download: async (sessionId, path) => files.tree.download(await sessions.folderOf(sessionId), path),
    preview: async (sessionId, path) => files.tree.preview(await sessions.folderOf(sessionId), path),
    attach: async (sessionId, file) => files.attachments.save(await sessions.folderOf(sessionId), file),
  };
}
