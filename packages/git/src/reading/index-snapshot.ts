import { constants, createWriteStream } from 'node:fs';
import { mkdir, open as openFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { systemCode } from '@fucina/shared';
import { type GitFolder, inRepository, insideFolder } from '../repository/git-folder.ts';
import { binary, bytesOf, readable } from '../repository/paths.ts';
import { type GitOptions, succeeded } from '../run/launcher.ts';
import type { ConfigEntry } from '../run/overrides.ts';
import { convertedPaths, isWholeConverted } from './converted-paths.ts';

/**
 * What a folder's files were when its repository's index was copied, and which differ from that now. The copy is a file of
 * ours: git keeps in it what it learns of the work tree, and commands that stage or commit do not change it.
 */
export interface IndexSnapshot {
  /** Copies the index anew if it changed. False where git cannot say what the files were: all of them are converted. */
  renew(): Promise<boolean>;
  /** Relative to the folder. */
  differing(): Promise<DifferingFiles>;
  /** Of files that did not differ; none for other paths. A large one comes without its bytes. */
  contents(paths: readonly string[]): Promise<ReadonlyMap<string, IndexedFile>>;
}

export interface DifferingFiles {
  /** Changed, deleted, unknown to git, or held in another form than on the disk. Ignored files are left out. */
  paths: readonly string[];
  /** Folders with a repository of their own, of which nothing is known here. */
  nested: readonly string[];
  /** Names that are no text. */
  hasOthers: boolean;
}

export interface IndexedFile {
  sizeBytes: number;
  isExecutable: boolean;
  bytes?: Buffer;
}

interface SnapshotState {
  print: string | undefined;
  /** As git stores them, relative to the repository: what its comparison says nothing about. */
  unsure: readonly string[];
  submodules: readonly string[];
}

/** Our index, and nothing that is decided by the repository's own settings. */
const SETTINGS: readonly ConfigEntry[] = [
  ['core.untrackedCache', 'true'],
  ['core.splitIndex', 'false'],
  ['core.checkStat', 'default'],
  ['core.trustctime', 'true'],
  ['core.ignoreStat', 'false'],
  ['core.fileMode', 'true'],
  ['core.preloadIndex', 'true'],
  ['status.showUntrackedFiles', 'all'],
];
/** Neither a link nor what would wait for a writer. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_CALL_BYTES = 16 * 1024 * 1024;
const MOST_ARGUMENTS = 500;
const STATUS_MS = 60_000;

/** `index`: the place of the copy, absolute. `open`: git in the folder, as its settings are now. */
export function createIndexSnapshot(index: string, open: () => Promise<GitFolder>): IndexSnapshot {
  let state: SnapshotState = { print: undefined, unsure: [], submodules: [] };
  const options: GitOptions = { environment: { GIT_INDEX_FILE: index }, settings: SETTINGS, timeoutMs: STATUS_MS };

  return {
    async renew() {
      const place = await open();
      if (await isWholeConverted(place)) return false;
      const print = await printOf(place);
      if (print === state.print) return true;
      state = { print: undefined, unsure: [], submodules: [] };
      await copyIndex(place, index);
      const listed = await list(place, options);
      const converted = await convertedPaths(place, listed.names, options);
      state = { print, unsure: [...listed.flagged, ...converted], submodules: listed.submodules };
      return true;
    },
    async differing() {
      const place = await open();
      const args = ['status', '--porcelain=v2', '-z', '--ignore-submodules=dirty', '--no-renames', '--', '.'];
      const records = binary(succeeded(await place.git.run(args, { ...options, keepsIndex: true }), args)).split('\0');
      const raw = [...records.flatMap(differingPath), ...state.unsure];
      const inside = (paths: readonly string[]): string[] =>
        paths.flatMap((path) => insideFolder(place, readable(path)) ?? []);
      const isText = (path: string): boolean => bytesOf(path).equals(Buffer.from(readable(path)));
      const files = raw.filter((path) => !path.endsWith('/'));
      const folders = raw.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
      return {
        paths: [...new Set(inside(files.filter(isText)))],
        nested: inside([...folders, ...state.submodules]),
        hasOthers: files.some((path) => !isText(path)),
      };
    },
    async contents(paths) {
      const place = await open();
      const unsure = new Set(state.unsure.map(readable));
      const asked = paths.map((path) => inRepository(place, path)).filter((path) => !unsure.has(path));
      const found = new Map<string, Indexed>();
      for (let from = 0; from < asked.length; from += MOST_ARGUMENTS)
        for (const one of await indexed(place, asked.slice(from, from + MOST_ARGUMENTS), options))
          found.set(one.path, one);
      const bytes = await read(place, [...found.values()], options);
      return new Map(
        [...found.values()].flatMap(({ path, object, ...facts }): [string, IndexedFile][] => {
          const relative = insideFolder(place, path);
          const content = bytes.get(object);
          // Another size than on the disk then: git holds it in another form.
          const isSame = content?.length === facts.sizeBytes;
          return relative === undefined ? [] : [[relative, isSame ? { ...facts, bytes: content } : facts]];
        }),
      );
    },
  };
}

async function printOf({ repository }: GitFolder): Promise<string> {
  const { ino = 0, size = 0, mtimeMs = 0 } = (await stat(join(repository.gitDir, 'index')).catch(unlessMissing)) ?? {};
  return `${repository.gitDir} ${ino} ${size} ${mtimeMs}`;
}

/** The copy must not look newer: git takes files for unchanged that are older than their index. */
async function copyIndex({ repository }: GitFolder, index: string): Promise<void> {
  await mkdir(dirname(index), { recursive: true, mode: 0o700 });
  const from = await openFile(join(repository.gitDir, 'index'), READ).catch(unlessMissing);
  if (!from) return rm(index, { force: true });
  try {
    const facts = await from.stat();
    // A command of the agent may have put something else in its place.
    if (!facts.isFile()) throw new Error('the index is not a file');
    await pipeline(from.createReadStream({ autoClose: false }), createWriteStream(`${index}.new`, { mode: 0o600 }));
    const seconds = Math.floor(facts.mtimeMs) / 1000;
    await utimes(`${index}.new`, seconds, seconds);
  } finally {
    await from.close();
  }
  await rename(`${index}.new`, index);
}

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}

/** `1 XY …`: Y is what the work tree has. */
function differingPath(record: string): string[] {
  const fields = { '1': 8, u: 10, '?': 1 }[record[0] ?? ''];
  if (fields === undefined || (record[0] === '1' && record[3] === '.')) return [];
  let at = 0;
  for (let field = 0; field < fields; field += 1) at = record.indexOf(' ', at) + 1;
  return record[0] === '1' && record[5] === 'S' ? [] : [record.slice(at)];
}

/** What the index holds, as git stores the paths. */
interface IndexListing {
  /** The user told git not to compare them. */
  flagged: string[];
  submodules: string[];
  /** NUL-terminated names of all. */
  names: Buffer[];
}

async function list({ git, repository }: GitFolder, options: GitOptions): Promise<IndexListing> {
  const args = ['ls-files', '-z', '-v', '--stage'];
  const output = succeeded(await git.run(args, { ...options, folder: repository.root }), args);
  const listing: IndexListing = { flagged: [], submodules: [], names: [] };
  for (let from = 0, end = output.indexOf(0); end >= 0; from = end + 1, end = output.indexOf(0, from)) {
    const name = output.indexOf(9, from) + 1;
    listing.names.push(output.subarray(name, end + 1));
    const path = (): string => output.toString('latin1', name, end);
    // `H 100644 …`; `H`: compared like any other.
    if (output[from] !== 0x48) listing.flagged.push(path());
    if (output.toString('latin1', from + 2, from + 8) === '160000') listing.submodules.push(path());
  }
  return listing;
}

interface Indexed extends Omit<IndexedFile, 'bytes'> {
  /** As text, relative to the repository. */
  path: string;
  object: string;
}

const ENTRY = /(?:^|\n)(100\d{3}) ([0-9a-f]+) 0\t([^\0]+)\0[^\0]*?\n {2}size: (\d+)\t/g;

async function indexed(
  { git, repository }: GitFolder,
  paths: readonly string[],
  options: GitOptions,
): Promise<Indexed[]> {
  const args = ['ls-files', '-z', '--stage', '--debug', '--', ...paths];
  const output = binary(succeeded(await git.run(args, { ...options, folder: repository.root }), args));
  const wanted = new Set(paths);
  return [...output.matchAll(ENTRY)].flatMap(([, mode = '', object = '', raw = '', size = '']) => {
    const path = readable(raw);
    return wanted.has(path) ? [{ path, object, sizeBytes: Number(size), isExecutable: mode === '100755' }] : [];
  });
}

async function read({ git }: GitFolder, files: readonly Indexed[], options: GitOptions): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  let some: string[] = [];
  let total = 0;
  const flush = async (): Promise<void> => {
    if (some.length === 0) return;
    const args = ['cat-file', '--batch'];
    const output = succeeded(await git.run(args, { ...options, input: `${some.join('\n')}\n` }), args);
    for (let at = 0; at < output.length; ) {
      const end = output.indexOf(10, at);
      const [object = '', kind, size] = output.toString('latin1', at, end).split(' ');
      const length = kind === 'blob' ? Number(size) : -1;
      if (length >= 0) found.set(object, output.subarray(end + 1, end + 1 + length));
      at = end + 1 + length + 1;
    }
    some = [];
    total = 0;
  };
  for (const { object, sizeBytes } of files) {
    if (sizeBytes > MAX_FILE_BYTES) continue;
    if (total + sizeBytes > MAX_CALL_BYTES) await flush();
    some.push(object);
    total += sizeBytes;
  }
  await flush();
  return found;
}
