import { matchesName, matchesPath } from '@fucina/shared';

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
