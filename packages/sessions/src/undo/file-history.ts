import type { Unrecorded } from '../state/unrecorded.ts';

/**
 * Stores the contents of files before and after changes (files, through host). Folders are absolute, paths relative to
 * them.
 */
export interface FileHistory {
  /** Scans the folder in the background. Resolves when the index is current; never rejects. */
  capture(folder: string): Promise<void>;
  /** Call when a command that may change files in the folder starts. */
  command(folder: string): FolderCommand;
  /** The current file, its content stored. Null: missing; undefined: not a readable file. */
  note(folder: string, path: string): Promise<FileVersion | null | undefined>;
  /** The same without storing it. */
  look(folder: string, path: string): Promise<FileVersion | null | undefined>;
  /** Undefined when it is not, or no longer, stored. */
  read(sha256: string): Promise<Buffer | undefined>;
  /** Stores the current content durably: false when it is too large or unreadable. */
  secure(folder: string, path: string): Promise<boolean>;
  /** Restores one file, all or nothing, and only if the current content is `expected`. */
  restore(folder: string, restoring: RestoreRequest): Promise<'done' | 'changed' | 'refused'>;
  /** Deletes contents that no journal or folder in use refers to; returns how many. */
  sweep(isReferenced: (sha256: string) => boolean): Promise<number>;
}

export interface FileVersion {
  /** 64 lower-case hex digits; null when it was unreadable. */
  sha256: string | null;
  sizeBytes: number;
  /** The permission bits. */
  mode: number;
}

export interface ChangedFile {
  path: string;
  /** null: it did not exist. */
  before: FileVersion | null;
  /** null: it was deleted. */
  after: FileVersion | null;
}

export interface FolderChanges extends Unrecorded {
  changes: readonly ChangedFile[];
}

export interface FolderCommand {
  /** Changes since it started, or since the last scan. */
  look(): Promise<FolderChanges>;
  /** The command has ended. */
  end(): void;
}

export interface RestoreRequest {
  path: string;
  expected: { sha256: string; mode?: number | undefined } | null;
  wanted: { bytes: Uint8Array; mode?: number | undefined } | null;
  /** Epoch ms: folders created after it are removed with their last file. */
  bornAfter?: number;
}
