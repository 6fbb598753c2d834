import { basename } from 'node:path';
import { type Ambient, isWithin } from '@fucina/shared';
import { filesError } from './errors.ts';
import { usableFolder } from './projects.ts';

/** A folder that the launcher passes on: the next window may start a session in it. */
export interface Launch {
  launchId: string;
  /** The folder's name, never its path. */
  name: string;
  /** Epoch ms. */
  expiresAt: number;
}

/** Stored in memory for ten minutes, until a session uses it. */
export interface Launches {
  /**
   * Throws QUERY_INVALID (not absolute), WORKSPACE_NOT_AVAILABLE (missing, not accessible, or the application's own).
   */
  offer(path: string): Promise<Launch>;
  /** WORKSPACE_LAUNCH_NOT_AVAILABLE when it expired or never existed. */
  read(launchId: string): Launch;
  /** The absolute real path, once. Throws the same. */
  take(launchId: string): string;
}

const LIFE_MS = 10 * 60_000;
const MAX_OPEN = 256;
const MAX_PATH_CHARS = 4_096;
const ID_BYTES = 24;

export function createLaunches({ ambient, dataDir }: { ambient: Ambient; dataDir: string }): Launches {
  const open = new Map<string, Launch & { folder: string }>();

  const find = (launchId: string): Launch & { folder: string } => {
    const launch = open.get(launchId);
    if (!launch || launch.expiresAt <= ambient.now()) throw filesError('WORKSPACE_LAUNCH_NOT_AVAILABLE');
    return launch;
  };

  return {
    async offer(path) {
      const { real } = await usableFolder(path, MAX_PATH_CHARS);
      if (isWithin(dataDir, real)) throw filesError('WORKSPACE_NOT_AVAILABLE', { reason: 'application-folder' });
      const launch = {
        launchId: ambient.randomBytes(ID_BYTES).toString('base64url'),
        name: basename(real) || real,
        expiresAt: ambient.now() + LIFE_MS,
        folder: real,
      };
      open.set(launch.launchId, launch);
      for (const oldest of [...open.keys()].slice(0, -MAX_OPEN)) open.delete(oldest);
      return launch;
    },
    read: find,
    take(launchId) {
      const { folder } = find(launchId);
      open.delete(launchId);
      return folder;
    },
  };
}
