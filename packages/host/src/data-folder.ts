import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Ambient, AppError, type Environment, isLocked, type ProcessLock, tryLock } from '@fucina/shared';

/** The folder that holds everything Fucina keeps, owned by one server at a time and shared with the command line. */
export interface DataFolder {
  path: string;
  /** The name of this process's own lock under `locks/`: the lease of the sessions it runs. */
  lease: string;
  /** True for the one process that recovers, sweeps and fires automations. */
  isServer: boolean;
  /** Whether this store has existed before: missing or empty it is then damage, not a first run. */
  hasHeld(store: string): boolean;
  noteStore(store: string): void;
  release(): void;
}

const FORMAT = 1;
const MARKER = 'fucina.json';

interface Marker {
  format: number;
  initialisedAt: string;
  stores: string[];
}

/** SESSION_STORE_BUSY when another server holds the folder; CONFIG_INVALID when a newer Fucina made it. */
export function openDataFolder(ambient: Ambient, folder: string, { isServer }: { isServer: boolean }): DataFolder {
  const path = resolve(folder);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  const locks: ProcessLock[] = [];
  if (isServer) locks.push(lockServer(path));
  const marker = readMarker(ambient, path);
  const lease = `process-${ambient.newId()}`;
  const own = tryLock(join(path, 'locks', lease));
  if (own) locks.push(own);

  return {
    path,
    lease,
    isServer,
    hasHeld: (store) => marker.stores.includes(store),
    noteStore(store) {
      if (marker.stores.includes(store)) return;
      marker.stores.push(store);
      writeMarker(path, marker);
    },
    release() {
      for (const lock of locks.reverse()) lock.release();
    },
  };
}

function lockServer(path: string): ProcessLock {
  const lock = tryLock(join(path, 'locks', 'server'));
  if (!lock) throw new AppError('SESSION_STORE_BUSY', { reason: 'another-server' });
  return lock;
}

/** Where each system keeps a user's application data: the server and the command line must agree. */
export function defaultDataDir(environment: Environment): string {
  const home = homedir();
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Fucina');
  if (process.platform === 'win32') return join(environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'Fucina');
  return join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'fucina');
}

/** Whether a server runs on this folder now. */
export function isServed(folder: string): boolean {
  const file = join(resolve(folder), 'locks', 'server');
  return existsSync(file) && isLocked(file);
}

function readMarker(ambient: Ambient, path: string): Marker {
  const file = join(path, MARKER);
  if (!existsSync(file)) {
    const marker = { format: FORMAT, initialisedAt: new Date(ambient.now()).toISOString(), stores: [] };
    writeMarker(path, marker);
    return marker;
  }
  const marker = JSON.parse(readFileSync(file, 'utf8')) as Marker;
  if (marker.format > FORMAT)
    throw new AppError('CONFIG_INVALID', { params: { setting: 'data-dir (made by a newer Fucina)' } });
  return marker;
}

function writeMarker(path: string, marker: Marker): void {
  writeFileSync(join(path, MARKER), `${JSON.stringify(marker)}\n`, { mode: 0o600, flush: true });
}
