import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { safeName } from '@fucina/sandbox';
import { type Ambient, namesIn, systemCode } from '@fucina/shared';
import {
  createOutputRecorder,
  type OutputRecorder,
  type OutputState,
  type OutputTail,
  type StoredRecorder,
  type StreamName,
  tailFile,
} from './output-recorder.ts';

export interface StoredStream {
  /** Absolute path of the bytes. */
  file: string;
  availableBytes: number;
  state: OutputState;
}

/** Output of commands, one file per stream under `<root>/<session>/`: its first 8 MiB, and apart the end of a longer one. */
export interface OutputStore {
  begin(sessionId: string, outputId: string): OutputRecorder;
  find(sessionId: string, outputId: string, stream: StreamName): Promise<StoredStream | undefined>;
  /** The newest part of a stream that is too long to be stored whole. */
  tail(sessionId: string, outputId: string, stream: StreamName): Promise<OutputTail | undefined>;
  forget(sessionId: string): Promise<void>;
  /** Writes what is still in memory. */
  flush(): void;
  /** Deletes sessions that `isKnown` rejects, those older than 30 days, and the oldest above 1 GiB in total. */
  sweep(isKnown: (sessionId: string) => boolean | Promise<boolean>): Promise<void>;
}

const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_TOTAL_BYTES = 1024 * 1024 * 1024;

export function createOutputStore(ambient: Ambient, root: string): OutputStore {
  const running = new Map<string, StoredRecorder>();
  const folderOf = (sessionId: string): string => join(root, safeName(sessionId));
  const baseOf = (sessionId: string, outputId: string): string => join(folderOf(sessionId), safeName(outputId));

  return {
    begin(sessionId, outputId) {
      const base = baseOf(sessionId, outputId);
      running.get(base)?.toDisk();
      const recorder = createOutputRecorder(ambient, base, () => running.delete(base));
      running.set(base, recorder);
      return recorder;
    },

    async find(sessionId, outputId, stream) {
      const base = baseOf(sessionId, outputId);
      const file = `${base}.${stream}`;
      running.get(base)?.toDisk();
      // Read before the size: if it ends in between, it is reported as running, never as complete too early.
      const isRunning = running.has(base);
      const size = await sizeOf(file);
      if (size === undefined) return undefined;
      return { file, availableBytes: size, state: isRunning ? 'running' : await endState(base, stream) };
    },

    async tail(sessionId, outputId, stream) {
      const base = baseOf(sessionId, outputId);
      const recorder = running.get(base);
      return recorder ? recorder.tail(stream) : storedTail(base, stream);
    },

    async forget(sessionId) {
      for (const [base, recorder] of running) if (base.startsWith(`${folderOf(sessionId)}/`)) recorder.drop();
      await rm(folderOf(sessionId), { recursive: true, force: true });
    },

    flush() {
      for (const recorder of running.values()) recorder.toDisk();
    },

    async sweep(isKnown) {
      const kept: { folder: string; bytes: number; newest: number }[] = [];
      for (const name of await namesIn(root)) {
        const folder = join(root, name);
        if ([...running.keys()].some((base) => base.startsWith(`${folder}/`))) continue;
        const facts = await folderFacts(folder);
        const isOld = ambient.now() - facts.newest > MAX_AGE_MS;
        if (isOld || !(await isKnown(name))) await rm(folder, { recursive: true, force: true });
        else kept.push({ folder, ...facts });
      }
      let total = kept.reduce((sum, { bytes }) => sum + bytes, 0);
      for (const { folder, bytes } of kept.sort((a, b) => a.newest - b.newest)) {
        if (total <= MAX_TOTAL_BYTES) return;
        await rm(folder, { recursive: true, force: true });
        total -= bytes;
      }
    },
  };
}

async function endState(base: string, stream: StreamName): Promise<OutputState> {
  return (await endOf(base))[stream] === 'complete' ? 'complete' : 'truncated';
}

type StoredEnd = Partial<Record<StreamName, OutputState>> & { missing?: Partial<Record<StreamName, number>> };

/** Empty without the marker, or with half of it: the program died before the command ended. */
async function endOf(base: string): Promise<StoredEnd> {
  try {
    return JSON.parse(await readFile(`${base}.end`, 'utf8')) as StoredEnd;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' && !(error instanceof SyntaxError)) throw error;
    return {};
  }
}

async function storedTail(base: string, stream: StreamName): Promise<OutputTail | undefined> {
  const missingBytes = (await endOf(base)).missing?.[stream];
  if (missingBytes === undefined) return undefined;
  return { bytes: await readFile(tailFile(base, stream)), missingBytes };
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

async function folderFacts(folder: string): Promise<{ bytes: number; newest: number }> {
  const own = await stat(folder);
  let bytes = 0;
  let newest = own.mtimeMs;
  for (const name of own.isDirectory() ? await namesIn(folder) : []) {
    const stats = await stat(join(folder, name)).catch(() => undefined); // deleted in the meantime
    bytes += stats?.size ?? 0;
    newest = Math.max(newest, stats?.mtimeMs ?? 0);
  }
  return { bytes, newest };
}
