import { gitError } from '../errors.ts';
import { readState } from '../reading/status.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import type { FilterState } from '../run/filters.ts';
import { filterProgram, type ProgramTrust } from './program-trust.ts';

/** What of a repository's own programs git would run, and what is left out while they are not trusted. */
export interface RepositoryPrograms {
  /** Filters that the repository's settings define; those of the user are not among them. */
  filters: FilterState[];
  /** Files of the folder that could not be compared, because a filter that converts them is not trusted. */
  notCompared: string[];
}

export interface TrustedFilter {
  name: string;
  /** Of the commands that the user saw. */
  fingerprint: string;
}

export async function readPrograms(place: GitFolder): Promise<RepositoryPrograms> {
  const { filters } = place.git;
  const isUnsure = filters.some(({ isTrusted }) => !isTrusted);
  return { filters: [...filters], notCompared: isUnsure ? (await readState(place)).notCompared : [] };
}

/** Throws NOT_FOUND (`filter`) when the repository has no such filter, or other commands than the user saw. */
export async function trustFilter(
  place: GitFolder,
  trust: ProgramTrust | undefined,
  { name, fingerprint }: TrustedFilter,
): Promise<void> {
  const filter = place.git.filters.find((one) => one.name === name && one.fingerprint === fingerprint);
  if (!filter || !trust) throw gitError('NOT_FOUND', { reason: 'filter' });
  await trust.trust(await filterProgram(place.repository, filter));
}
