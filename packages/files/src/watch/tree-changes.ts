import { lstatSync, type Stats } from 'node:fs';
import { parentFolderOf } from '../ignore-rules.ts';
import { isSkipped } from './skipped.ts';
import type { ScannedTree } from './tree-scan.ts';
import { entriesOf } from './tree-scan.ts';

interface Before {
  paths: readonly string[];
  /** The paths are all that there was. */
  isWhole: boolean;
}

/**
 * Relative paths of what changed in a scanned tree since a moment (epoch ms), also after the scan. Where a name of before
 * may be missing that nobody knows, its folder is named.
 */
export function changesSince(
  root: string,
  since: number,
  { tree, before }: { tree: ScannedTree; before: Before },
): string[] {
  const known = new Set(tree.paths);
  const changed = new Set(before.paths.filter((path) => !known.has(path) && !isIn(path, tree.closed)));
  const altered: string[] = [];
  for (const path of tree.paths) {
    const facts = factsOf(`${root}/${path}`);
    if (!facts) changed.add(path);
    else if (!facts.isDirectory() && facts.ctimeMs >= since) changed.add(path);
    else if (facts.isDirectory() && facts.ctimeMs >= since) {
      altered.push(path);
      if (facts.birthtimeMs >= since) changed.add(path);
    }
  }
  const closed = new Set(tree.closed);
  for (const folder of ['', ...altered])
    for (const { name } of entriesOf(`${root}/${folder}`) ?? []) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (!known.has(path) && !closed.has(path) && !isSkipped(name)) changed.add(path);
    }
  if (before.isWhole) return [...changed];
  const named = new Set([...changed].map(parentFolderOf));
  return [...changed, ...altered.filter((folder) => !named.has(folder))];
}

const isIn = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** When each path of a tree last changed, for the next look; a folder itself never does. */
export function timesOf(root: string, { paths }: ScannedTree): Map<string, number> {
  const times = new Map<string, number>();
  for (const path of paths) {
    const facts = factsOf(`${root}/${path}`);
    if (facts) times.set(path, facts.isDirectory() ? 0 : facts.ctimeMs);
  }
  return times;
}

export function differences(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string[] {
  const changed = [...after].filter(([path, at]) => before.get(path) !== at).map(([path]) => path);
  return [...changed, ...[...before.keys()].filter((path) => !after.has(path))];
}

/** Undefined for what is gone or cannot be asked about. */
export function factsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
