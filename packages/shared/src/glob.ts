/** Greedy with one backtracking position per kind of star, as for names; `**` spans any number of folders, or none. */
export function matchesPath(pattern: readonly string[], segments: readonly string[]): boolean {
  return matches(pattern, segments, {
    isStar: (part) => part === '**',
    fits: (part, segment) => matchesName(part, segment),
  });
}

/** `*` and `?` within one name, case-sensitive. */
export function matchesName(pattern: string, name: string): boolean {
  return matches(Array.from(pattern), Array.from(name), {
    isStar: (part) => part === '*',
    fits: (part, character) => part === '?' || part === character,
  });
}

function matches(
  pattern: readonly string[],
  items: readonly string[],
  rules: { isStar(part: string): boolean; fits(part: string, item: string): boolean },
): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < items.length; ) {
    const part = pattern[at];
    if (part !== undefined && rules.isStar(part)) {
      star = at++;
      resume = index;
    } else if (part !== undefined && rules.fits(part, items[index] as string)) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resume;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((part) => rules.isStar(part));
}
