import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Ambient, type Environment, isWithin, realPathAt } from '@fucina/shared';
import { isFolder, type Mount } from '../view/mounts.ts';
import { privatePlaces } from '../view/private-places.ts';
import { listeningSockets } from '../view/sockets.ts';
import { hiddenPlace } from '../view/system-view.ts';
import { opensPath } from './sandbox-rule.ts';

export const isOpened = (writes: readonly string[], path: string): boolean =>
  writes.some((one) => opensPath(one, path.split(sep).join('/')));

/** Without the paths that rules let commands write; a file named by a rule in a read-only folder is writable. */
export function openedMounts(mounts: readonly Mount[], folder: string, writes: readonly string[]): Mount[] {
  if (writes.length === 0) return [...mounts];
  const kept = mounts.filter(({ kind, target }) => kind !== 'read-only' || !isOpened(writes, relative(folder, target)));
  const named = writes.filter((path) => path.includes('/')).map((path) => join(folder, path));
  const inside = named.filter((path) =>
    kept.some(({ kind, target }) => kind === 'read-only' && isWithin(target, path)),
  );
  // A link could point anywhere: it stays read-only.
  const writable = inside.filter((path) => realPathAt(path) === path);
  return [...kept, ...writable.map((path): Mount => ({ kind: 'writable', source: path, target: path }))];
}

/** Limits of the search for sockets in a folder: entries, and interval. */
const MAX_LOOKED_AT = 4_000;
const MAX_DEPTH = 4;
const FRESH_MS = 10_000;

/**
 * Paths that rules let commands read, without keys that no rule names, and without sockets: a read-only view does not
 * prevent a connection. A path that has become a link, or leads elsewhere, is skipped.
 */
export type ReadView = (reads: readonly string[]) => Promise<Mount[]>;

export function createReadView(needs: { ambient: Ambient; environment: Environment; dataDir: string }): ReadView {
  const { ambient, environment, dataDir } = needs;
  const looked = new Map<string, { sockets: Promise<string[]>; at: number }>();
  /** Sockets bound by their full path are listed by the kernel; a folder is searched at intervals. */
  const socketsOf = (path: string): Promise<string[]> => {
    const last = looked.get(path);
    if (last && ambient.monotonic() - last.at < FRESH_MS) return last.sockets;
    const sockets = isFolder(path) ? socketsIn(path) : Promise.resolve([]);
    looked.set(path, { sockets, at: ambient.monotonic() });
    return sockets;
  };
  return async (reads) => {
    if (reads.length === 0) return [];
    const listening = listeningSockets();
    const secrets = privatePlaces(environment, dataDir);
    const shown = reads.filter((path) => realPathAt(path) === path);
    const mounts = await Promise.all(
      shown.map(async (path): Promise<Mount[]> => {
        const inside = (place: string): boolean => place !== path && isWithin(path, place);
        const hidden = new Set([...secrets, ...listening, ...(await socketsOf(path))].filter(inside));
        return [{ kind: 'read-only', source: path, target: path }, ...[...hidden].flatMap(hiddenPlace)];
      }),
    );
    return mounts.flat();
  };
}

/** Sockets bound under another path are found by searching the upper folders. */
async function socketsIn(root: string): Promise<string[]> {
  const found: string[] = [];
  let left = MAX_LOOKED_AT;
  const look = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    left -= entries.length;
    found.push(...entries.filter((entry) => entry.isSocket()).map(({ name }) => join(folder, name)));
    for (const entry of entries) {
      if (entry.isDirectory() && depth < MAX_DEPTH && left > 0) await look(join(folder, entry.name), depth + 1);
    }
  };
  await look(root, 0);
  return found;
}
