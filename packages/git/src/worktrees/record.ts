import { createHash } from 'node:crypto';
import { mkdir, open, readFile, realpath, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type Ambient,
  isWithin,
  namesIn,
  realPathAt,
  removeTree,
  systemCode,
  writeFileAtomically,
} from '@fucina/shared';
import * as z from 'zod';
import { worktreeName } from './name.ts';

const schema = z.strictObject({
  id: z.string(),
  /** Absolute real path of the worktree. */
  path: z.string(),
  name: z.string(),
  /** The data that all worktrees of the repository share, and the tree that this one was made from; absolute. */
  commonDir: z.string(),
  source: z.string(),
  /** What it was made from: the full name of a branch, or null for a commit alone. */
  base: z.strictObject({ reference: z.string().nullable(), commit: z.string() }),
  /** Whether its branch was made with it. */
  ownsBranch: z.boolean(),
  /** The first of the ports that are its own; null when all were taken. */
  portBase: z.number().int().nullable(),
  createdAt: z.number(),
});

/** What is known about a worktree that Fucina made, beyond what git stores. */
export type WorktreeRecord = z.infer<typeof schema>;

/**
 * One file per worktree, outside of it: `<repository>-<hash>/<name>.json` beside the folder `<name>`. Commands of
 * sessions cannot reach these files.
 */
export interface WorktreeRecords {
  all(): Promise<WorktreeRecord[]>;
  find(id: string): Promise<WorktreeRecord | undefined>;
  /** The worktree that contains the folder (absolute real path). */
  at(folder: string): Promise<WorktreeRecord | undefined>;
  /** An empty folder of its own for a new worktree; with `isTaken`, also a name that is free in the repository. */
  reserve(commonDir: string, wanted: string, isTaken: (name: string) => Promise<boolean>): Promise<Reserved>;
  add(record: Omit<WorktreeRecord, 'portBase'>): Promise<WorktreeRecord>;
  /** The record, its ports and what is left of the folder. */
  remove(record: Pick<WorktreeRecord, 'path' | 'portBase'>): Promise<void>;
}

export interface Reserved {
  path: string;
  name: string;
}

/** Below the ports that systems give to outgoing connections, above those of well-known servers. */
const FIRST_PORT = 23_000;
const PORTS_EACH = 20;
const SLOTS = 400;
const PORTS = 'ports';

export function createWorktreeRecords(ambient: Ambient, dir: string | undefined): WorktreeRecords {
  return dir === undefined ? WITHOUT_FOLDER : recordsBelow(ambient, dir);
}

const noFolder = async (): Promise<never> => {
  throw new Error('No folder for worktrees was given.');
};

const WITHOUT_FOLDER: WorktreeRecords = {
  all: async () => [],
  find: async () => undefined,
  at: async () => undefined,
  reserve: noFolder,
  add: noFolder,
  remove: noFolder,
};

function recordsBelow(ambient: Ambient, dir: string): WorktreeRecords {
  const fileOf = (path: string): string => `${path}.json`;
  const all = async (): Promise<WorktreeRecord[]> => {
    const files = (await namesIn(dir)).filter((name) => name !== PORTS).map((name) => join(dir, name));
    const found = await Promise.all(files.map(async (folder) => recordsIn(ambient, folder)));
    return found.flat().sort((a, b) => a.createdAt - b.createdAt);
  };
  return {
    all,
    find: async (id) => (await all()).find((record) => record.id === id),
    async at(folder) {
      const root = realPathAt(dir) ?? dir; // it may not exist yet
      if (folder === root || !isWithin(root, folder)) return undefined;
      const [repository = '', name = ''] = folder.slice(root.length + 1).split(/[/\\]/);
      const record = name === '' ? undefined : await readRecord(ambient, fileOf(join(root, repository, name)));
      return record && isWithin(record.path, folder) ? record : undefined;
    },
    async reserve(commonDir, wanted, isTaken) {
      const folder = await folderOf(dir, commonDir);
      for (let count = 1; ; count += 1) {
        const name = count === 1 ? wanted : `${wanted}-${count}`;
        if (await isTaken(name)) continue;
        try {
          await mkdir(join(folder, name));
          return { path: join(folder, name), name };
        } catch (error) {
          if (systemCode(error) !== 'EEXIST') throw error;
        }
      }
    },
    async add(given) {
      const record = { ...given, portBase: await takePorts(dir, given.id) };
      await writeFileAtomically(fileOf(record.path), `${JSON.stringify(record, null, 2)}\n`);
      return record;
    },
    async remove({ path, portBase }) {
      await removeTree(path);
      await rm(fileOf(path), { force: true });
      if (portBase !== null) await rm(slotFile(dir, (portBase - FIRST_PORT) / PORTS_EACH), { force: true });
      // Only when it was the last of its repository.
      await rmdir(dirname(path)).catch(() => undefined);
    },
  };
}

/** `<repository>-<hash>`, made when it is missing; absolute real path. */
async function folderOf(dir: string, commonDir: string): Promise<string> {
  const isPlain = basename(commonDir) === '.git';
  const hash = createHash('sha256').update(commonDir).digest('hex').slice(0, 8);
  const folder = join(dir, `${worktreeName(basename(isPlain ? dirname(commonDir) : commonDir))}-${hash}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return realpath(folder);
}

async function recordsIn(ambient: Ambient, folder: string): Promise<WorktreeRecord[]> {
  const files = (await namesIn(folder)).filter((name) => name.endsWith('.json'));
  const read = await Promise.all(files.map((name) => readRecord(ambient, join(folder, name))));
  return read.filter((record) => record !== undefined);
}

/** Undefined when there is none; one that cannot be read is reported and left alone. */
async function readRecord(ambient: Ambient, file: string): Promise<WorktreeRecord | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') ambient.log.warn('worktree.record-unreadable', { error });
    return undefined;
  }
}

const slotFile = (dir: string, slot: number): string => join(dir, PORTS, String(slot));

/** The first free ports; taken by creating a file, so that two processes never get the same. */
async function takePorts(dir: string, id: string): Promise<number | null> {
  await mkdir(join(dir, PORTS), { recursive: true, mode: 0o700 });
  for (let slot = 0; slot < SLOTS; slot += 1) {
    try {
      const handle = await open(slotFile(dir, slot), 'wx', 0o600);
      try {
        await handle.writeFile(id);
      } finally {
        await handle.close();
      }
      return FIRST_PORT + slot * PORTS_EACH;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
  return null;
}
