/** Relative, `/`-separated paths of a session's folder; '' is the folder itself. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const childOf = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
export const isBelow = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`);

/** The new path after `from` was renamed to `to`; undefined: unaffected. */
export function movedPath(path: string, from: string, to: string): string | undefined {
  if (path === from) return to;
  return isBelow(path, from) ? `${to}${path.slice(from.length)}` : undefined;
}

/** Every parent folder of a path, nearest last. */
export function foldersAbove(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, at) => segments.slice(0, at + 1).join('/'));
}
