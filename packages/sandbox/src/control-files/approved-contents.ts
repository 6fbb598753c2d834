import { createHash } from 'node:crypto';

/** A control file with a content that the user allowed. */
export interface ApprovedContent {
  /** Relative to the folder, `/`-separated. */
  path: string;
  sha256: string;
}

/** Contents of control files that the user allowed while commands ran, by folder. */
export interface ApprovedContents {
  add(folder: string, path: string, content: string): void;
  restore(folder: string, approved: readonly ApprovedContent[]): void;
  has(folder: string, path: string, content: Uint8Array): boolean;
  /** Whether something at the path, or below it, was allowed. */
  isNear(folder: string, path: string): boolean;
  of(folder: string): readonly ApprovedContent[];
}

const MAX_EACH = 1_000;

export function createApprovedContents(): ApprovedContents {
  const folders = new Map<string, Map<string, string>>();
  const set = (folder: string, path: string, sha256: string): void => {
    const paths = folders.get(folder) ?? new Map<string, string>();
    folders.set(folder, paths);
    paths.delete(path);
    paths.set(path, sha256);
    for (const oldest of paths.keys()) if (paths.size > MAX_EACH) paths.delete(oldest);
  };
  return {
    add: (folder, path, content) => set(folder, path, hashOf(Buffer.from(content))),
    restore(folder, approved) {
      for (const { path, sha256 } of approved) set(folder, path, sha256);
    },
    has: (folder, path, content) => folders.get(folder)?.get(path) === hashOf(content),
    isNear: (folder, path) =>
      [...(folders.get(folder)?.keys() ?? [])].some((one) => one === path || one.startsWith(`${path}/`)),
    of: (folder) => [...(folders.get(folder) ?? [])].map(([path, sha256]) => ({ path, sha256 })),
  };
}

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
