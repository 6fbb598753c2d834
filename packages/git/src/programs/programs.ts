import { gitError } from '../errors.ts';
import type { HookRun } from '../hooks/hook-runs.ts';
import type { AtHooked, HookChoice, HookedFolder, HookState } from '../hooks/hooks.ts';
import { readState } from '../reading/status.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import type { FilterState } from '../run/filters.ts';
import { filterProgram, type ProgramTrust } from './program-trust.ts';

/** What of a repository's own programs would run, and what is left out while they are not trusted. */
export interface RepositoryPrograms {
  /** Filters that the repository's settings define; those of the user are not among them. */
  filters: FilterState[];
  /** Hooks of the repository, with the files that decide what they do. */
  hooks: HookState[];
  /** Files of the folder that could not be compared, because a filter that converts them is not trusted. */
  notCompared: string[];
}

export interface TrustedFilter {
  name: string;
  /** Of the commands that the user saw. */
  fingerprint: string;
}

/** Programs that a repository brings along, which run only after the user trusts them. */
export interface GitPrograms {
  read(folder: string): Promise<RepositoryPrograms>;
  /** NOT_FOUND when the repository has no such filter, or its commands have changed. */
  trustFilter(folder: string, filter: TrustedFilter): Promise<RepositoryPrograms>;
  /** NOT_FOUND when the repository has no such hook, or its files have changed. */
  chooseHook(folder: string, choice: HookChoice): Promise<RepositoryPrograms>;
  /** Of the last operation that ran hooks, and of one that runs them. */
  hookRuns(folder: string): Promise<HookRun[]>;
  /** Ends the running hook, which fails its operation; false when none runs. */
  stopHook(folder: string): Promise<boolean>;
  /** Output of the hooks that run from now on; resolves with how to end that. */
  followHooks(folder: string, onText: (text: string) => void): Promise<() => void>;
}

export function createPrograms(at: AtHooked, trust: ProgramTrust | undefined): GitPrograms {
  return {
    read: (folder) => at(folder, readPrograms),
    async trustFilter(folder, filter) {
      await at(folder, (place) => trustFilter(place, trust, filter));
      return at(folder, readPrograms);
    },
    async chooseHook(folder, choice) {
      await at(folder, (place) => place.hooks.choose(place, choice));
      return at(folder, readPrograms);
    },
    hookRuns: (folder) => at(folder, async (place) => [...place.hooks.runs(place)]),
    stopHook: (folder) => at(folder, async (place) => place.hooks.stop(place)),
    followHooks: (folder, onText) => at(folder, async (place) => place.hooks.follow(place, onText)),
  };
}

async function readPrograms(place: HookedFolder): Promise<RepositoryPrograms> {
  const { filters } = place.git;
  const isUnsure = filters.some(({ isTrusted }) => !isTrusted);
  const hooks = await place.hooks.list(place);
  return { filters: [...filters], hooks, notCompared: isUnsure ? (await readState(place)).notCompared : [] };
}

/** Throws NOT_FOUND (`filter`) when the repository has no such filter, or other commands than the user saw. */
async function trustFilter(
  place: GitFolder,
  trust: ProgramTrust | undefined,
  { name, fingerprint }: TrustedFilter,
): Promise<void> {
  const filter = place.git.filters.find((one) => one.name === name && one.fingerprint === fingerprint);
  if (!filter || !trust) throw gitError('NOT_FOUND', { reason: 'filter' });
  await trust.trust(await filterProgram(place.repository, filter));
}
