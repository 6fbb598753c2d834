import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Ambient, AppError, type Environment, isLocked, type ProcessLock, tryLock } from '@fucina/shared';

/** The folder with all of Fucina's data, owned by one server at a time and shared with the command line. */
export interface DataFolder {
  path: string;
  /** The name of this process's own lock under `locks/`: the lease of its sessions. */
  lease: string;
  /** True for the one process that recovers, cleans up and runs automations. */
  isServer: boolean;
  /** Whether this store existed before: then a missing or empty file is damage, not a first run. */
  hasHeld(store: string): boolean;
  noteStore(store: string): void;
  /** Deletes the reserve file, so that the user can delete something on a full disk. False when there was none. */
  freeReserve(): boolean;
  release(): void;
}

const FORMAT = 1;
const MARKER = 'fucina.json';
const RESERVE = 'reserve';
const RESERVE_BYTES = 8 * 1024 * 1024;
/** A reserve is created only where there is enough space; checked again at this interval. */
const RESERVE_NEEDS_BYTES = 2 * RESERVE_BYTES;
const RESERVE_MS = 60_000;
const RESERVE_FIRST_MS = 2_000;
/** Age of a lock file left by a crash; a younger one may belong to a process that is starting. */
const LEFTOVER_MS = 3_600_000;

interface Marker {
  format: number;
  initialisedAt: string;
  stores: string[];
}

/** SESSION_STORE_BUSY when another server uses the folder; CONFIG_INVALID when a newer Fucina created it. */
export function openDataFolder(ambient: Ambient, folder: string, { isServer }: { isServer: boolean }): DataFolder {
  const path = resolve(folder);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  const locks: ProcessLock[] = [];
  if (isServer) locks.push(lockServer(path));
  const marker = readMarker(ambient, path);
  const lease = `process-${ambient.newId()}`;
  const own = tryLock(join(path, 'locks', lease));
  if (own) locks.push({ release: () => letGo(own, join(path, 'locks', lease)) });
  if (isServer) sweepLocks(ambient, join(path, 'locks'));
  const stopReserve = isServer ? keepReserve(ambient, path) : () => undefined;

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
    freeReserve() {
      const file = join(path, RESERVE);
      const isThere = existsSync(file);
      rmSync(file, { force: true });
      return isThere;
    },
    release() {
      stopReserve();
      for (const lock of locks.reverse()) lock.release();
    },
  };
}

function lockServer(path: string): ProcessLock {
  const lock = tryLock(join(path, 'locks', 'server'));
  if (!lock) throw new AppError('SESSION_STORE_BUSY', { reason: 'another-server' });
  return lock;
}

function letGo(lock: ProcessLock, file: string): void {
  lock.release();
  rmSync(file, { force: true });
}

function sweepLocks(ambient: Ambient, folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const isOld = ambient.now() - statSync(file).mtimeMs > LEFTOVER_MS;
    if (name.startsWith('process-') && isOld && !isLocked(file)) rmSync(file, { force: true });
  }
}

/** Reserves 8 MiB: on a full disk even a deletion needs space. */
function keepReserve(ambient: Ambient, path: string): () => void {
  const file = join(path, RESERVE);
  let cancel = ambient.timer(RESERVE_FIRST_MS, look);
  function look(): void {
    const { bavail, bsize } = statfsSync(path);
    if (!existsSync(file) && bavail * bsize > RESERVE_NEEDS_BYTES) {
      writeFileSync(file, Buffer.alloc(RESERVE_BYTES), { mode: 0o600 });
    }
    cancel = ambient.timer(RESERVE_MS, look);
  }
  return () => cancel();
}

/** Each system's location for application data; the server and the command line must agree. */
export function defaultDataDir(environment: Environment): string {
  const home = homedir();
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Fucina');
  if (process.platform === 'win32') return join(environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'Fucina');
  return join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'fucina');
}

/** Whether a server is running on this folder. */
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
    throw new AppError('CONFIG_INVALID', { reason: 'store-newer', params: { setting: MARKER } });
  return marker;
}

function writeMarker(path: string, marker: Marker): void {
  writeFileSync(join(path, MARKER), `${JSON.stringify(marker)}\n`, { mode: 0o600, flush: true });
}
