import { closeSync, constants, mkdirSync, openSync, unlinkSync, write, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Ambient, isMissing } from '@fucina/shared';
import { MAX_OUTPUT_BYTES } from '../limits.ts';

export type StreamName = 'stdout' | 'stderr';
export const STREAMS: readonly StreamName[] = ['stdout', 'stderr'];

/** `truncated`: bytes are missing at the end because of the size limit, a disk error or a crash. */
export type OutputState = 'running' | 'complete' | 'truncated';

export interface OutputRecorder {
  /** Appends a chunk; the promise resolves when it is on disk, and never rejects. Undefined: no need to wait. */
  write(chunk: Buffer, stream: StreamName): Promise<void> | undefined;
  /** After the last chunk. Until then the output counts as running. */
  end(): Promise<void>;
}

/** The newest part of a stream above its size limit, and how many bytes before it are not stored. */
export interface OutputTail {
  bytes: Buffer;
  missingBytes: number;
}

/** As its store sees it. */
export interface StoredRecorder extends OutputRecorder {
  /** Undefined while everything is in the file. */
  tail(stream: StreamName): Promise<OutputTail | undefined>;
  /** Writes what is held in memory. */
  toDisk(): void;
  /** What is held in memory is not written. */
  drop(): void;
}

interface Lane {
  file: number;
  bytes: number;
  isCut: boolean;
  last: Promise<void>;
  newest: Newest;
}

/** What did not fit into the file; only its end is kept. */
interface Newest {
  chunks: Buffer[];
  keptBytes: number;
  missingBytes: number;
}

type Lanes = Record<StreamName, Lane>;
interface Part {
  chunk: Buffer;
  stream: StreamName;
}

/** A short command has ended by then, and its result does not wait for the files. */
const HELD_MS = 20;
const HELD_BYTES = 64 * 1024;
/** Of a stream whose file is full. */
const TAIL_BYTES = 256 * 1024;
const MODE = 0o600;
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

/**
 * Records the streams of one command in `<base>.stdout` and `<base>.stderr`, and in `<base>.end` that they are whole;
 * what came last of a stream that is too long, in `<base>.stdout-tail` and `<base>.stderr-tail`.
 * The beginning is held in memory, at most HELD_MS and HELD_BYTES.
 */
export function createOutputRecorder(ambient: Ambient, base: string, onEnd: () => void): StoredRecorder {
  let held: { parts: Part[]; bytes: number } | undefined = { parts: [], bytes: 0 };
  let lanes: Lanes | undefined;
  /** From here on the numbers of the files may be those of others. */
  let isEnding = false;

  const toDisk = (): void => {
    if (!held) return;
    const { parts } = held;
    held = undefined;
    cancel();
    try {
      lanes = openLanes(base);
      for (const { chunk, stream } of parts) writeHeld(lanes[stream], chunk);
    } catch (error) {
      // A full disk must not prevent a command: its live output is in memory.
      ambient.log.warn('output.not-kept', { error });
      if (lanes) for (const stream of STREAMS) lanes[stream].isCut = true;
    }
    if (isEnding || !lanes) over();
  };
  const cancel = ambient.timer(HELD_MS, toDisk);
  const over = (): void => {
    try {
      if (lanes) closeLanes(base, lanes);
    } catch (error) {
      ambient.log.warn('output.end-not-kept', { error });
    }
    onEnd();
  };

  return {
    toDisk,
    drop() {
      if (!held) return;
      held = undefined;
      cancel();
      onEnd();
    },
    write(chunk, stream) {
      if (isEnding) return undefined;
      if (held) {
        held.parts.push({ chunk, stream });
        held.bytes += chunk.length;
        if (held.bytes > HELD_BYTES) toDisk();
        return undefined;
      }
      return lanes && append(ambient, lanes[stream], chunk);
    },
    async tail(stream) {
      const lane = lanes?.[stream];
      await lane?.last;
      return lane && tailOf(lane);
    },
    async end() {
      if (isEnding) return;
      isEnding = true;
      if (held || !lanes) return;
      const { stdout, stderr } = lanes;
      await Promise.all([stdout.last, stderr.last]);
      over();
    },
  };
}

/** Both or none. Opened at once: a trip to another thread for each would take longer than a short command. */
function openLanes(base: string): Lanes {
  // The first command of a session has no folder.
  if (isMissing(dirname(base))) mkdirSync(dirname(base), { recursive: true, mode: 0o700 });
  if (!isMissing(`${base}.end`)) unlinkSync(`${base}.end`);
  const lane = (stream: StreamName): Lane => ({
    file: openSync(`${base}.${stream}`, FLAGS, MODE),
    bytes: 0,
    isCut: false,
    last: Promise.resolve(),
    newest: { chunks: [], keptBytes: 0, missingBytes: 0 },
  });
  const stdout = lane('stdout');
  try {
    return { stdout, stderr: lane('stderr') };
  } catch (error) {
    closeSync(stdout.file);
    throw error;
  }
}

/** Without the marker the output counts as truncated, which is right when the disk is full. */
function closeLanes(base: string, lanes: Lanes): void {
  const stateOf = ({ isCut }: Lane): OutputState => (isCut ? 'truncated' : 'complete');
  const missing: Partial<Record<StreamName, number>> = {};
  for (const stream of STREAMS) {
    closeSync(lanes[stream].file);
    const tail = tailOf(lanes[stream]);
    if (!tail) continue;
    writeFileSync(tailFile(base, stream), tail.bytes, { mode: MODE });
    missing[stream] = tail.missingBytes;
  }
  const states = { stdout: stateOf(lanes.stdout), stderr: stateOf(lanes.stderr), missing };
  writeFileSync(`${base}.end`, JSON.stringify(states), { mode: MODE });
}

export function tailFile(base: string, stream: StreamName): string {
  return `${base}.${stream}-tail`;
}

function tailOf({ newest: { chunks, keptBytes, missingBytes } }: Lane): OutputTail | undefined {
  if (keptBytes === 0) return undefined;
  const bytes = Buffer.concat(chunks).subarray(-TAIL_BYTES);
  return { bytes, missingBytes: missingBytes + keptBytes - bytes.length };
}

/** What of a chunk fits below the limit of the stream; the rest is its newest part. */
function fitting(lane: Lane, chunk: Buffer): Buffer {
  const part = chunk.subarray(0, MAX_OUTPUT_BYTES - lane.bytes);
  lane.isCut = part.length < chunk.length;
  lane.bytes += part.length;
  keepNewest(lane.newest, chunk.subarray(part.length));
  return part;
}

/** Whole chunks go as soon as the ones after them are enough. */
function keepNewest(newest: Newest, chunk: Buffer): void {
  if (chunk.length === 0) return;
  // A copy: the chunk is a view of a larger block, and most of a flood is not kept.
  const kept = Buffer.from(chunk.subarray(-TAIL_BYTES));
  newest.missingBytes += chunk.length - kept.length;
  newest.chunks.push(kept);
  newest.keptBytes += kept.length;
  for (let first = newest.chunks[0]; first && newest.keptBytes - first.length >= TAIL_BYTES; first = newest.chunks[0]) {
    newest.chunks.shift();
    newest.keptBytes -= first.length;
    newest.missingBytes += first.length;
  }
}

function writeHeld(lane: Lane, chunk: Buffer): void {
  for (let rest = fitting(lane, chunk); rest.length > 0; ) rest = rest.subarray(writeSync(lane.file, rest));
}

function append(ambient: Ambient, lane: Lane, chunk: Buffer): Promise<void> | undefined {
  if (lane.isCut) {
    keepNewest(lane.newest, chunk);
    return undefined;
  }
  const part = fitting(lane, chunk);
  if (part.length === 0) return undefined;
  lane.last = lane.last
    .then(() => writeAll(lane.file, part))
    .catch((error: unknown) => {
      if (!lane.isCut) ambient.log.warn('output.cut', { error });
      lane.isCut = true;
    });
  return lane.last;
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
