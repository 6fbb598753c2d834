import { closeSync, constants, openSync, unlinkSync, write, writeFileSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { safeName } from '@fucina/sandbox';
import { type Ambient, isMissing, namesIn, systemCode } from '@fucina/shared';
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
        // The first command of a session has no folder.
        if (isMissing(folderOf(sessionId))) await mkdir(folderOf(sessionId), { recursive: true, mode: 0o700 });
        if (!isMissing(`${base}.end`)) unlinkSync(`${base}.end`);
        const recorder = openRecorder(ambient, base, () => running.delete(base));
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
  file: number;
  bytes: number;
  isCut: boolean;
  last: Promise<void>;
}

const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

/** Files are opened and closed at once: a trip to another thread for each would take longer than a short command. */
function openRecorder(ambient: Ambient, base: string, onEnd: () => void): OutputRecorder {
  const lane = (stream: StreamName): Lane => ({
    file: openSync(`${base}.${stream}`, FLAGS, MODE),
    bytes: 0,
    isCut: false,
    last: Promise.resolve(),
  });
  const stdout = lane('stdout');
  const lanes = { stdout, stderr: besides(stdout, () => lane('stderr')) };
  /** From here on the numbers of the files may be those of others. */
  let isEnding = false;

  return {
    write(chunk, stream) {
      const one = lanes[stream];
      if (one.isCut || isEnding) return undefined;
      const part = chunk.subarray(0, MAX_OUTPUT_BYTES - one.bytes);
      one.isCut = part.length < chunk.length;
      one.bytes += part.length;
      if (part.length === 0) return undefined;
      one.last = one.last
        .then(() => writeAll(one.file, part))
        .catch((error: unknown) => {
          if (!one.isCut) ambient.log.warn('output.cut', { error });
          one.isCut = true;
        });
      return one.last;
    },
    async end() {
      if (isEnding) return;
      isEnding = true;
      await Promise.all(STREAMS.map((stream) => lanes[stream].last));
      const stateOf = ({ isCut }: Lane): OutputState => (isCut ? 'truncated' : 'complete');
      const states = JSON.stringify({ stdout: stateOf(lanes.stdout), stderr: stateOf(lanes.stderr) });
      try {
        for (const stream of STREAMS) closeSync(lanes[stream].file);
        // Without this marker the output counts as truncated, which is right when the disk is full.
        writeFileSync(`${base}.end`, states, { mode: MODE });
      } catch (error) {
        ambient.log.warn('output.end-not-kept', { error });
      }
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

/** The second, or none of both. */
function besides(first: Lane, open: () => Lane): Lane {
  try {
    return open();
  } catch (error) {
    closeSync(first.file);
    throw error;
  }
}

async function writeAll(file: number, bytes: Buffer): Promise<void> {
  for (let rest = bytes; rest.length > 0; ) {
    const written = await writeSome(file, rest);
    rest = rest.subarray(written);
  }
}

const writeSome = (file: number, bytes: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    write(file, bytes, (error, written) => (error ? reject(error) : resolve(written)));
  });

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
