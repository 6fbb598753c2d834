import { dirname, relative, sep } from 'node:path';
import { linksInGitFolders } from '@fucina/sandbox';
import { gitError } from '../errors.ts';
import { commonDirOf, type Repository } from './repository.ts';

/**
 * Refuses a repository in whose git folder something that git writes is a link to another place: git follows it. Links
 * that stay in the git folder are git's own, and those to the same part of another git folder are how `git-new-workdir`
 * and `repo` share one: the targets of those are returned, absolute real paths. Throws GIT_COMMAND_FAILED
 * (`link-in-git-folder`).
 */
export async function refuseLinks(repository: Repository): Promise<string[]> {
  const roots = [...new Set([repository.gitDir, await commonDirOf(repository)])];
  const shared: string[] = [];
  for (const { path, root, leadsTo } of await linksInGitFolders(roots)) {
    if (leadsTo === undefined)
      throw gitError('GIT_COMMAND_FAILED', {
        reason: 'link-in-git-folder',
        params: { path: relative(dirname(root), path).split(sep).join('/') },
      });
    if (leadsTo !== 'inside') shared.push(leadsTo.shared);
  }
  return shared;
}
