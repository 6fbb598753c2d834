import { gitError } from './errors.ts';
import { succeeded } from './launcher.ts';
import type { Place } from './place.ts';

/** Names are bytes to git and text to a client: bytes that are no UTF-8 show as U+FFFD, and are looked up again by that text. */
const UNKNOWN = '\ufffd';
const MAX_PATH_BYTES = 4096;
const MAX_PATHS = 1000;

/** Bytes as one character each, for cutting git's output apart without losing any. */
export const binary = (bytes: Buffer): string => bytes.toString('latin1');
export const readable = (text: string): string =>
  /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;

/** The reverse of `binary`. */
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');
/** Paths of git's own output, as `FROM_INPUT` takes them. */
export const rawInput = (paths: readonly string[]): Buffer => bytesOf(paths.map((path) => `${path}\0`).join(''));

/** Throws GIT_PATH_INVALID for whatever could leave the folder or be taken for something else than a path. */
export function checkPath(path: string): string {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  const isFine =
    trimmed !== '' &&
    Buffer.byteLength(trimmed) <= MAX_PATH_BYTES &&
    !/^[-:/]/.test(trimmed) &&
    !(process.platform === 'win32' && /[\\:]/.test(trimmed)) &&
    !/[\0\p{Surrogate}]/u.test(trimmed) &&
    trimmed.split('/').every((segment) => !['', '.', '..'].includes(segment) && segment.toLowerCase() !== '.git');
  if (!isFine) throw gitError('GIT_PATH_INVALID', { params: { path: path.slice(0, 200) } });
  return trimmed;
}

/** Throws GIT_PATHS_REQUIRED, GIT_PATH_INVALID. */
export function checkPaths(paths: readonly string[]): string[] {
  if (paths.length === 0) throw gitError('GIT_PATHS_REQUIRED');
  if (paths.length > MAX_PATHS) throw gitError('GIT_PATH_INVALID', { reason: 'too-many' });
  return [...new Set(paths.map(checkPath))];
}

/** The paths as git takes them on standard input: bytes, each ended by a NUL. */
export async function pathInput(place: Place, paths: readonly string[]): Promise<Buffer> {
  const raw = await rawPaths(place, paths);
  return Buffer.concat(raw.flatMap((path) => [path, Buffer.of(0)]));
}

export const FROM_INPUT = ['--pathspec-from-file=-', '--pathspec-file-nul'];

/** As arguments, and what else git must be told for them. */
export async function pathArguments(
  place: Place,
  paths: readonly string[],
): Promise<{ args: string[]; environment: Record<string, string> }> {
  if (!paths.some((path) => path.includes(UNKNOWN))) return { args: [...paths], environment: {} };
  // An argument is text: the bytes that are none are matched as "any one".
  const args = (await rawPaths(place, paths)).map(
    (raw) =>
      `:(glob)${binary(raw)
        .replace(/[\\*?[]/g, '\\$&')
        .replace(/[\x80-\xff]/g, '?')}`,
  );
  return { args, environment: { GIT_LITERAL_PATHSPECS: '0' } };
}

async function rawPaths(place: Place, paths: readonly string[]): Promise<Buffer[]> {
  if (!paths.some((path) => path.includes(UNKNOWN))) return paths.map((path) => Buffer.from(path));
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = binary(succeeded(await place.git.run(args), args)).split('\0');
  return paths.map((path) => {
    if (!path.includes(UNKNOWN)) return Buffer.from(path);
    const found = new Set(listed.filter((name) => readable(name) === path));
    const [name] = found;
    if (name === undefined || found.size > 1) throw gitError('GIT_PATH_INVALID', { reason: 'name-not-text' });
    return Buffer.from(name, 'latin1');
  });
}
