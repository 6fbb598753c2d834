import { type BigIntStats, lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, isWithin, realPathAt } from '@fucina/shared';
import { identityAt } from './identity.ts';
import type { Mount } from './mounts.ts';

/** The rules that deny reading files of a folder. */
export interface DeniedReading {
  /** Equal for equal rules. */
  key: string;
  /** Of a file or a folder, by absolute path. */
  isDenied(path: string): boolean;
}

export interface DeniedFiles {
  /** Empty, read-only files and folders in the place of those that are denied. */
  masks(folder: string, denied: DeniedReading | undefined): Promise<Mount[]>;
}

/** Where they are looked for: levels below the session's folder, and folders. Package folders are not searched. */
const DEPTH = 6;
const MAX_FOLDERS = 2_000;
/** More mounts would slow down every start; from here on whole folders are covered. */
const MAX_MASKS = 64;
const MAX_ROOTS = 8;
const SKIPPED = new Set(
  '.git node_modules bower_components .venv venv __pycache__ target .next .turbo .tox .gradle'.split(' '),
);
/** Longer than one step of a file system clock. */
const CLOCK_NS = 50_000_000n;

interface Known {
  changedAt: bigint;
  /** When it was read, by the clock of the system. */
  readAt: bigint;
  /** Absolute. */
  denied: readonly { path: string; isFolder: boolean }[];
  folders: readonly string[];
}

/** `emptyFile`: absolute path of an empty file in the data folder. Folders are read again only when they changed. */
export function createDeniedFiles(ambient: Ambient, emptyFile: string): DeniedFiles {
  const roots = new Map<string, { key: string; folders: Map<string, Known> }>();

  const look = async (path: string, before: Known | undefined, denied: DeniedReading): Promise<Known | undefined> => {
    const stats: BigIntStats | undefined = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stats?.isDirectory()) return undefined;
    const isSettled = before && before.readAt - before.changedAt > CLOCK_NS;
    if (isSettled && before.changedAt === stats.ctimeNs) return before;
    const readAt = BigInt(ambient.now()) * 1_000_000n;
    const entries = (await readdir(path, { withFileTypes: true }).catch(() => [])).map((entry) => ({
      entry,
      path: join(path, entry.name),
    }));
    const isOne = new Set(entries.filter((one) => denied.isDenied(one.path)).map((one) => one.path));
    return {
      changedAt: stats.ctimeNs,
      readAt,
      denied: entries
        .filter((one) => isOne.has(one.path))
        .map((one) => ({ path: one.path, isFolder: one.entry.isDirectory() })),
      folders: entries
        .filter((one) => one.entry.isDirectory() && !isOne.has(one.path) && !SKIPPED.has(one.entry.name))
        .map((one) => one.path),
    };
  };

  return {
    async masks(folder, denied) {
      if (!denied) return [];
      const last = roots.get(folder);
      const before = last?.key === denied.key ? last.folders : new Map<string, Known>();
      const found = new Map<string, Known>();
      let level: readonly string[] = [folder];
      for (let depth = 0; depth <= DEPTH && level.length > 0; depth += 1) {
        const next: string[] = [];
        for (const path of level.slice(0, MAX_FOLDERS - found.size)) {
          const known = await look(path, before.get(path), denied);
          if (!known) continue;
          found.set(path, known);
          next.push(...known.folders);
        }
        level = next;
      }
      roots.delete(folder);
      roots.set(folder, { key: denied.key, folders: found });
      for (const oldest of roots.keys()) if (roots.size > MAX_ROOTS) roots.delete(oldest);
      return masksOf(folder, found, emptyFile);
    },
  };
}

function masksOf(folder: string, found: ReadonlyMap<string, Known>, emptyFile: string): Mount[] {
  const masks = new Map<string, Mount>();
  for (const [parent, { denied }] of found) {
    const isWhole = denied.length > MAX_MASKS && parent !== folder;
    if (isWhole) masks.set(parent, { kind: 'empty', target: parent });
    for (const { path, isFolder } of isWhole ? [] : denied) {
      const real = realTarget(path, folder);
      if (real === undefined) continue;
      masks.set(
        real,
        isFolder ? { kind: 'empty', target: real } : { kind: 'read-only', source: emptyFile, target: real },
      );
    }
  }
  return [...masks.values()];
}

/** A link is denied as what it leads to, if that is in the folder. */
function realTarget(path: string, folder: string): string | undefined {
  if (identityAt(path) !== undefined) return path;
  const real = realPathAt(path);
  return real !== undefined && real !== folder && isWithin(folder, real) ? real : undefined;
}
