import { createHash } from 'node:crypto';
import { commonDirOf, type Repository } from '../repository/repository.ts';
import type { RepositoryFilter } from '../run/filters.ts';

/** Something of a repository that git would run. */
export interface RepositoryProgram {
  /** Usable as the name of a file. */
  id: string;
  /** The data that all work trees of the repository share. */
  folder: string;
  /** SHA-256 (hex) of what would run. */
  sha256: string;
}

/** The user's trust, stored outside the repository. */
export interface ProgramTrust {
  isTrusted(program: RepositoryProgram): Promise<boolean>;
  trust(program: RepositoryProgram): Promise<void>;
}

export async function filterProgram(
  repository: Repository,
  { name, fingerprint }: Pick<RepositoryFilter, 'name' | 'fingerprint'>,
): Promise<RepositoryProgram> {
  const id = `git-filter-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
  return { id, folder: await commonDirOf(repository), sha256: fingerprint };
}
