import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import {
  type Ambient,
  AppError,
  checkStore,
  isLocked,
  type RecoveredTable,
  recoverDatabase,
  type StoreState,
  syncFolder,
  tryLock,
} from '@fucina/shared';
import { refuseNewerStores } from './store-versions.ts';

const PARTS = ['', '-wal', '-shm'];

/** Every store of a data folder with the result of SQLite's integrity check, by name. */
export async function checkStores(
  dataDir: string,
  isKnownSound: (name: string) => boolean = () => false,
): Promise<{ name: string; state: StoreState }[]> {
  const names = readdirSync(dataDir).filter((name) => name.endsWith('.db'));
  const checks: { name: string; state: StoreState }[] = [];
  // One at a time: each may need a thread and many reads.
  for (const name of names.sort()) {
    const state = isKnownSound(name) ? 'sound' : (await checkStore(join(dataDir, name))).state;
    checks.push({ name, state });
  }
  return checks.filter(({ state }) => state !== 'missing');
}

/** Like `checkStores`, for frequent reports: an intact store is checked again only when one of its files changes. */
export function createStoreChecks(dataDir: string): () => ReturnType<typeof checkStores> {
  const sound = new Map<string, string>();
  return async () => {
    const versions = new Map<string, string>();
    const checks = await checkStores(dataDir, (name) => {
      // Taken before the check, so that a change during it counts as new.
      versions.set(name, versionOf(join(dataDir, name)));
      return sound.get(name) === versions.get(name);
    });
    sound.clear();
    for (const { name, state } of checks) if (state === 'sound') sound.set(name, versions.get(name) ?? '');
    return checks;
  };
}

/** Sizes and times of a store's files. */
function versionOf(file: string): string {
  return ['', '-wal']
    .map((part) => {
      const facts = statSync(file + part, { throwIfNoEntry: false });
      // Opening a store creates an empty log.
      return facts?.size ? `${facts.size} ${facts.mtimeMs}` : '';
    })
    .join();
}

export interface StoreRepair {
  name: string;
  /** Path of the damaged file, inside the data folder. */
  copy: string;
  tables: RecoveredTable[];
}

/**
 * Replaces each damaged store by a recovered file. The damaged file is copied first and preserved. Throws
 * SESSION_STORE_BUSY while another process uses the folder; CONFIG_INVALID (`store-newer`) when a newer Fucina wrote it.
 */
export async function repairStores(ambient: Ambient, folder: string): Promise<StoreRepair[]> {
  const dataDir = resolve(folder);
  if (!existsSync(dataDir)) return [];
  await refuseNewerStores(dataDir);
  const locks = join(dataDir, 'locks');
  mkdirSync(locks, { recursive: true, mode: 0o700 });
  const lock = tryLock(join(locks, 'server'));
  if (!lock) throw new AppError('SESSION_STORE_BUSY', { reason: 'another-server' });
  try {
    const isShared = readdirSync(locks).some((name) => name.startsWith('process-') && isLocked(join(locks, name)));
    if (isShared) throw new AppError('SESSION_STORE_BUSY', { reason: 'another-process' });
    const checks = await checkStores(dataDir);
    const damaged = checks.filter(({ state }) => state === 'damaged');
    const repairs: StoreRepair[] = [];
    for (const { name } of damaged) repairs.push(await repair(ambient, dataDir, name));
    return repairs;
  } finally {
    lock.release();
  }
}

async function repair(ambient: Ambient, dataDir: string, name: string): Promise<StoreRepair> {
  const stamp = new Date(ambient.now()).toISOString().replaceAll(/[:.]/g, '-');
  const copy = join('damaged', `${name}-${stamp}`);
  await copyStore(dataDir, join(dataDir, copy), name);
  // SQLite may write to what it opens, so it gets a copy of the copy.
  const work = join(dataDir, 'damaged', `working-${ambient.newId()}`);
  const fresh = join(dataDir, `${name}.recovered`);
  try {
    await copyStore(join(dataDir, copy), work, name);
    rmSync(fresh, { force: true });
    const tables = recoverDatabase(join(work, name), fresh);
    // Otherwise the log of the damaged file would be applied to the new one.
    for (const part of PARTS.slice(1)) rmSync(join(dataDir, name + part), { force: true });
    renameSync(fresh, join(dataDir, name));
    await syncFolder(dataDir);
    return { name, copy, tables };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function copyStore(from: string, to: string, name: string): Promise<void> {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const part of PARTS) {
    const file = join(from, basename(name) + part);
    if (existsSync(file)) copyFileSync(file, join(to, basename(name) + part));
  }
  await syncFolder(to);
}
