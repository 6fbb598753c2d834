/** What keeps the contents of files before and after their changes (files, through host). Folders are absolute, paths relative to them. */
export interface FileHistory {
  /** Looks at the folder behind the scenes. Settles when it knows it as it is now; never rejects. */
  capture(folder: string): Promise<void>;
  /** A command begins that may change files anywhere in the folder. */
  command(folder: string): FolderCommand;
  /** The file as it is now, its content kept. Null: nothing there; undefined: no file that can be read. */
  note(folder: string, path: string): Promise<FileVersion | null | undefined>;
  /** The same without keeping it. */
  look(folder: string, path: string): Promise<FileVersion | null | undefined>;
  /** Undefined when it is not, or no longer, kept. */
  read(sha256: string): Promise<Buffer | undefined>;
  /** Keeps what the file holds now, safe from a power cut: false when it is too large, or cannot be read. */
  secure(folder: string, path: string): Promise<boolean>;
  /** One file, whole or not at all, and only where `expected` is what is there. */
  restore(folder: string, restoring: RestoreRequest): Promise<'done' | 'changed' | 'refused'>;
  /** Deletes what no journal and no folder in use refers to; answers how many. */
  sweep(isReferenced: (sha256: string) => boolean): Promise<number>;
}

export interface FileVersion {
  /** 64 lower-case hex digits; null when nobody could read it then. */
  sha256: string | null;
  sizeBytes: number;
  /** The permission bits. */
  mode: number;
}

export interface ChangedFile {
  path: string;
  /** null: it did not exist. */
  before: FileVersion | null;
  /** null: it is gone. */
  after: FileVersion | null;
}

export interface FolderCommand {
  /** What it changed since it began, or since the last look; `omitted` counts what is beyond the limit. */
  look(): Promise<{ changes: readonly ChangedFile[]; omitted: number }>;
  /** It runs no more. */
  end(): void;
}

export interface RestoreRequest {
  path: string;
  expected: { sha256: string; mode?: number | undefined } | null;
  wanted: { bytes: Uint8Array; mode?: number | undefined } | null;
  /** Epoch ms: folders that came into being after it go with the last file in them. */
  bornAfter?: number;
}
