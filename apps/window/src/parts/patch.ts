import { type DiffLine, type Hunk, markPairs } from './line-diff.ts';

/** A hunk of a patch; `place` is the text after its line numbers. */
export interface PatchHunk extends Hunk {
  place: string;
}

export interface Patch {
  hunks: PatchHunk[];
  added: number;
  removed: number;
  /** More than lines changed, so only the whole file can be staged or discarded. */
  isWhole: boolean;
  /** Mode before and after, if it changed. */
  mode: [string, string] | undefined;
}

const WHOLE =
  /^(old mode|new mode|new file|deleted file|rename |copy |similarity|Binary files|GIT binary|index \S+ 160000$)/m;
const PLACE = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;
const KINDS: Record<string, DiffLine['kind']> = { '+': 'added', '-': 'removed', ' ': 'same' };

/** Parses one file's unified diff as git prints it. */
export function readPatch(text: string): Patch {
  const start = text.search(/^@@ /m);
  const header = start < 0 ? text : text.slice(0, start);
  const hunks: PatchHunk[] = [];
  let [old, fresh, added, removed] = [0, 0, 0, 0];
  for (const line of start < 0 ? [] : text.slice(start).split('\n')) {
    const place = PLACE.exec(line);
    if (place) {
      [old, fresh] = [Number(place[1]), Number(place[2])];
      hunks.push({ lines: [], place: place[3] ?? '' });
      continue;
    }
    const kind = KINDS[line[0] ?? ''];
    if (!kind) continue;
    if (kind === 'added') added += 1;
    if (kind === 'removed') removed += 1;
    hunks.at(-1)?.lines.push({
      kind,
      text: line.slice(1).replace(/\r$/, ''),
      old: kind === 'added' ? undefined : old++,
      new: kind === 'removed' ? undefined : fresh++,
    });
  }
  for (const hunk of hunks) markPairs(hunk.lines);
  const [, before] = /^old mode (\d+)$/m.exec(header) ?? [];
  const [, after] = /^new mode (\d+)$/m.exec(header) ?? [];
  return { hunks, added, removed, isWhole: WHOLE.test(header), mode: before && after ? [before, after] : undefined };
}

/** The two sides of one row. */
export interface SideBySideRow {
  left: DiffLine | undefined;
  right: DiffLine | undefined;
}

/** Pairs removed lines with the added lines that replace them. */
export function pairsOf(lines: readonly DiffLine[]): SideBySideRow[] {
  const pairs: SideBySideRow[] = [];
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      pairs.push({ left: removed[at], right: added[at] });
    }
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === 'added') added.push(line);
    else {
      flush();
      pairs.push({ left: line, right: line });
    }
  }
  flush();
  return pairs;
}
