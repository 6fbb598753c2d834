/** Which files of a repository declare names that many other files use. */
export interface FileIndex {
  /** Also replaces what was known of the file. */
  set(path: string, text: string): void;
  remove(path: string): void;
  /** Best first; files that declare nothing others use are left out. */
  ranked(): string[];
  /** Declared names that contain the text, whatever its case: names that begin with it first, then the most used. */
  declaring(text: string, limit: number): { name: string; path: string }[];
  readonly size: number;
}

/** Lines of a text that declare the name, from 1. */
export function linesDeclaring(text: string, name: string): number[] {
  return text.split('\n').flatMap((line, place) => {
    const isOne = [...line.matchAll(DECLARATION)].some(([, declared]) => declared === name);
    return isOne ? [place + 1] : [];
  });
}

interface Facts {
  /** Ids of the names that it mentions, each once. */
  mentions: Uint32Array;
  /** Ids of the names that it declares. */
  declares: Uint32Array;
}

const NAME = /[A-Za-z_$][\w$]{2,59}/g;
/** Of all languages together: a wrong guess only moves a file up or down. */
const DECLARATION =
  /\b(?:function\*?|class|interface|type|enum|const|let|def|fn|struct|trait|mod|func|module|object|record|namespace|macro_rules!)\s+(?:\([^)\n]{0,80}\)\s*)?([A-Za-z_$][\w$]{2,59})/g;
/** A name of more files says nothing about one of them. */
const MAX_DECLARING = 5;
/** Tests and examples use much and are used by nobody, but mention each other. */
const ASIDE =
  /(?:^|\/)(?:tests?|__tests__|spec|examples?|fixtures?|vendor|third_party|generated)\/|\.(?:test|spec|min)\./;

export function createFileIndex(): FileIndex {
  const ids = new Map<string, number>();
  const names: string[] = [];
  const files = new Map<string, Facts>();
  /** By id of a name: how many files mention it, and how many declare it. */
  const mentioned: number[] = [];
  const declared: number[] = [];

  const idOf = (name: string): number => {
    const known = ids.get(name);
    if (known !== undefined) return known;
    ids.set(name, ids.size);
    names.push(name);
    mentioned.push(0);
    declared.push(0);
    return ids.size - 1;
  };
  const idsIn = (names: Iterable<string>): Uint32Array => Uint32Array.from(new Set([...names].map(idOf)));
  const count = ({ mentions, declares }: Facts, by: 1 | -1): void => {
    for (const id of mentions) mentioned[id] = (mentioned[id] ?? 0) + by;
    for (const id of declares) declared[id] = (declared[id] ?? 0) + by;
  };
  const remove = (path: string): void => {
    const before = files.get(path);
    if (before) count(before, -1);
    files.delete(path);
  };
  const scoreOf = ({ declares }: Facts): number => {
    let score = 0;
    for (const id of declares) {
      const owners = declared[id] ?? 1;
      if (owners <= MAX_DECLARING) score += Math.sqrt(Math.max(0, (mentioned[id] ?? 0) - owners)) / owners;
    }
    return score;
  };
  return {
    set(path, text) {
      remove(path);
      const facts = {
        mentions: idsIn(text.match(NAME) ?? []),
        declares: idsIn([...text.matchAll(DECLARATION)].map(([, name = '']) => name)),
      };
      files.set(path, facts);
      count(facts, 1);
    },
    remove,
    ranked() {
      const scored = [...files].flatMap(([path, facts]) => {
        const score = scoreOf(facts) * (ASIDE.test(path) ? 0.1 : 1);
        return score > 0 ? [{ path, score }] : [];
      });
      return scored.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)).map(({ path }) => path);
    },
    declaring(text, limit) {
      const wanted = text.toLowerCase();
      const rankOf = (name: string): number => {
        const lower = name.toLowerCase();
        if (lower === wanted) return 0;
        return lower.startsWith(wanted) ? 1 : 2;
      };
      const found = [...ids].flatMap(([name, id]) =>
        declared[id] && name.toLowerCase().includes(wanted)
          ? [{ name, id, rank: rankOf(name), uses: mentioned[id] ?? 0 }]
          : [],
      );
      found.sort((a, b) => a.rank - b.rank || b.uses - a.uses || (a.name < b.name ? -1 : 1));
      const best = new Map(found.slice(0, limit).map(({ id }, place) => [id, place]));
      const places = [...files].flatMap(([path, { declares }]) =>
        [...declares].flatMap((id) => {
          const place = best.get(id);
          return place === undefined ? [] : [{ name: names[id] ?? '', path, place, isAside: ASIDE.test(path) }];
        }),
      );
      places.sort((a, b) => a.place - b.place || Number(a.isAside) - Number(b.isAside) || (a.path < b.path ? -1 : 1));
      return places.slice(0, limit).map(({ name, path }) => ({ name, path }));
    },
    get size() {
      return files.size;
    },
  };
}
