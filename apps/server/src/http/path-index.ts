/** The declared paths that a request's path could mean, by their literal segments; those with literals first. */
export type PathIndex = (path: string) => readonly string[];

/** What declared paths with the same first segments continue with. */
interface Place {
  literals: Map<string, Place>;
  parameter: Place | undefined;
  /** That end here. */
  ending: Ranked[];
  /** That end here with a parameter for all that follows. */
  takingRest: Ranked[];
}

interface Ranked {
  path: string;
  rank: number;
}

const PARAMETER = '{';
const REST = '*}';

/** `paths`: `/sessions/{sessionId}/files/{path*}`. */
export function createPathIndex(paths: readonly string[]): PathIndex {
  const root = emptyPlace();
  // `/tasks/batch` before `/tasks/{taskId}`.
  const sorted = [...new Set(paths)].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  for (const [rank, path] of sorted.entries()) add(root, { path, rank });
  return (path) => {
    const walk: Walk = { segments: segmentsOf(path), found: [] };
    collect(root, walk, 0);
    return walk.found.sort((a, b) => a.rank - b.rank).map((one) => one.path);
  };
}

const sortKey = (path: string): string => path.replaceAll(PARAMETER, '\uffff');

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

const emptyPlace = (): Place => ({ literals: new Map(), parameter: undefined, ending: [], takingRest: [] });

function add(root: Place, ranked: Ranked): void {
  let place = root;
  for (const segment of segmentsOf(ranked.path)) {
    if (segment.endsWith(REST)) return void place.takingRest.push(ranked);
    if (segment.startsWith(PARAMETER)) {
      place.parameter ??= emptyPlace();
      place = place.parameter;
    } else {
      const next = place.literals.get(segment) ?? emptyPlace();
      place.literals.set(segment, next);
      place = next;
    }
  }
  place.ending.push(ranked);
}

interface Walk {
  segments: readonly string[];
  found: Ranked[];
}

function collect(place: Place, walk: Walk, at: number): void {
  const { segments, found } = walk;
  const segment = segments[at];
  if (segment === undefined) return void found.push(...place.ending);
  found.push(...place.takingRest);
  const literal = place.literals.get(segment);
  if (literal) collect(literal, walk, at + 1);
  if (place.parameter) collect(place.parameter, walk, at + 1);
}
