import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { matchesPath } from '@fucina/shared';

/** One way to name the subject of a call. */
export interface Place {
  absolute: string;
  /** `/`-separated; undefined outside the folder. */
  inside: string | undefined;
}

/** As written, and with links resolved. */
export async function placesOf(path: string, folder: string): Promise<Place[]> {
  const written = resolve(folder, path);
  const real = await realPlace(written);
  return [...new Set([written, real])].map((absolute) => placeOf(absolute, folder));
}

async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    // Does not exist yet: resolves its existing part.
    return parent === path ? path : join(await realPlace(parent), relative(parent, path));
  }
}

/** Of a path that is known to lead through no link. */
export const placeOf = (absolute: string, folder: string): Place => ({ absolute, inside: insideOf(absolute, folder) });

function insideOf(absolute: string, folder: string): string | undefined {
  const path = relative(folder, absolute).split(sep).join('/');
  return path === '..' || path.startsWith('../') || path === absolute ? undefined : path;
}

/** `~/…` and `/…` from the home and the root; a bare name at any depth; anything else from the folder. */
export function fitsPath(pattern: string, place: Place, { ignoresCase }: { ignoresCase: boolean }): boolean {
  const isAbsolute = pattern.startsWith('/') || pattern.startsWith('~/') || /^[a-z]:/i.test(pattern);
  const subject = isAbsolute ? place.absolute.split(sep).join('/') : place.inside;
  if (subject === undefined) return false;
  const fold = (text: string): string[] => (ignoresCase ? text.toLowerCase() : text).split('/').filter(Boolean);
  const full = pattern.startsWith('~/') ? `${homedir().split(sep).join('/')}/${pattern.slice(2)}` : pattern;
  const isName = !full.replace(/^\.\//, '').includes('/');
  const segments = full.replace(/^\.\//, '');
  return matchesPath([...(isName ? ['**'] : []), ...fold(segments)], fold(subject));
}
