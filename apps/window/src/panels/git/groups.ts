import type { GitArea, GitEntry, GitState } from '../../wire/git.ts';

export const GROUPS = ['conflicts', 'staged', 'changed', 'fresh'] as const;
export type GroupName = (typeof GROUPS)[number];

/** A file in one of the groups; a partly staged one is in two. */
export interface GroupedFile {
  entry: GitEntry;
  group: GroupName;
  area: GitArea;
  /** M A D R C T, `?` for an untracked file, `U` for a conflict. */
  letter: string;
}

export interface ChangeGroup {
  name: GroupName;
  files: GroupedFile[];
}

function placesOf(entry: GitEntry): GroupedFile[] {
  if (entry.isConflict) return [{ entry, group: 'conflicts', area: 'worktree', letter: 'U' }];
  if (entry.kind === 'untracked') return [{ entry, group: 'fresh', area: 'worktree', letter: '?' }];
  const places: GroupedFile[] = [];
  if (entry.isStaged) places.push({ entry, group: 'staged', area: 'index', letter: entry.x });
  if (entry.isUnstaged) places.push({ entry, group: 'changed', area: 'worktree', letter: entry.y });
  return places;
}

/** The non-empty groups, those that need attention first. */
export function groupsOf(state: GitState): ChangeGroup[] {
  const places = state.entries.filter(({ kind }) => kind !== 'ignored').flatMap(placesOf);
  return GROUPS.map((name) => ({ name, files: places.filter(({ group }) => group === name) })).filter(
    ({ files }) => files.length > 0,
  );
}

/** The current area of a file viewed in `area`: the same, the other, or none. */
export function currentEntryOf(state: GitState, path: string, area: GitArea): GroupedFile | undefined {
  const places = state.entries.filter((entry) => entry.path === path).flatMap(placesOf);
  return places.find((place) => place.area === area) ?? places[0];
}

/** The file whose diff is shown: the named one, or the first of the list. */
export function shownFileOf(
  state: GitState,
  { file, area }: { file: string | undefined; area: GitArea },
): GroupedFile | undefined {
  return file === undefined ? groupsOf(state)[0]?.files[0] : currentEntryOf(state, file, area);
}

/** A rename has two paths. */
export const pathsOf = (files: readonly GroupedFile[]): string[] => [
  ...new Set(
    files.flatMap(({ entry, group }) => [entry.path, ...(group === 'staged' && entry.from ? [entry.from] : [])]),
  ),
];

/** The interface's limit of paths per request. */
const MOST_PATHS = 1_000;

export function splitPaths(paths: readonly string[]): string[][] {
  const pieces: string[][] = [];
  for (let from = 0; from < paths.length; from += MOST_PATHS) pieces.push(paths.slice(from, from + MOST_PATHS));
  return pieces;
}

/** A nested repository cannot be discarded, and a conflict must be resolved first. */
export const canDiscard = ({ entry, group }: GroupedFile): boolean =>
  (group === 'changed' || group === 'fresh') && !entry.isNestedRepository;
