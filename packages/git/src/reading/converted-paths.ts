import type { GitFolder } from '../repository/git-folder.ts';
import { binary } from '../repository/paths.ts';
import { type GitOptions, succeeded } from '../run/launcher.ts';

/** Attributes by which git holds other bytes than the disk. `text` alone is none: then the sizes differ. */
const ATTRIBUTES = ['filter', 'ident', 'working-tree-encoding', 'eol'];
const NONE = new Set(['unspecified', 'unset', 'lf']);
const AT_ONCE = 20_000;

/** Whether settings convert the line ends of every text file. */
export async function isWholeConverted({ git }: GitFolder): Promise<boolean> {
  const args = ['config', '--null', '--includes', '--get-regexp', '^core\\.(autocrlf|eol)$'];
  const listed = await git.run(args);
  // Exit 1: no such key.
  const settings = listed.exitCode === 1 ? '' : succeeded(listed, args).toString('utf8');
  return settings.split('\0').some((entry) => /^core\.(autocrlf\n(true|yes|on|1)|eol\n(crlf|native))$/i.test(entry));
}

/** Those of these files (NUL-terminated names) that git holds in another form than the disk, as git stores the paths. */
export async function convertedPaths(
  { git, repository }: GitFolder,
  names: readonly Buffer[],
  options: GitOptions,
): Promise<string[]> {
  const converted: string[] = [];
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const args = ['check-attr', '-z', '--stdin', ...ATTRIBUTES];
    const input = Buffer.concat(names.slice(from, from + AT_ONCE));
    const fields = binary(succeeded(await git.run(args, { ...options, folder: repository.root, input }), args)).split(
      '\0',
    );
    // Path, attribute and value in turn.
    for (let at = 0; at + 2 < fields.length; at += 3)
      if (!NONE.has(fields[at + 2] ?? '') && converted.at(-1) !== fields[at]) converted.push(fields[at] ?? '');
  }
  return converted;
}
