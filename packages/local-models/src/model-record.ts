/** One file of an installed model. */
export interface ModelFile {
  /** Relative to the model's own folder, with `/`. */
  path: string;
  bytes: number;
  /** SHA-256 of the content, 64 hexadecimal digits. */
  sha256: string;
}

export type ModelState = 'incomplete' | 'ready' | 'failed';

/** An installed model; spec/behaviour.md, section 5. */
export interface ModelRecord {
  /** `[a-z0-9][a-z0-9._-]{0,127}` */
  id: string;
  /** Display name, 1 to 160 characters. */
  name?: string;
  /** `owner/name` on the hub, or `local-upload`. */
  repo: string;
  /** 40 to 64 hexadecimal digits. */
  revision: string;
  files: readonly ModelFile[];
  /** The total of its files. */
  bytes: number;
  sha256: string;
  license: string;
  /** Of its first file, absolute. */
  path: string;
  state: ModelState;
  /** ISO 8601. */
  updatedAt: string;
}

/** What an engine needs to know about the installed models. */
export interface InstalledModels {
  list(): Promise<readonly ModelRecord[]>;
  find(id: string): Promise<ModelRecord | undefined>;
}
