import type { Contents } from './contents.ts';
import type { EarlierFile } from './file-version.ts';
import { type ListFiles, type RememberNeeds, rememberListing } from './remembered-listing.ts';

/** Which files of a folder may have changed, and what is known of them without a record. */
export interface FileSource {
  /** Whether a path that is neither recorded nor among the `earlier` ones surely did not exist. */
  readonly knowsAll: boolean;
  /** Before the first command, and later while none runs: what was known of other files may be forgotten if `isNew`. */
  begin(signal: AbortSignal): Promise<FileListing & { isNew: boolean }>;
  list(signal: AbortSignal): Promise<FileListing>;
}

export interface FileListing {
  /** Relative. */
  paths: readonly string[];
  /** There may be more. */
  isCut: boolean;
  /** Files that were known to be unchanged until now, and are among the paths. */
  earlier: ReadonlyMap<string, EarlierFile>;
}

/** The files of a folder as they are in git's index, through host. */
export interface FileSnapshot {
  /** False where git cannot say what the files were. */
  renew(): Promise<boolean>;
  differing(): Promise<{ paths: readonly string[]; nested: readonly string[]; hasOthers: boolean }>;
  contents(
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, { sizeBytes: number; isExecutable: boolean; bytes?: Buffer }>>;
}

/** Undefined outside a repository. */
export type SnapshotOf = (folder: string) => Promise<FileSnapshot | undefined>;

/** Files whose changes are noticed. */
export const MAX_FILES = 100_000;
/** Earlier contents of changed files: as many as changes that are reported. */
export const MAX_CHANGES = 5_000;
const CONTENTS_AT_ONCE = 500;

export interface SourceNeeds extends RememberNeeds {
  root: string;
  contents: Contents;
  snapshotOf?: SnapshotOf | undefined;
}

/** By git where the folder has it, else by its list of files. */
export async function openFileSource(needs: SourceNeeds): Promise<FileSource> {
  const { ambient, root, snapshotOf } = needs;
  try {
    const snapshot = await snapshotOf?.(root);
    if (snapshot && (await snapshot.renew())) return comparedByGit(needs, snapshot);
  } catch (error) {
    ambient.log.warn('history.not-compared-by-git', { error });
  }
  return listedFiles(needs);
}

function listedFiles(needs: SourceNeeds): FileSource {
  const listFiles = rememberListing(needs);
  const list: FileSource['list'] = async (signal) => {
    const listing = await listFiles(needs.root, { limit: MAX_FILES, signal });
    return { ...listing, earlier: new Map() };
  };
  return { knowsAll: false, list, begin: async (signal) => ({ ...(await list(signal)), isNew: false }) };
}

function comparedByGit({ root, contents, listFiles }: SourceNeeds, snapshot: FileSnapshot): FileSource {
  /** Paths that differed at the last look. */
  let differed = new Set<string>();

  const look = async (signal: AbortSignal): Promise<{ paths: string[]; isCut: boolean }> => {
    const { paths, nested, hasOthers } = await snapshot.differing();
    const inner = await Promise.all(nested.map((folder) => listedBelow({ root, listFiles, folder }, signal)));
    const all = [...paths, ...inner.flatMap((listing) => listing.paths)];
    const isCut = hasOthers || all.length > MAX_FILES || inner.some((listing) => listing.isCut);
    return { paths: all.slice(0, MAX_FILES), isCut };
  };
  const earlierOf = async (paths: readonly string[]): Promise<Map<string, EarlierFile>> => {
    const earlier = new Map<string, EarlierFile>();
    for (let from = 0; from < paths.length; from += CONTENTS_AT_ONCE) {
      const found = await snapshot.contents(paths.slice(from, from + CONTENTS_AT_ONCE));
      for (const [path, { bytes, ...facts }] of found) {
        const isWanted = bytes !== undefined && earlier.size < MAX_CHANGES;
        earlier.set(path, { ...facts, sha256: isWanted ? await contents.keep(bytes) : null });
      }
    }
    return earlier;
  };

  return {
    knowsAll: true,
    async begin(signal) {
      await snapshot.renew();
      const { paths, isCut } = await look(signal);
      differed = new Set(paths);
      return { paths, isCut, earlier: new Map(), isNew: true };
    },
    async list(signal) {
      const { paths, isCut } = await look(signal);
      const earlier = await earlierOf(paths.filter((path) => !differed.has(path)));
      const all = [...new Set([...differed, ...paths])];
      differed = new Set(paths);
      return { paths: all, isCut, earlier };
    },
  };
}

interface Nested {
  root: string;
  listFiles: ListFiles;
  folder: string;
}

async function listedBelow({ root, listFiles, folder }: Nested, signal: AbortSignal) {
  const listing = await listFiles(`${root}/${folder}`, { limit: MAX_FILES, signal });
  return { ...listing, paths: listing.paths.map((path) => `${folder}/${path}`) };
}
