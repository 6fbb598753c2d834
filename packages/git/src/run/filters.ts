import { createHash } from 'node:crypto';
import { type ConfigEntry, YES } from './overrides.ts';
import type { Setting } from './setting-listing.ts';

/** A filter whose commands the repository's own settings define; files come under it by their `filter` attribute. */
export interface RepositoryFilter {
  name: string;
  /** Command lines as written in the settings; null when there is none. */
  clean: string | null;
  smudge: string | null;
  process: string | null;
  isRequired: boolean;
  /** SHA-256 (hex) of all of the above: what the user trusts. */
  fingerprint: string;
}

export interface FilterState extends RepositoryFilter {
  isTrusted: boolean;
}

const VARIABLES = ['clean', 'smudge', 'process', 'required'] as const;
type Variables = Partial<Record<(typeof VARIABLES)[number], string>>;

/** Filters of the repository. Where it repeats what the user set for all repositories, the filter is the user's. */
export function repositoryFilters(settings: readonly Setting[]): RepositoryFilter[] {
  const own = new Map<string, Variables>();
  const personal = new Map<string, Variables>();
  for (const { isPersonal, key, value } of settings) {
    const [, name, variable] = /^filter\.(.*)\.([^.]+)$/s.exec(key) ?? [];
    if (name === undefined || !isVariable(variable)) continue;
    const filters = isPersonal ? personal : own;
    filters.set(name, { ...filters.get(name), [variable]: value });
  }
  return [...own].flatMap(([name, variables]) => {
    const users: Variables = personal.get(name) ?? {};
    const isUsers = VARIABLES.every((variable) => (variables[variable] ?? users[variable]) === users[variable]);
    return isUsers ? [] : [filterOf(name, { ...users, ...variables })];
  });
}

const isVariable = (name: string | undefined): name is keyof Variables =>
  (VARIABLES as readonly (string | undefined)[]).includes(name);

function filterOf(name: string, { clean, smudge, process, required }: Variables): RepositoryFilter {
  const commands = { clean: clean ?? null, smudge: smudge ?? null, process: process ?? null };
  const isRequired = YES.test(required ?? '');
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([name, commands.clean, commands.smudge, commands.process, isRequired]))
    .digest('hex');
  return { name, ...commands, isRequired, fingerprint };
}

/**
 * Settings for the filters of a repository. A trusted one runs the commands that were trusted. One that is not trusted
 * makes git fail at the first file that needs it; only `isComparing`, for a command that just compares, lets the bytes
 * pass unchanged: the caller knows that the comparison of those files says nothing.
 */
export function filterOverrides(filters: readonly FilterState[], isComparing: boolean): ConfigEntry[] {
  return filters.flatMap((filter) => {
    const key = `filter.${filter.name}`;
    if (filter.isTrusted)
      return [
        ...(['clean', 'smudge', 'process'] as const).flatMap((name): ConfigEntry[] => {
          const command = filter[name];
          return command === null ? [] : [[`${key}.${name}`, command]];
        }),
        [`${key}.required`, String(filter.isRequired)],
      ];
    return [
      // With an empty `process`, git runs neither of the others.
      ...['clean', 'smudge', 'process'].map((name): ConfigEntry => [`${key}.${name}`, '']),
      [`${key}.required`, String(!isComparing)],
    ];
  });
}
