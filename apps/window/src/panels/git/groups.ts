import type { GitArea, GitEntry, GitState } from '../../wire/git.ts';

export const GROUPS = ['conflicts', 'staged', 'changed', 'fresh'] as const;
export type GroupName = (typeof GROUPS)[number];

/** A file in one of the groups; one that is staged in part stands in two of them. */
export interface GroupedFile {
  entry: GitEntry;
  group: GroupName;
  area: GitArea;
  /** M A D R C T, `?` for a new file, `U` for a conflict. */
  letter: string;
}

export interface ChangeGroup {
  name: GroupName;
  files: GroupedFile[];
}

function placesOf(entry: GitEntry): GroupedFile[] {
  if (entry.conflitto) return [{ entry, group: 'conflicts', area: 'lavoro', letter: 'U' }];
  if (entry.tipo === 'nonTracciato') return [{ entry, group: 'fresh', area: 'lavoro', letter: '?' }];
  const places: GroupedFile[] = [];
  if (entry.staged) places.push({ entry, group: 'staged', area: 'preparato', letter: entry.x });
  if (entry.nonStaged) places.push({ entry, group: 'changed', area: 'lavoro', letter: entry.y });
  return places;
}

/** The groups that hold something, what asks for attention first. */
export function groupsOf(state: GitState): ChangeGroup[] {
  const places = state.voci.filter(({ tipo }) => tipo !== 'ignorato').flatMap(placesOf);
  return GROUPS.map((name) => ({ name, files: places.filter(({ group }) => group === name) })).filter(
    ({ files }) => files.length > 0,
  );
}

/** Where a file is now that was looked at in `area`: there still, in the other area, or nowhere. */
export function currentEntryOf(state: GitState, path: string, area: GitArea): GroupedFile | undefined {
  const places = state.voci.filter(({ percorso }) => percorso === path).flatMap(placesOf);
  return places.find((place) => place.area === area) ?? places[0];
}

/** The file whose changes are drawn: the named one, or the first of the list while none is named. */
export function shownFileOf(
  state: GitState,
  { file, area }: { file: string | undefined; area: GitArea },
): GroupedFile | undefined {
  return file === undefined ? groupsOf(state)[0]?.files[0] : currentEntryOf(state, file, area);
}

/** A rename is two names to git. */
export const pathsOf = (files: readonly GroupedFile[]): string[] => [
  ...new Set(
    files.flatMap(({ entry, group }) => [entry.percorso, ...(group === 'staged' && entry.da ? [entry.da] : [])]),
  ),
];

/** The interface takes so many paths at once. */
const MOST_PATHS = 1_000;

export function splitPaths(paths: readonly string[]): string[][] {
  const pieces: string[][] = [];
  for (let from = 0; from < paths.length; from += MOST_PATHS) pieces.push(paths.slice(from, from + MOST_PATHS));
  return pieces;
}

/** A nested repository is not git's to discard, and a conflict is to be settled first. */
export const canDiscard = ({ entry, group }: GroupedFile): boolean =>
  (group === 'changed' || group === 'fresh') && !entry.repoAnnidato;
