import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import type { Environment } from './child-environment.ts';
import { realPathAt } from './disk-facts.ts';
import { isWithin } from './safe-path.ts';

/** The user's home folder, absolute. */
export function homeOf(environment: Environment): string {
  const home = environment.HOME;
  return home !== undefined && isAbsolute(home) ? home : homedir();
}

/**
 * Whether a folder contains the user's home folder or Fucina's data: write access to it would include both. `folder` is
 * an absolute real path.
 */
export function isTooWide(folder: string, environment: Environment, dataDir: string): boolean {
  const named = [homeOf(environment), dataDir];
  return [...named, ...named.map((path) => realPathAt(path) ?? path)].some((path) => isWithin(folder, path));
}
