import { isUtf8 } from 'node:buffer';
import { nameBytes, nameText, textStart } from '@fucina/shared';
import { gitError } from '../errors.ts';

const MAX_PATH_BYTES = 4096;
const MAX_PATHS = 1000;

/** Bytes as one character each, to split git's output without loss. */
export const binary = (bytes: Buffer): string => bytes.toString('latin1');
export const readable = (text: string): string =>
  /[^\x20-\x7e]/.test(text) ? nameText(Buffer.from(text, 'latin1')) : text;

/** The inverse of `binary`. */
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');
/** Paths from git's own output, in the form of `FROM_INPUT`. */
export const rawInput = (paths: readonly string[]): Buffer => bytesOf(paths.map((path) => `${path}\0`).join(''));

/**
 * Throws GIT_PATH_INVALID for anything that could leave the folder or be interpreted as something else than a path.
 */
export function checkPath(path: string): string {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  const isFine =
    trimmed !== '' &&
    Buffer.byteLength(trimmed) <= MAX_PATH_BYTES &&
    !/^[:/]/.test(trimmed) &&
    !(process.platform === 'win32' && /[\\:]/.test(trimmed)) &&
    !/[\0\p{Surrogate}]/u.test(trimmed) &&
    trimmed.split('/').every((segment) => !['', '.', '..'].includes(segment) && segment.toLowerCase() !== '.git');
  if (!isFine) throw gitError('GIT_PATH_INVALID', { params: { path: textStart(path, 200) } });
  return trimmed;
}

/** Throws GIT_PATHS_REQUIRED, GIT_PATH_INVALID. */
export function checkPaths(paths: readonly string[]): string[] {
  if (paths.length === 0) throw gitError('GIT_PATHS_REQUIRED');
  if (paths.length > MAX_PATHS) throw gitError('GIT_PATH_INVALID', { reason: 'too-many' });
  return [...new Set(paths.map(checkPath))];
}

/** The paths for git's standard input: bytes, each ended by a NUL. Throws GIT_PATH_INVALID. */
export function pathInput(paths: readonly string[]): Buffer {
  return Buffer.concat(paths.flatMap((path) => [pathBytes(path), Buffer.of(0)]));
}

export const PATHSPEC_FROM_STDIN = ['--pathspec-from-file=-', '--pathspec-file-nul'];

/**
 * The paths as arguments after `--`, with the options that they need. Arguments are text: in a name that is not valid
 * text, a wildcard replaces each non-ASCII byte, so that git may also return other names (`ofPath`).
 */
export function pathArguments(paths: readonly string[]): { args: string[]; environment: Record<string, string> } {
  const bytes = paths.map(pathBytes);
  if (bytes.every((path) => isUtf8(path))) return { args: bytes.map(String), environment: {} };
  const args = bytes.map(
    (path) =>
      `:(glob)${binary(path)
        .replace(/[\\*?[]/g, '\\$&')
        .replace(/[\x80-\xff]/g, '?')}`,
  );
  return { args, environment: { GIT_LITERAL_PATHSPECS: '0' } };
}

/** The parts of a diff that name one of the paths; needed only when a name is not valid text. */
export function diffOfPaths(difference: Buffer, paths: readonly string[]): Buffer {
  const bytes = paths.map(pathBytes);
  if (bytes.every((path) => isUtf8(path))) return difference;
  const parts = binary(difference).split(/^(?=diff --git )/m);
  const names = bytes.map(quotedByGit);
  return bytesOf(
    parts.filter((part) => names.some((name) => part.slice(0, part.indexOf('\n')).includes(name))).join(''),
  );
}

/** As git writes a name in a diff header. */
function quotedByGit(path: Buffer): string {
  const named: Record<number, string> = { 9: '\\t', 10: '\\n', 13: '\\r', 34: '\\"', 92: '\\\\' };
  const written = [...path].map((byte) => {
    if (named[byte] !== undefined) return named[byte];
    return byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte);
  });
  return `/${written.join('')}"`;
}

function pathBytes(path: string): Buffer {
  try {
    return nameBytes(path);
  } catch (cause) {
    throw gitError('GIT_PATH_INVALID', { reason: 'name-not-text', cause });
  }
}
