import { plural } from './cut.ts';

const MAX_MATCHES = 200;
const MAX_NAMES = 500;
const MAX_FILES_NAMED = 20;

/** Matches by file, the first ones with their lines, of the others how many each file has. */
export interface SearchResults {
  add(path: string, line: string): void;
  total(): number;
  /** All of it in at most `room` bytes. */
  text(facts: { isPartial: boolean; room: number }): string;
}

export function createSearchResults(): SearchResults {
  const shown: { path: string; line: string }[] = [];
  const counts = new Map<string, number>();
  let total = 0;
  return {
    add(path, line) {
      total++;
      counts.set(path, (counts.get(path) ?? 0) + 1);
      if (shown.length < MAX_MATCHES) shown.push({ path, line });
    },
    total: () => total,
    text({ isPartial, room }) {
      const lines: string[] = [];
      const left = new Map(counts);
      let bytes = room;
      let last: string | undefined;
      let fitting = 0;
      for (const { path, line } of shown) {
        const added = path === last ? [`  ${line}`] : [path, `  ${line}`];
        bytes -= Buffer.byteLength(added.join('\n')) + 1;
        if (bytes < 0 && fitting > 0) break;
        lines.push(...added);
        left.set(path, (left.get(path) ?? 0) - 1);
        last = path;
        fitting++;
      }
      const head = `${isPartial ? 'At least ' : ''}${plural(total, 'match', 'matches')} in ${plural(counts.size, 'file')}`;
      if (fitting === total) return [`${head}:`, ...lines].join('\n');
      return [`${head}, the first ${fitting} are shown:`, ...lines, othersIn(left, total - fitting)].join('\n');
    },
  };
}

function othersIn(left: ReadonlyMap<string, number>, count: number): string {
  const files = [...left].filter(([, matches]) => matches > 0).sort(([, a], [, b]) => b - a);
  const named = files.slice(0, MAX_FILES_NAMED).map(([path, matches]) => `${path} (${matches})`);
  const more = files.length > named.length ? ` and ${plural(files.length - named.length, 'more file')}` : '';
  return `[${count} more in: ${named.join(', ')}${more}. To see them, search there or for a longer text.]`;
}

export interface NameResults {
  add(path: string): void;
  total(): number;
  text(facts: { isPartial: boolean; room: number }): string;
}

export function createNameResults(): NameResults {
  const paths: string[] = [];
  let total = 0;
  return {
    add(path) {
      total++;
      if (paths.length < MAX_NAMES) paths.push(path);
    },
    total: () => total,
    text({ isPartial, room }) {
      let left = room;
      const shown = paths.filter((path, index) => (left -= Buffer.byteLength(path) + 1) > 0 || index === 0);
      const head = `${isPartial ? 'At least ' : ''}${plural(total, 'file')}`;
      if (shown.length === total) return [`${head}:`, ...shown].join('\n');
      const rest = `[${total - shown.length} more. To see them, search in a folder or for a longer name.]`;
      return [`${head}, the first ${shown.length} are shown:`, ...shown, rest].join('\n');
    },
  };
}
