import { accessSync, constants, lstatSync, realpathSync, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, mkdir, open, opendir, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, parse, relative, sep } from 'node:path';
import { syncFolder, writeFileAtomically } from './atomic-file.ts';
import { HAS_PROC, isMissing, READ } from './disk-facts.ts';
import { systemCode } from './errors.ts';
import { isEscapedName, nameText, systemPath } from './name-text.ts';
import { readHandle } from './read-handle.ts';
import { PathError, parseAbsolutePath, parseRelativePath } from './safe-name.ts';

/**
 * In every function here `root` is an absolute real path (see `realFolder`) and `path` is relative to it, not
 * validated.
 */
export interface OpenedPath {
  handle: FileHandle;
  stats: Stats;
  /** The resolved path, relative to the root and `/`-separated: differs from the requested path behind a link. */
  realPath: string;
}

export interface FolderEntry {
  name: string;
  kind: 'file' | 'folder' | 'link' | 'other';
  /** True for a folder and for a link whose target is a folder inside the root. */
  isFolder: boolean;
}

export interface FolderListing {
  /** In the order of the file system. */
  entries: FolderEntry[];
  /** True when the folder has more than `limit` entries. */
  isCut: boolean;
}

const DEFAULT_LIST_LIMIT = 10_000;

/**
 * The real path of a folder that exists and can be listed. Problems: invalid, missing, not-a-folder, denied. Asks the
 * disk at once (see disk-facts.ts): every operation on a folder begins with it.
 */
export async function realFolder(absolutePath: string): Promise<string> {
  const path = parseAbsolutePath(absolutePath);
  try {
    const real = realpathSync.native(path);
    if (!lstatSync(real).isDirectory()) throw new PathError('not-a-folder', absolutePath);
    accessSync(real, constants.R_OK | constants.X_OK);
    return real;
  } catch (error) {
    throw asPathError(error, absolutePath);
  }
}

/** Whether `path` is `folder` or below it, by whole segments; no disk access. */
export function isWithin(folder: string, path: string): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || folder.endsWith(sep) || path.startsWith(sep, folder.length);
}

/** Opens a regular file for reading; the caller closes the handle. Never reads anything outside the root. */
export async function openFileInside(root: string, path: string): Promise<OpenedPath> {
  const opened = await openInside(root, parseRelativePath(path));
  if (opened.stats.isFile()) return opened;
  await opened.handle.close();
  throw new PathError('not-a-file', path);
}

/** The whole file; `too-large` above `maxBytes`, also when it grows during the read. */
export async function readFileInside(
  root: string,
  path: string,
  maxBytes: number,
): Promise<{ bytes: Buffer; stats: Stats; realPath: string }> {
  const { handle, stats, realPath } = await openFileInside(root, path);
  try {
    if (stats.size > maxBytes) throw new PathError('too-large', path);
    const bytes = await readHandle(handle, Math.max(stats.size, 4096), maxBytes);
    if (!bytes) throw new PathError('too-large', path);
    return { bytes, stats, realPath };
  } finally {
    await handle.close();
  }
}

/** Metadata of a file or folder; links inside the root are followed. */
export async function statInside(root: string, path: string): Promise<{ stats: Stats; realPath: string }> {
  const { handle, stats, realPath } = await openInside(root, parseRelativePath(path, { allowRoot: true }));
  await handle.close();
  return { stats, realPath };
}

/** One level of a folder. Links are listed, not followed out of the root. */
export async function listInside(root: string, path: string, limit = DEFAULT_LIST_LIMIT): Promise<FolderListing> {
  return withFolderInside(root, path, async (folder) => {
    const entries: FolderEntry[] = [];
    // Its types only support names as text.
    const options = { bufferSize: 256, encoding: NAME_ENCODING as BufferEncoding };
    for await (const entry of await opendir(folder, options)) {
      if (entries.length === limit) return { entries, isCut: true };
      const kind = kindOf(entry);
      const name = nameOf(entry.name);
      const isFolder = kind === 'folder' || (kind === 'link' && (await isFolderLink(root, `${folder}/${name}`)));
      entries.push({ name, kind, isFolder });
    }
    return { entries, isCut: false };
  });
}

/**
 * Calls `act` with a path that keeps pointing to this folder whatever happens to its name (where the system supports
 * it: Linux), so that files created, renamed or deleted under it stay inside. Valid only until `act` ends.
 */
export async function withFolderInside<T>(
  root: string,
  path: string,
  act: (folder: string, realPath: string) => Promise<T>,
): Promise<T> {
  const { handle, stats, realPath } = await openInside(root, parseRelativePath(path, { allowRoot: true }));
  try {
    if (!stats.isDirectory()) throw new PathError('not-a-folder', path);
    return await act(HAS_PROC ? `/proc/self/fd/${handle.fd}` : join(root, realPath), realPath);
  } catch (error) {
    throw asPathError(error, path);
  } finally {
    await handle.close();
  }
}

export interface WriteInsideOptions {
  /** Creates the missing parent folders. */
  createFolders?: boolean;
  /** `fail`: problem `exists` instead of replacing. */
  ifExists?: 'replace' | 'fail';
  /** Permissions of a new file, from the first byte on; default: what the umask leaves. */
  mode?: number;
  /** Called with the resolved path on the opened folder, before writing; true: problem `denied`. */
  isRefused?(realPath: string): boolean;
}

/**
 * Writes a regular file whole or not at all, preserving the permissions of the replaced file. A link inside the root is
 * followed; one that points outside (or nowhere) is `outside`. Nothing outside the root is created, truncated or
 * written.
 */
export async function writeFileInside(
  root: string,
  path: string,
  write: WriteInsideOptions & { data: string | Uint8Array | AsyncIterable<Uint8Array> },
): Promise<{ realPath: string }> {
  const wanted = parseRelativePath(path);
  // Our own file names are text: no file is created under a name that cannot be displayed.
  if (isEscapedName(wanted)) throw new PathError('invalid', path);
  const target = await resolveTarget(root, wanted);
  const parent = parentOf(target);
  if (write.createFolders && parent !== '') await createFolderInside(root, parent, { recursive: true });
  return withFolderInside(root, parent, async (folder, realParent) => {
    const file = join(folder, basename(target));
    const realPath = realParent === '' ? basename(target) : `${realParent}/${basename(target)}`;
    if (write.isRefused?.(realPath)) throw new PathError('denied', path);
    const exactMode = await modeToKeep(file, path);
    if (exactMode !== undefined && write.ifExists === 'fail') throw new PathError('exists', path);
    await writeFileAtomically(file, write.data, {
      mode: 0o666,
      exactMode: exactMode ?? write.mode,
      ifExists: write.ifExists,
    });
    return { realPath };
  }).catch((error: unknown) => {
    throw error instanceof PathError ? new PathError(error.problem, path, error) : error;
  });
}

/** Problems: exists (unless `recursive`), missing (the parent, unless `recursive`), not-a-folder, denied. */
export async function createFolderInside(
  root: string,
  path: string,
  options: { recursive?: boolean } = {},
): Promise<void> {
  const segments = parseRelativePath(path).split('/');
  for (let depth = options.recursive ? 1 : segments.length; depth <= segments.length; depth++) {
    const parent = segments.slice(0, depth - 1).join('/');
    const name = segments[depth - 1] ?? '';
    await withFolderInside(root, parent, async (folder) => {
      const isNew = await makeFolder(join(folder, name));
      if (isNew) await syncFolder(folder);
      else if (!options.recursive) throw new PathError('exists', path);
    });
  }
}

async function openInside(root: string, path: string): Promise<OpenedPath> {
  const asked = join(root, path);
  try {
    // Without an entry of that name directly in the root, no link can point outside.
    if (isMissing(systemPath(join(root, path.split('/', 1)[0] ?? '')))) throw new PathError('missing', path);
    const handle = await open(systemPath(asked), READ).catch(async (error: unknown) => {
      // A link: only its target, once known to be inside, is opened; the handle is still checked below.
      if (systemCode(error) !== 'ELOOP') throw error;
      const target = await realTextOf(asked);
      if (!isWithin(root, target)) throw new PathError('outside', path);
      return open(systemPath(target), READ);
    });
    return await checked(root, path, handle);
  } catch (error) {
    throw await failureInside(root, path, error);
  }
}

/**
 * The system's error about a target outside (absent, denied, not a folder) is not revealed: only that it is outside.
 */
async function failureInside(root: string, path: string, error: unknown): Promise<unknown> {
  if (!(error instanceof PathError) && (await leadsOutside(root, path))) return new PathError('outside', path, error);
  return asPathError(error, path);
}

const MAX_LINKS = 40;

/** Resolves the links of a path like the system does, reading only inside the root. */
async function leadsOutside(root: string, path: string): Promise<boolean> {
  let current = root;
  let links = 0;
  const rest = path.split(sep).reverse();
  for (let segment = rest.pop(); segment !== undefined; segment = rest.pop()) {
    if (segment === '' || segment === '.') continue;
    const next = segment === '..' ? dirname(current) : join(current, segment);
    const isInside = isWithin(root, next) && next !== root;
    if (!isInside && !isWithin(next, root)) return true;
    const target = isInside && segment !== '..' ? await linkTarget(next) : undefined;
    if (target === 'absent') return false;
    if (target === undefined) current = next;
    else {
      if (++links > MAX_LINKS) return false;
      if (isAbsolute(target.link)) current = parse(target.link).root;
      rest.push(...target.link.split(sep).reverse());
    }
  }
  return !isWithin(root, current);
}

async function linkTarget(path: string): Promise<{ link: string } | 'absent' | undefined> {
  try {
    return { link: await readlink(systemPath(path)) };
  } catch (error) {
    return systemCode(error) === 'EINVAL' ? undefined : 'absent';
  }
}

/** The name may change between any two calls; the handle cannot: its target is what counts. */
async function checked(root: string, path: string, handle: FileHandle): Promise<OpenedPath> {
  try {
    const stats = await handle.stat();
    const real = HAS_PROC
      ? textBelow(root, await readlink(`/proc/self/fd/${handle.fd}`, { encoding: 'buffer' }))
      : await realPathOf(join(root, path), stats);
    if (!isWithin(root, real)) throw new PathError('outside', path);
    return { handle, stats, realPath: relative(root, real).split(sep).join('/') };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const NAME_ENCODING = process.platform === 'win32' ? 'utf8' : 'buffer';

function nameOf(name: string | Uint8Array): string {
  return typeof name === 'string' ? name : nameText(name);
}

async function realTextOf(path: string): Promise<string> {
  return nameOf(await realpath(systemPath(path), NAME_ENCODING as 'buffer'));
}

/** The root is compared as text; paths below it as encoded bytes. */
function textBelow(root: string, real: Uint8Array): string {
  const start = Buffer.from(root);
  const isBelow = start.equals(real.subarray(0, start.length));
  return isBelow ? root + nameText(real.subarray(start.length)) : nameText(real);
}

async function realPathOf(path: string, stats: Stats): Promise<string> {
  const real = await realTextOf(path);
  const now = await lstat(systemPath(real));
  if (now.ino !== stats.ino || now.dev !== stats.dev) throw new PathError('outside', path);
  return real;
}

/** The path to write, with a link at its end replaced by its target inside the root. */
async function resolveTarget(root: string, path: string): Promise<string> {
  try {
    const link = await lstat(join(root, path));
    if (!link.isSymbolicLink()) return path;
    const target = await realpath(join(root, path));
    if (!isWithin(root, target)) throw new PathError('outside', path);
    return relative(root, target).split(sep).join('/');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOTDIR') return path;
    if (code !== 'ENOENT') throw await failureInside(root, path, error);
    if (await lstat(join(root, path)).catch(() => undefined)) throw new PathError('outside', path, error);
    return path;
  }
}

async function modeToKeep(file: string, path: string): Promise<number | undefined> {
  const stats = await lstat(file).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) throw new PathError('outside', path);
  if (!stats.isFile()) throw new PathError('not-a-file', path);
  // A rename would replace a file that its owner made read-only.
  if (process.platform !== 'win32') await access(file, constants.W_OK);
  return stats.mode & 0o777;
}

async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isFolderLink(root: string, link: string): Promise<boolean> {
  try {
    const target = await realTextOf(link);
    return isWithin(root, target) && (await lstat(systemPath(target))).isDirectory();
  } catch {
    return false; // dangling, looping or unreadable: listed as a link
  }
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): FolderEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function parentOf(path: string): string {
  const parent = dirname(path);
  return parent === '.' ? '' : parent;
}

const PROBLEMS: Record<string, PathError['problem']> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ELOOP: 'loop',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  EEXIST: 'exists',
  EISDIR: 'not-a-file',
  ENXIO: 'not-a-file',
  ENAMETOOLONG: 'invalid',
};

function asPathError(error: unknown, path: string): unknown {
  if (error instanceof PathError) return error;
  const problem = PROBLEMS[systemCode(error) ?? ''];
  return problem ? new PathError(problem, path, error) : error;
}
