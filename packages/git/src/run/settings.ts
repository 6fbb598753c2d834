import type { GitRunner } from './launcher.ts';
import { succeeded } from './launcher.ts';
import { parseSettings, type Setting } from './setting-listing.ts';

/** Settings whose key matches, in git's order: of several values of one key the last applies. Ours are left out. */
export async function listSettings(git: GitRunner, pattern: string): Promise<Setting[]> {
  const args = ['config', '--null', '--show-scope', '--includes', '--get-regexp', pattern];
  const outcome = await git.run(args);
  // Exit 1: no such key.
  return parseSettings(outcome.exitCode === 1 ? '' : succeeded(outcome, args).toString('utf8'));
}
