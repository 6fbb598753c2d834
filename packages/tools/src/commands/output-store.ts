import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { safeName } from '@fucina/sandbox';
import { type Ambient, namesIn, systemCode } from '@fucina/shared';
import { MAX_OUTPUT_BYTES } from '../limits.ts';

export type StreamName = 'stdout' | 'stderr';
export const STREAMS: readonly StreamName[] = ['stdout', 'stderr'];

/** `truncated`: bytes are missing at the end because of the size limit, a disk error or a crash. */
export type OutputState = 'running' | 'complete' | 'truncated';

export interface StoredStream {
  /** Absolute path of the bytes. */
  file: string;
  availableBytes: number;
  state: OutputState;
}

export interface OutputRecorder {
  /** Appends a chunk; the promise resolves when it is on disk, and never rejects. Undefined: no need to wait. */
  write(chunk: Buffer, stream: StreamName): Promise<void> | undefined;
  /** After the last chunk. Until then the output counts as running. */
  end(): Promise<void>;
}

/** Output of commands, one file per stream under `<root>/<session>/`, at most 8 MiB each. */
export interface OutputStore {
  begin(sessionId: string, outputId: string): Promise<OutputRecorder>;
  find(sessionId: string, outputId: string, stream: StreamName): Promise<StoredStream | undefined>;
  forget(sessionId: string): Promise<void>;
  /** Deletes sessions that `isKnown` rejects, those older than 30 days, and the oldest above 1 GiB in total. */
  sweep(isKnown: (sessionId: string) => boolean | Promise<boolean>): Promise<void>;
}

const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_TOTAL_BYTES = 1024 * 1024 * 1024;
const MODE = 0o600;

export function createOutputStore(ambient: Ambient, root: string): OutputStore {
  const running = new Set<string>();
  const folderOf = (sessionId: string): string => join(root, safeName(sessionId));
  const baseOf = (sessionId: string, outputId: string): string => join(folderOf(sessionId), safeName(outputId));

  return {
    async begin(sessionId, outputId) {
      const base = baseOf(sessionId, outputId);
      try {
        await removeFile(`${base}.end`);
        const open = () => openRecorder(ambient, base, () => running.delete(base));
        const recorder = await open().catch(async (error: unknown) => {
          if (systemCode(error) !== 'ENOENT') throw error;
          // The first command of a session.
          await mkdir(folderOf(sessionId), { recursive: true, mode: 0o700 });
          return open();
        });
        running.add(base);
        return recorder;
      } catch (error) {
        // A full disk must not prevent a command: its live output is in memory.
        ambient.log.warn('output.not-kept', { sessionId, error });
        return { write: () => undefined, end: () => Promise.resolve() };
      }
    },

    async find(sessionId, outputId, stream) {
      const base = baseOf(sessionId, outputId);
      const file = `${base}.${stream}`;
      // Read before the size: if it ends in between, it is reported as running, never as complete too early.
      const isRunning = running.has(base);
      const size = await sizeOf(file);
      if (size === undefined) return undefined;
      return { file, availableBytes: size, state: isRunning ? 'running' : await endState(base, stream) };
    },

    forget: (sessionId) => rm(folderOf(sessionId), { recursive: true, force: true }),

    async sweep(isKnown) {
      const kept: { folder: string; bytes: number; newest: number }[] = [];
      for (const name of await namesIn(root)) {
        const folder = join(root, name);
        if ([...running].some((base) => base.startsWith(`${folder}/`))) continue;
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

interface Lane {
  handle: FileHandle;
  bytes: number;
  isCut: boolean;
  last: Promise<void>;
}

async function openRecorder(ambient: Ambient, base: string, onEnd: () => void): Promise<OutputRecorder> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
  const lane = async (stream: StreamName): Promise<Lane> => ({
    handle: await open(`${base}.${stream}`, flags, MODE),
    bytes: 0,
    isCut: false,
    last: Promise.resolve(),
  });
  const [stdout, stderr] = await Promise.allSettled([lane('stdout'), lane('stderr')]);
  if (stdout.status === 'rejected' || stderr.status === 'rejected') {
    for (const one of [stdout, stderr]) if (one.status === 'fulfilled') await one.value.handle.close();
    throw [stdout, stderr].find((one) => one.status === 'rejected')?.reason;
  }
  const lanes = { stdout: stdout.value, stderr: stderr.value };

  return {
    write(chunk, stream) {
      const one = lanes[stream];
      if (one.isCut) return undefined;
      const part = chunk.subarray(0, MAX_OUTPUT_BYTES - one.bytes);
      one.isCut = part.length < chunk.length;
      one.bytes += part.length;
      if (part.length === 0) return undefined;
      one.last = one.last
        .then(() => one.handle.writeFile(part))
        .catch((error: unknown) => {
          if (!one.isCut) ambient.log.warn('output.cut', { error });
          one.isCut = true;
        });
      return one.last;
    },
    async end() {
      await Promise.all([stdout.value.last, stderr.value.last]);
      const stateOf = ({ isCut }: Lane): OutputState => (isCut ? 'truncated' : 'complete');
      const states = JSON.stringify({ stdout: stateOf(stdout.value), stderr: stateOf(stderr.value) });
      // Without this marker the output counts as truncated, which is right when the disk is full.
      const noted = writeFile(`${base}.end`, states, { mode: MODE }).catch((error: unknown) =>
        ambient.log.warn('output.end-not-kept', { error }),
      );
      await Promise.all([noted, ...STREAMS.map((stream) => lanes[stream].handle.close())]);
      onEnd();
    },
  };
}

async function endState(base: string, stream: StreamName): Promise<OutputState> {
  try {
    const states = JSON.parse(await readFile(`${base}.end`, 'utf8')) as Partial<Record<StreamName, OutputState>>;
    return states[stream] === 'complete' ? 'complete' : 'truncated';
  } catch (error) {
    // No marker, or half of it: the program died before the command ended.
    if (systemCode(error) !== 'ENOENT' && !(error instanceof SyntaxError)) throw error;
    return 'truncated';
  }
}

async function removeFile(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
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
