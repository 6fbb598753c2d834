import { posix } from 'node:path';
import { type Ambient, listInside, PathError } from '@fucina/shared';

export interface NameHit {
  path: string;
  name: string;
  isFolder: boolean;
}

export interface NameSearch {
  hits: NameHit[];
  /** The limit that ended the search; null when it was complete. */
  cutBy: 'results' | 'entries' | 'depth' | 'time' | null;
  /** Names of folders that are never searched, as far as they exist. */
  skipped: string[];
  visited: number;
}

const MAX_HITS = 200;
const MAX_VISITED = 40_000;
const MAX_DEPTH = 24;
const MAX_MS = 2_500;
const SKIPPED = new Set(['.git', 'node_modules']);

/**
 * Breadth-first search in a folder (absolute real path): entries whose relative path contains the text, ignoring case;
 * matches in the name first, then shorter paths. Ignore files are not applied; links are listed, never followed.
 */
export async function searchNames(ambient: Ambient, folder: string, text: string): Promise<NameSearch> {
  const wanted = text.toLowerCase();
  const deadline = ambient.monotonic() + MAX_MS;
  const found: NameHit[] = [];
  const skipped = new Set<string>();
  let visited = 0;
  let cutBy: NameSearch['cutBy'] = null;
  let level = [''];
  for (let depth = 0; level.length > 0 && !cutBy; depth += 1) {
    if (depth === MAX_DEPTH) {
      cutBy = 'depth';
      break;
    }
    const next: string[] = [];
    for (const parent of level) {
      if (cutBy) break;
      for (const { name, kind } of await entriesOf(folder, parent, MAX_VISITED - visited)) {
        visited += 1;
        const path = posix.join(parent, name);
        const isFolder = kind === 'folder';
        if (path.toLowerCase().includes(wanted)) found.push({ path, name, isFolder });
        if (isFolder && SKIPPED.has(name)) skipped.add(name);
        else if (isFolder) next.push(path);
      }
      if (found.length >= MAX_HITS) cutBy = 'results';
      else if (visited >= MAX_VISITED) cutBy = 'entries';
      else if (ambient.monotonic() > deadline) cutBy = 'time';
    }
    level = next;
  }
  const hits = found.sort(byCloseness(wanted)).slice(0, MAX_HITS);
  return { hits, cutBy, skipped: [...skipped].sort(), visited };
}

/** A folder that was deleted or is not accessible counts as empty. */
async function entriesOf(root: string, path: string, limit: number) {
  try {
    return (await listInside(root, path, limit)).entries;
  } catch (error) {
    if (error instanceof PathError && path !== '') return [];
    throw error;
  }
}

function byCloseness(wanted: string): (left: NameHit, right: NameHit) => number {
  const isNamed = ({ name }: NameHit): number => Number(name.toLowerCase().includes(wanted));
  return (left, right) =>
    isNamed(right) - isNamed(left) || left.path.length - right.path.length || (left.path < right.path ? -1 : 1);
}
