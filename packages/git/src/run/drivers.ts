import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Ambient, entryAt, readRegularFile } from '@fucina/shared';
import { commonDirOf, type Repository } from '../repository/repository.ts';
import { type RepositoryFilter, repositoryFilters } from './filters.ts';
import { type ConfigEntry, driverOverrides } from './overrides.ts';
import { parseSettings } from './setting-listing.ts';

export interface RepositoryDrivers {
  overrides: readonly ConfigEntry[];
  filters: readonly RepositoryFilter[];
  /** A filter is defined by the repository, the user or the system. */
  hasFilters: boolean;
}

/** A repository's own drivers, cached while the files that define them are unchanged. */
export interface Drivers {
  /** `list` runs git; see `parseSettings`. */
  of(repository: Repository, list: () => Promise<string>): Promise<RepositoryDrivers>;
}

/** A file changed this recently may change again without a new timestamp. */
const FRESH_MS = 2000;
const MAX_STORED = 200;
const MAX_BYTES = 4 * 1024 * 1024;

export function createDrivers({ ambient }: { ambient: Ambient }): Drivers {
  const kept = new Map<string, { print: string; drivers: RepositoryDrivers }>();
  return {
    async of(repository, list) {
      const print = await printOf(repository, ambient.now() - FRESH_MS);
      const known = kept.get(repository.gitDir);
      if (print !== undefined && known?.print === print) return known.drivers;
      const settings = parseSettings(await list());
      const drivers = {
        overrides: driverOverrides(settings),
        filters: repositoryFilters(settings),
        hasFilters: settings.some(({ key }) => /^filter\./i.test(key)),
      };
      kept.delete(repository.gitDir);
      const isSure = print !== undefined && print === (await printOf(repository, ambient.now() - FRESH_MS));
      if (isSure && !(await includesOthers(repository))) kept.set(repository.gitDir, { print, drivers });
      if (kept.size > MAX_STORED) kept.clear();
      return drivers;
    },
  };
}

/** Identifies the files with the repository's settings; undefined when they are too fresh to be sure. */
async function printOf(repository: Repository, settledBefore: number): Promise<string | undefined> {
  const prints: string[] = [];
  for (const path of await settingsOf(repository)) {
    try {
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stats && Number(stats.ctimeNs / 1_000_000n) > settledBefore) return undefined;
      prints.push(stats ? [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':') : '');
    } catch {
      return undefined;
    }
  }
  return prints.join(' ');
}

async function settingsOf(repository: Repository): Promise<string[]> {
  return [join(await commonDirOf(repository), 'config'), join(repository.gitDir, 'config.worktree')];
}

async function includesOthers(repository: Repository): Promise<boolean> {
  for (const path of await settingsOf(repository)) {
    const bytes = await readRegularFile(path, MAX_BYTES);
    if (bytes === undefined ? entryAt(path) !== undefined : /include/i.test(bytes.toString('latin1'))) return true;
  }
  return false;
}
