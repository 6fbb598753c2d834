import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { matchesPath } from '@fucina/shared';
import { mayOverlap } from './glob-overlap.ts';

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

/**
 * Whether a name with `*` or `?`, as a command line has it, may be one of the files of a pattern. Names at any depth
 * count by their last part, and what leads out of the folder counts as one that may.
 */
export function mayFitGlob(glob: string, pattern: string, folder: string): boolean {
  return (alternativesOf(pattern) ?? [pattern]).some((one) => mayFitOne(glob, one, folder));
}

function mayFitOne(glob: string, pattern: string, folder: string): boolean {
  const whole = pattern.startsWith('~/') ? `${homedir().split(sep).join('/')}/${pattern.slice(2)}` : pattern;
  const isName = !whole.replace(/^\.\//, '').includes('/');
  const named = resolve(folder, glob).split(sep).join('/');
  const full = isName ? `**/${whole}` : resolve(folder, whole).split(sep).join('/');
  const parts = (text: string): string[] => text.toLowerCase().split('/').filter(Boolean);
  return mayOverlap(parts(named), parts(full));
}

/**
 * `~/…` and `/…` from the home and the root; a bare name at any depth; anything else from the folder. `{a,b}` stands for
 * each of its parts, and for itself.
 */
export function fitsPath(pattern: string, place: Place, options: { ignoresCase: boolean }): boolean {
  return (alternativesOf(pattern) ?? [pattern]).some((one) => fitsOne(one, place, options));
}

const MAX_ALTERNATIVES = 64;

/** The pattern itself, and the texts that its braces stand for; undefined for too many. */
export function alternativesOf(pattern: string): readonly string[] | undefined {
  if (!pattern.includes('{')) return [pattern];
  let found = [pattern];
  for (;;) {
    const next = found.flatMap((text) => {
      const [, before = '', list = '', behind = ''] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(text) ?? [];
      return list === '' ? [text] : list.split(',').map((part) => before + part + behind);
    });
    if (next.length === found.length) return [pattern, ...found];
    if (next.length > MAX_ALTERNATIVES) return undefined;
    found = next;
  }
}

function fitsOne(pattern: string, place: Place, { ignoresCase }: { ignoresCase: boolean }): boolean {
  const isAbsolute = pattern.startsWith('/') || pattern.startsWith('~/') || /^[a-z]:/i.test(pattern);
  const subject = isAbsolute ? place.absolute.split(sep).join('/') : place.inside;
  if (subject === undefined) return false;
  const fold = (text: string): string[] => (ignoresCase ? text.toLowerCase() : text).split('/').filter(Boolean);
  const full = pattern.startsWith('~/') ? `${homedir().split(sep).join('/')}/${pattern.slice(2)}` : pattern;
  const isName = !full.replace(/^\.\//, '').includes('/');
  const segments = full.replace(/^\.\//, '');
  return matchesPath([...(isName ? ['**'] : []), ...fold(segments)], fold(subject));
}
