import { relative, sep } from 'node:path';
import { PathError, realFolder } from '@fucina/shared';
import { gitError } from '../errors.ts';
import type { GitLauncher, GitRunner } from '../run/launcher.ts';
import { findRepository, type Repository } from './repository.ts';

/** A folder inside a repository, with git ready to run there. */
export interface GitFolder {
  /** Absolute real path. */
  folder: string;
  repository: Repository;
  /** The folder inside the repository, `/`-separated; '' at its root. */
  prefix: string;
  git: GitRunner;
}

/** Throws GIT_NOT_A_REPOSITORY, NOT_FOUND (the folder is missing) and what starting git throws. */
export async function openGitFolder(launcher: GitLauncher, folder: string): Promise<GitFolder> {
  const real = await existingFolder(folder);
  const repository = await findRepository(real);
  if (!repository) throw gitError('GIT_NOT_A_REPOSITORY');
  const git = await launcher.open(real, repository);
  return { folder: real, repository, prefix: relative(repository.root, real).split(sep).join('/'), git };
}

export async function existingFolder(folder: string): Promise<string> {
  try {
    return await realFolder(folder);
  } catch (error) {
    if (error instanceof PathError) throw gitError('NOT_FOUND', { reason: 'folder-gone', cause: error });
    throw error;
  }
}

/** A repository path relative to the folder; undefined outside the folder. */
export function insideFolder({ prefix }: Pick<GitFolder, 'prefix'>, repositoryPath: string): string | undefined {
  if (prefix === '') return repositoryPath;
  return repositoryPath.startsWith(`${prefix}/`) ? repositoryPath.slice(prefix.length + 1) : undefined;
}

export function inRepository({ prefix }: Pick<GitFolder, 'prefix'>, path: string): string {
  return prefix === '' ? path : `${prefix}/${path}`;
}
