/** The declared paths that a request's path could mean, by their literal segments; those with literals first. */
export type PathIndex = (path: string) => readonly string[];

interface Pattern {
  path: string;
  segments: readonly string[];
  /** Its last parameter takes the rest of the path. */
  takesRest: boolean;
}

const PARAMETER = '{';

/** `paths`: `/sessions/{sessionId}/files/{path*}`. */
export function createPathIndex(paths: readonly string[]): PathIndex {
  // `/tasks/batch` before `/tasks/{taskId}`.
  const sorted = [...new Set(paths)].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const byFirst = new Map<string, Pattern[]>();
  for (const pattern of sorted.map(patternOf)) {
    const first = pattern.segments[0] ?? '';
    byFirst.set(first, [...(byFirst.get(first) ?? []), pattern]);
  }
  return (path) => {
    const segments = segmentsOf(path);
    const alike = byFirst.get(segments[0] ?? '') ?? [];
    return alike.filter((pattern) => couldMean(pattern, segments)).map((pattern) => pattern.path);
  };
}

const sortKey = (path: string): string => path.replaceAll(PARAMETER, '\uffff');

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

function patternOf(path: string): Pattern {
  return { path, segments: segmentsOf(path), takesRest: path.endsWith('*}') };
}

function couldMean({ segments, takesRest }: Pattern, given: readonly string[]): boolean {
  const fits = takesRest ? given.length >= segments.length : given.length === segments.length;
  return fits && segments.every((segment, at) => segment.startsWith(PARAMETER) || segment === given[at]);
}
