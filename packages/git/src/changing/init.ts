import { isWithin } from '@fucina/shared';
import { gitError } from '../errors.ts';
import { type RepositoryState, readState } from '../reading/status.ts';
import { existingFolder, openGitFolder } from '../repository/git-folder.ts';
import { findRepository } from '../repository/repository.ts';
import { type GitLauncher, succeeded, WRITE_MS } from '../run/launcher.ts';

/**
 * Creates a repository in the folder itself. Throws GIT_ALREADY_A_REPOSITORY (also inside one), GIT_INIT_NEEDS_CONFIRM
 * (the folder contains the user's home).
 */
export async function initialise(
  launcher: GitLauncher,
  folder: string,
  { homeDir, isConfirmed }: { homeDir: string | undefined; isConfirmed: boolean },
): Promise<{ branch: string; state: RepositoryState }> {
  const real = await existingFolder(folder);
  if (await findRepository(real)) throw gitError('GIT_ALREADY_A_REPOSITORY');
  if (homeDir !== undefined && isWithin(real, homeDir) && !isConfirmed) throw gitError('GIT_INIT_NEEDS_CONFIRM');
  const git = launcher.outside(real);
  const ask = ['config', '--get', 'init.defaultBranch'];
  const asked = await git.run(ask);
  const configured = asked.exitCode === 1 ? '' : succeeded(asked, ask).toString('utf8').trim();
  const isFine = configured !== '' && (await git.run(['check-ref-format', '--branch', configured])).exitCode === 0;
  const branch = isFine ? configured : 'main';
  await git.text(['init', '--quiet', `--initial-branch=${branch}`], { timeoutMs: WRITE_MS });
  return { branch, state: await readState(await openGitFolder(launcher, real)) };
}
