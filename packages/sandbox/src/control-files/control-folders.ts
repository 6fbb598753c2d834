import { type BigIntStats, type Dirent, lstatSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Ambient } from '@fucina/shared';
import { controlPartsOf } from './control-files.ts';

/** A folder with its entries that are control files or may contain some. */
export interface ControlFolder {
  /** Absolute. */
  path: string;
  entries: readonly Dirent[];
}

export interface ControlFolders {
  /** The folder itself and those below it that have such entries; outer ones first. Never rejects. */
  of(folder: string): Promise<readonly ControlFolder[]>;
  /** Whether the last look left out folders that were new. */
  isCut(folder: string): boolean;
}

interface Known extends ControlFolder {
  /** When something was last added, renamed or removed in it, by the file system's clock. */
  changedAt: bigint;
  folders: readonly string[];
  /** Read long enough after `changedAt` that the file system's clock has advanced. */
  isSettled: boolean;
  seenAt: number;
}

/** Levels below the session's folder. Editors do not search for repositories deeper. */
const DEPTH = 3;
const MAX_FOLDERS = 2_000;
/** Of those that are new since the last look, beyond the others. */
const MAX_NEW = 20_000;
const MAX_ROOTS = 16;
/** Up to this many are asked for in one go: the way to another thread takes ten times as long as the question. */
const FEW = 64;
/** Longer than one step of a file system clock. */
const CLOCK_MS = 50;

/** Build output and installed packages: never opened as a project. */
const SKIPPED = new Set(
  'node_modules bower_components .venv venv __pycache__ target .next .turbo .tox .gradle'.split(' '),
);

const AS_BIGINT = { bigint: true } as const;

/** Reads a folder again only when it changed: scanning a large project must not delay each command. */
export function createControlFolders(ambient: Ambient): ControlFolders {
  const roots = new Map<string, Map<string, Known>>();
  const cut = new Set<string>();

  const read = async (path: string, known: Known | undefined, isOneOfFew: boolean): Promise<Known | undefined> => {
    const stats: BigIntStats = isOneOfFew ? lstatSync(path, AS_BIGINT) : await lstat(path, AS_BIGINT);
    const changedAt = stats.ctimeNs;
    const isSame = known?.changedAt === changedAt;
    if (isSame && known.isSettled) return known;
    const now = ambient.monotonic();
    const seenAt = isSame ? known.seenAt : now;
    const entries = await readdir(path, { withFileTypes: true });
    return {
      path,
      changedAt,
      seenAt,
      isSettled: now - seenAt > CLOCK_MS,
      entries: entries.filter(({ name }) => isOfInterest(name)),
      folders: entries.filter(isSearched).map(({ name }) => name),
    };
  };

  return {
    async of(root) {
      const before = roots.get(root) ?? new Map<string, Known>();
      const kept = foldersToKeep(before, root);
      const found = new Map<string, Known>();
      const fresh = new Set<string>();
      let level = [root];
      let isCut = false;
      for (let depth = 0; depth <= DEPTH && level.length > 0; depth += 1) {
        // Deleted or unreadable: treated as empty.
        const areFew = level.length <= FEW;
        const folders = await Promise.all(
          level.map((path) => read(path, before.get(path), areFew).catch(() => undefined)),
        );
        const known = folders.filter((one) => one !== undefined);
        for (const one of known) found.set(one.path, one);
        if (depth === DEPTH) break;
        const next = known.flatMap((one) => below(one, { before: before.get(one.path), fresh }));
        const limits = { others: MAX_FOLDERS + fresh.size - found.size, fresh: MAX_NEW };
        const chosen = atMost(limits, next, { kept, fresh });
        level = chosen.paths;
        isCut ||= chosen.isCut;
      }
      cut.delete(root);
      if (isCut) cut.add(root);
      roots.delete(root);
      roots.set(root, found);
      for (const oldest of roots.keys()) if (roots.size > MAX_ROOTS) roots.delete(oldest);
      return [...found.values()].filter(({ path, entries }) => path === root || entries.length > 0);
    },
    isCut: (root) => cut.has(root),
  };
}

/** The folders in a folder; those that are new since the last look are added to `fresh`. */
function below(one: Known, { before, fresh }: { before: Known | undefined; fresh: Set<string> }): string[] {
  const isFresh = fresh.has(one.path);
  const known = new Set(before?.folders);
  return one.folders.map((name) => {
    const path = join(one.path, name);
    if (isFresh || (before && !known.has(name))) fresh.add(path);
    return path;
  });
}

/** The folders with control files, and those around them. */
function foldersToKeep(known: ReadonlyMap<string, Known>, root: string): ReadonlySet<string> {
  const kept = new Set<string>();
  for (const { path, entries } of known.values()) {
    if (entries.length === 0) continue;
    for (let at = path; at !== root; at = dirname(at)) kept.add(at);
  }
  return kept;
}

/**
 * The kept ones in any case, and of the others first those that are new: many new folders must neither hide a control
 * file that was found before, nor one another.
 */
function atMost(
  limits: { others: number; fresh: number },
  paths: readonly string[],
  { kept, fresh }: { kept: ReadonlySet<string>; fresh: ReadonlySet<string> },
): { paths: string[]; isCut: boolean } {
  const first = paths.filter((path) => kept.has(path));
  const rest = paths.filter((path) => !kept.has(path));
  const news = rest.filter((path) => fresh.has(path));
  const others = rest.filter((path) => !fresh.has(path));
  const chosen = [
    ...first,
    ...news.slice(0, limits.fresh),
    ...others.slice(0, Math.max(0, limits.others - first.length)),
  ];
  return { paths: chosen, isCut: news.length > limits.fresh };
}

function isOfInterest(name: string): boolean {
  const parts = controlPartsOf(name);
  return parts === 'whole' || parts.length > 0;
}

function isSearched(entry: Dirent): boolean {
  return entry.isDirectory() && !SKIPPED.has(entry.name) && !isOfInterest(entry.name);
}
