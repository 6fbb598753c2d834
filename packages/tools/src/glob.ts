/**
 * Whether a path matches what a user or a model types to name files: text without wildcards matches anywhere in the
 * path; a pattern without `/` matches the name, one with `/` the whole path. `*`, `?`, `**`, `{a,b}`; ignores case. Not
 * a regular expression: the time is bounded by pattern length times path length.
 */
export function createNameFilter(wanted: string): (path: string) => boolean {
  const text = wanted.trim().toLowerCase().replace(/^\.\//, '');
  if (!/[*?{]/.test(text)) return (path) => path.toLowerCase().includes(text);
  const patterns = alternatives(text).map((pattern) => pattern.split('/').filter(Boolean));
  return (path) => {
    const segments = path.toLowerCase().split('/');
    return patterns.some((pattern) =>
      pattern.length > 1 ? matchesPath(pattern, segments) : matchesName(pattern[0] ?? '*', segments.at(-1) ?? ''),
    );
  };
}

const MAX_ALTERNATIVES = 64;

function alternatives(text: string): string[] {
  let open = [text];
  for (;;) {
    const grown = open.flatMap((one) => {
      const match = /\{([^{}]*)\}/.exec(one);
      if (!match) return [one];
      const [whole, inside = ''] = match;
      const before = one.slice(0, match.index);
      const after = one.slice(match.index + whole.length);
      return inside.split(',').map((choice) => before + choice + after);
    });
    if (grown.length === open.length && grown.every((one, index) => one === open[index])) return open;
    open = grown.slice(0, MAX_ALTERNATIVES);
  }
}

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
