import { isBelow, movedPath } from './paths.ts';

/** The open files, and the closed ones, latest last. */
export interface OpenFiles {
  paths: readonly string[];
  closed: readonly string[];
}

export const NO_OPEN_FILES: OpenFiles = { paths: [], closed: [] };
const MOST_REMEMBERED = 20;

/** Appended; an open file keeps its position. */
export function withFileOpened(files: OpenFiles, path: string): OpenFiles {
  if (files.paths.includes(path)) return files;
  return { paths: [...files.paths, path], closed: files.closed.filter((one) => one !== path) };
}

/** Closes it, and returns the next current file: its neighbor, preferably the one after it. */
export function withFileClosed(files: OpenFiles, path: string): { files: OpenFiles; next: string | undefined } {
  const at = files.paths.indexOf(path);
  if (at < 0) return { files, next: undefined };
  const paths = files.paths.filter((one) => one !== path);
  return {
    files: { paths, closed: [...files.closed.filter((one) => one !== path), path].slice(-MOST_REMEMBERED) },
    next: paths[at] ?? paths[at - 1],
  };
}

export const lastClosedFile = (files: OpenFiles): string | undefined => files.closed.at(-1);

/** After an entry (with its contents) was moved or renamed. */
export function withEntryMoved(files: OpenFiles, from: string, to: string): OpenFiles {
  const follow = (path: string) => movedPath(path, from, to) ?? path;
  return { paths: [...new Set(files.paths.map(follow))], closed: [...new Set(files.closed.map(follow))] };
}

/** After an entry (with its contents) was deleted. */
export function withEntryRemoved(files: OpenFiles, path: string): OpenFiles {
  const stays = (one: string) => one !== path && !isBelow(one, path);
  return { paths: files.paths.filter(stays), closed: files.closed.filter(stays) };
}
