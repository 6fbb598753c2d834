import { isAbsolute, normalize } from 'node:path';
import { isPortableName } from './portable-name.ts';

export type PathProblem =
  | 'invalid'
  | 'outside'
  /** Error codes of link loops. */
  | 'loop'
  | 'missing'
  | 'not-a-file'
  | 'not-a-folder'
  | 'too-large'
  | 'exists'
  | 'denied';

/** The problem of a path, without its target. Each domain maps `problem` to its own code. */
export class PathError extends Error {
  override readonly name = 'PathError';
  readonly problem: PathProblem;
  /** The requested path, never its resolved target. */
  readonly path: string;

  constructor(problem: PathProblem, path: string, cause?: unknown) {
    super(`${problem}: ${JSON.stringify(path)}`, { cause });
    this.problem = problem;
    this.path = path;
  }
}

const MAX_PATH_BYTES = 4096;
const MAX_SEGMENT_BYTES = 255;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]/u;
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** Encoded bytes of a name (`name-text.ts`): allowed when reading, never when creating. */
export const ESCAPED_NAME = /[\uef00-\uefff]/;

/**
 * A path relative to some folder, `/`-separated, without `.` or empty segments: pure, no disk access. `''` is the
 * folder itself and needs `allowRoot`. Rejected on every system: control characters, absolute and UNC paths, `..`,
 * backslashes, segments of more than 255 bytes. Names that are not portable are rejected on Windows only: elsewhere they
 * are files like others.
 */
export function parseRelativePath(text: string, options: { allowRoot?: boolean } = {}): string {
  if (Buffer.byteLength(text) > MAX_PATH_BYTES || CONTROL.test(text)) throw new PathError('invalid', text);
  if (text.startsWith('/') || text.includes('\\')) throw new PathError('invalid', text);
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (!segments.every(isSafeSegment)) throw new PathError('invalid', text);
  if (segments.length === 0 && !(options.allowRoot && (text === '' || text === '.' || text === './'))) {
    throw new PathError('invalid', text);
  }
  return segments.join('/');
}

/**
 * One name for a new entry that a user names. In addition to what paths reject: slashes, a leading dash, text-direction
 * marks. Names that are not portable are rejected on Windows only, like those of paths.
 */
export function parseFileName(text: string): string {
  if (text.includes('/') || text.startsWith('-') || ESCAPED_NAME.test(text) || text === '.' || BIDI.test(text))
    throw new PathError('invalid', text);
  return parseRelativePath(text);
}

/**
 * An absolute path of this computer, normalized. Rejects `..`, control characters, UNC and device paths: pure, no disk
 * access.
 */
export function parseAbsolutePath(text: string): string {
  if (Buffer.byteLength(text) > MAX_PATH_BYTES || CONTROL.test(text)) throw new PathError('invalid', text);
  if (/^[\\/]{2}/.test(text) || !isAbsolute(text)) throw new PathError('invalid', text);
  const segments = text.split(process.platform === 'win32' ? /[\\/]/ : '/');
  if (segments.includes('..') || segments.some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)) {
    throw new PathError('invalid', text);
  }
  const path = normalize(text);
  return path.length > 1 && /[^:][\\/]$/.test(path) ? path.slice(0, -1) : path;
}

/** The result of one of these parsers; undefined for a rejected text. */
export function accepted(parse: (text: string) => string, text: string): string | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}

function isSafeSegment(segment: string): boolean {
  if (segment === '..' || Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return false;
  return process.platform !== 'win32' || isPortableName(segment);
}
