import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin, PathError, parseRelativePath, type ToolResult, textStart } from '@fucina/shared';

export interface LocatedPath {
  /** Absolute real path that limits the access: the session's folder, or the disk at Full access. */
  root: string;
  /** Relative to the root. */
  path: string;
  /** Relative to the session's folder: for the model, the events and the card. */
  label: string;
}

/** Locates a path given by the model. Throws PathError `invalid` or `outside`; no disk access. */
export function locate(text: string, { folder, isWholeDisk }: { folder: string; isWholeDisk: boolean }): LocatedPath {
  const inner = innerPath(text, folder);
  if (inner !== undefined) {
    const path = parseRelativePath(inner, { allowRoot: true });
    return { root: folder, path, label: path };
  }
  if (!isWholeDisk) throw new PathError('outside', text);
  if (text.includes('\0') || /^[\\/]{2}/.test(text)) throw new PathError('invalid', text);
  const absolute = resolve(folder, text);
  const root = resolve('/');
  const path = parseRelativePath(absolute.slice(root.length).split(sep).join('/'), { allowRoot: true });
  return { root, path, label: relative(folder, absolute).split(sep).join('/') };
}

/** The path for the approval card: like `label` above if it is valid, else the model's text, normalized. */
export function shownPath(text: string, folder: string): string {
  try {
    const inner = innerPath(text, folder);
    if (inner !== undefined) return parseRelativePath(inner, { allowRoot: true });
  } catch {
    // Invalid: the run rejects it; the card shows the original.
  }
  return posix.normalize(text);
}

/** Relative to the folder if the text names something inside it, even as an absolute path or address of a file. */
function innerPath(written: string, folder: string): string | undefined {
  const text = written.startsWith('file:///') ? pathOfAddress(written) : written;
  if (!isAbsolute(text)) return text.split('/').includes('..') ? climbing(text, folder) : text;
  if (text.startsWith('//')) return undefined;
  const absolute = resolve(text);
  return isWithin(folder, absolute) ? relative(folder, absolute).split(sep).join('/') : undefined;
}

function pathOfAddress(address: string): string {
  try {
    return fileURLToPath(address);
  } catch {
    return address; // not an address of this system: an invalid path
  }
}

/** `a/../b` means `b`; a path that leaves the folder is undefined. */
function climbing(text: string, folder: string): string | undefined {
  const absolute = resolve(folder, text);
  return isWithin(folder, absolute) ? relative(folder, absolute).split(sep).join('/') : undefined;
}

export function failure(content: string): ToolResult {
  return { content, isError: true };
}

/** The message for the model about an unusable path; other errors are rethrown. */
export function pathFailure(error: unknown, text: string): ToolResult {
  if (!(error instanceof PathError)) throw error;
  const shown = JSON.stringify(textStart(text, 300));
  switch (error.problem) {
    case 'invalid':
      return failure(`Invalid path ${shown}: use a plain path relative to the session folder, separated by "/".`);
    case 'outside':
      return failure(`${shown} is outside the session folder; this session may only use files inside it.`);
    case 'loop':
      return failure(`${shown} is a link that leads back to itself.`);
    case 'missing':
      return failure(`${shown} does not exist. Search for its name.`);
    case 'not-a-file':
      return failure(`${shown} is not a regular file.`);
    case 'not-a-folder':
      return failure(`A part of ${shown} is a file, not a folder.`);
    case 'too-large':
      return failure(
        `${shown} is too large (limit 32 MiB, for a PDF or Office document 256 MiB). Search it or run a command to look at parts of it.`,
      );
    case 'exists':
      return failure(`${shown} already exists.`);
    case 'denied':
      return failure(`The system denies access to ${shown} (permissions).`);
  }
}
