import { gitError } from '../errors.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { withIndexCopy } from '../repository/index-copy.ts';
import { binary, bytesOf, readable } from '../repository/paths.ts';
import { type GitOptions, succeeded } from '../run/launcher.ts';

type Place = Pick<GitFolder, 'git' | 'repository'>;

/**
 * Refuses to read or write files that a filter of the repository converts while the user does not trust it: git would
 * store or write other bytes than the filter. `paths` as git stores them; `commit`: also by the attributes of that
 * commit. Asks git only where there is such a filter. Throws GIT_COMMAND_FAILED (`filter-not-trusted`).
 */
export async function refuseFiltered(place: Place, paths: readonly string[], commit?: string): Promise<void> {
  for (const [path, filter] of await filteredFiles(place, paths, commit))
    throw gitError('GIT_COMMAND_FAILED', {
      reason: 'filter-not-trusted',
      params: { filter, path: readable(path) },
    });
}

/** The files among these that an untrusted filter of the repository converts, with its name. */
export async function filteredFiles(
  place: Place,
  paths: readonly string[],
  commit?: string,
): Promise<Map<string, string>> {
  const untrusted = new Set(place.git.filters.filter(({ isTrusted }) => !isTrusted).map(({ name }) => name));
  if (untrusted.size === 0 || paths.length === 0) return new Map();
  const found = await attributed(place, paths);
  if (commit !== undefined) {
    const later = await withIndexCopy(place, async (index) => {
      const options = { environment: { GIT_INDEX_FILE: index } };
      await place.git.text(['read-tree', commit], options);
      return attributed(place, paths, options);
    });
    for (const [path, filter] of later) found.set(path, filter);
  }
  return new Map([...found].filter(([, filter]) => untrusted.has(filter)));
}

async function attributed(
  { git, repository }: Place,
  paths: readonly string[],
  options?: GitOptions,
): Promise<Map<string, string>> {
  const args = ['check-attr', ...(options ? ['--cached'] : []), '-z', '--stdin', 'filter'];
  const input = bytesOf(paths.map((path) => `${path}\0`).join(''));
  const outcome = await git.run(args, { ...options, input, folder: repository.root });
  const fields = binary(succeeded(outcome, args)).split('\0');
  const found = new Map<string, string>();
  // Path, attribute and value in turn; a name that is no text is compared as its bytes.
  for (let at = 0; at + 2 < fields.length; at += 3)
    found.set(fields[at] ?? '', Buffer.from(fields[at + 2] ?? '', 'latin1').toString('utf8'));
  return found;
}
