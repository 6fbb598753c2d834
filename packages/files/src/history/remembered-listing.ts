import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Ambient, readRegularFile } from '@fucina/shared';
import type { Ignore } from 'ignore';
import { isIgnoredFolder, parentFolderOf } from '../ignore-rules.ts';
import type { DiskFacts } from './disk-messages.ts';
import type { DiskThread } from './disk-thread.ts';
import { absent } from './facts-now.ts';
import { CLOCK_STEP_MS } from './folder-index.ts';
import { sideBySide } from './side-by-side.ts';

/** `isCut` above `limit` paths. */
interface Listing {
  /** Relative to the folder, `/`-separated, ignore files applied. */
  paths: readonly string[];
  isCut: boolean;
}

export type ListFiles = (folder: string, options: { limit: number; signal: AbortSignal }) => Promise<Listing>;

export interface RememberNeeds {
  ambient: Ambient;
  disk: DiskThread;
  listFiles: ListFiles;
  gitSettings: readonly string[];
}

/** What a listing depends on: the folders it went through, and the files that say what is ignored. */
interface Remembered {
  listing: Listing;
  stamps: ReadonlyMap<string, string>;
}

/** Above this, reading the folders again takes longer than listing the files. */
const MAX_FOLDERS = 1_000;
const AT_ONCE = 16;
const MAX_RULES_BYTES = 4 * 1024 ** 2;
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore'];
const ABSENT = 'absent';

/**
 * Lists one folder again only if a folder in it or an ignore file that applies to it has changed: a listing starts a
 * program, which takes longer than a short command. A folder that changed shortly before it was listed is listed again,
 * since a further change might not alter its times.
 */
export function rememberListing({ ambient, disk, listFiles, gitSettings }: RememberNeeds): ListFiles {
  let last: Promise<Remembered | undefined> = Promise.resolve(undefined);

  return async (folder, options) => {
    const remembered = await last;
    if (remembered && (await isCurrent(remembered, disk))) return remembered.listing;
    const before = ambient.now() - 2 * CLOCK_STEP_MS;
    const listing = await listFiles(folder, options);
    const walk = { folder, before, gitSettings, signal: options.signal };
    last = listing.isCut ? Promise.resolve(undefined) : remember(listing, walk).catch(() => undefined);
    return listing;
  };
}

async function isCurrent({ stamps }: Remembered, disk: DiskThread): Promise<boolean> {
  const facts = await disk.facts([...stamps.keys()], { followsLinks: true });
  return [...stamps.values()].every((stamp, at) => stamp === stampOf(facts[at]));
}

interface Walk {
  folder: string;
  /** Epoch ms: what changed later may have changed again while the files were listed. */
  before: number;
  gitSettings: readonly string[];
  signal: AbortSignal;
}

/** Undefined if it could miss a change. */
async function remember(listing: Listing, walk: Walk): Promise<Remembered | undefined> {
  const { folder, gitSettings } = walk;
  const stamps = new Map<string, string>();
  const outside = [...outsideFiles(folder), ...gitSettings];
  for (const path of outside) stamps.set(path, await stampAt(path));
  const applied = outside.filter((path) => stamps.get(path) !== ABSENT);
  for (const path of applied) if (await namesAnotherFile(path)) return undefined;

  const rules = new Map<string, Ignore>();
  // Another kind of ignore file may bring back what .gitignore leaves out: then nothing is left out here.
  let hasOthers = applied.some(isOtherIgnoreFile);
  const listed = foldersOf(listing.paths);
  for (let level = [...listed]; level.length > 0; ) {
    const { ignoreFiles, unlisted } = await readFolders(level, { ...walk, listed, stamps });
    for (const path of ignoreFiles) {
      const place = join(folder, path);
      stamps.set(place, await stampAt(place));
      if (basename(path) === '.gitignore') rules.set(parentFolderOf(path), await rulesIn(place));
      hasOthers ||= isOtherIgnoreFile(path);
    }
    level = hasOthers ? unlisted : unlisted.filter((path) => !isIgnoredFolder(path, rules));
  }
  return { listing, stamps };
}

interface Reading extends Walk {
  listed: ReadonlySet<string>;
  stamps: Map<string, string>;
}

/** The ignore files in these folders, and the folders in them without a listed file. Throws if they may be changing. */
async function readFolders(
  paths: readonly string[],
  { folder, before, listed, stamps, signal }: Reading,
): Promise<{ ignoreFiles: string[]; unlisted: string[] }> {
  const ignoreFiles: string[] = [];
  const unlisted: string[] = [];
  const read = async (path: string): Promise<void> => {
    const place = join(folder, path);
    const stats = await lstat(place);
    stamps.set(place, stampOf(stats));
    const isRecent = Math.max(stats.ctimeMs, stats.mtimeMs) >= before;
    if (isRecent || !stats.isDirectory() || stamps.size > MAX_FOLDERS) throw new Error('not remembered');
    for (const entry of await readdir(place, { withFileTypes: true })) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.name === '.git') {
        // A linked working tree is excluded from by a file elsewhere.
        if (!entry.isDirectory()) throw new Error('not remembered');
        ignoreFiles.push(`${inner}/info/exclude`);
      } else if (IGNORE_FILES.includes(entry.name)) ignoreFiles.push(inner);
      else if (entry.isDirectory() && !listed.has(inner)) unlisted.push(inner);
    }
  };
  await sideBySide(paths, { act: read, most: AT_ONCE, signal });
  return { ignoreFiles, unlisted };
}

function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set(['']);
  for (const path of paths) {
    for (let folder = parentFolderOf(path); !folders.has(folder); folder = parentFolderOf(folder)) folders.add(folder);
  }
  return folders;
}

/** Ignore files of the folders around apply too. */
function outsideFiles(folder: string): string[] {
  const files: string[] = [];
  for (let inner = folder, outer = dirname(folder); outer !== inner; inner = outer, outer = dirname(outer)) {
    files.push(...IGNORE_FILES.map((name) => join(outer, name)), join(outer, '.git', 'info', 'exclude'));
  }
  return files;
}

const isOtherIgnoreFile = (path: string): boolean => ['.ignore', '.rgignore'].includes(basename(path));

/** Settings of git may name another file to ignore by. */
async function namesAnotherFile(path: string): Promise<boolean> {
  const isSettings = path.endsWith('.gitconfig') || path.endsWith('/config');
  return isSettings && /excludesfile|\[include/i.test(await textOf(path));
}

async function rulesIn(path: string): Promise<Ignore> {
  const { default: ignore } = await import('ignore');
  return ignore({ ignorecase: false, allowRelativePaths: false }).add(await textOf(path));
}

/** Throws for what cannot be read at once: a listing beside it is not remembered. */
async function textOf(path: string): Promise<string> {
  const bytes = await readRegularFile(path, MAX_RULES_BYTES);
  if (!bytes) throw new Error('not remembered');
  return bytes.toString('utf8');
}

const stampAt = async (path: string): Promise<string> => stampOf(await stat(path).catch(absent));

function stampOf(stats: DiskFacts | undefined): string {
  if (!stats) return ABSENT;
  const { ino, size, mode, mtimeMs, ctimeMs } = stats;
  return `${ino} ${size} ${mode} ${mtimeMs} ${ctimeMs}`;
}
