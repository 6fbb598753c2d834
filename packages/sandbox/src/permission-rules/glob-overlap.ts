/** Longer ones count as overlapping. */
const MAX_PART = 200;

/**
 * Whether two path patterns may name the same file, or the first a folder above it. `*` and `?` within a segment, `**`
 * for any number of segments; conservative behind the first `**`.
 */
export function mayOverlap(glob: readonly string[], pattern: readonly string[]): boolean {
  for (const [index, part] of pattern.entries()) {
    const own = glob[index];
    // The glob names a folder of the pattern.
    if (own === undefined) return true;
    if (part === '**' || own === '**')
      return pattern.at(-1) === '**' || namesOverlap(glob.at(-1) ?? '', pattern.at(-1) ?? '');
    if (!namesOverlap(own, part)) return false;
  }
  return glob.length === pattern.length;
}

/** Whether two names with `*` and `?` have a name in common. */
export function namesOverlap(one: string, other: string): boolean {
  if (one.length > MAX_PART || other.length > MAX_PART) return true;
  // Row by row from the end: whether the rests overlap.
  let below: boolean[] = [];
  for (let at = one.length; at >= 0; at -= 1) {
    const row: boolean[] = [];
    for (let to = other.length; to >= 0; to -= 1) {
      const [own, its] = [one[at], other[to]];
      row[to] =
        (own === undefined && its === undefined) ||
        (own === '*' && ((below[to] ?? false) || (row[to + 1] ?? false))) ||
        (its === '*' && ((row[to + 1] ?? false) || (below[to] ?? false))) ||
        (own !== undefined &&
          its !== undefined &&
          (own === '?' || its === '?' || own === its) &&
          (below[to + 1] ?? false));
    }
    below = row;
  }
  return below[0] ?? false;
}
