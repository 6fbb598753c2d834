import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { OutputState, StreamName } from './output-recorder.ts';
import type { OutputStore, StoredStream } from './output-store.ts';

export interface OutputWindow {
  stream: StreamName;
  /** In bytes, default 0; at most the size. */
  offset?: number;
  /** In bytes, default 64 KiB. */
  limit?: number;
  /**
   * `characters`: moves the range by at most three bytes at either end, so that it contains whole UTF-8 characters.
   */
  cutAt: 'bytes' | 'characters';
}

export interface OutputSlice {
  content: Buffer;
  /** Start of `content`. */
  offset: number;
  /** Null at the end of a complete output. */
  nextOffset: number | null;
  availableBytes: number;
  state: OutputState;
}

export interface WholeOutput {
  sizeBytes: number;
  /** The caller must read or destroy it. */
  content: Readable;
}

export const DEFAULT_SLICE_BYTES = 64 * 1024;
/** Continuation bytes of the longest UTF-8 character. */
const TAIL = 3;

export async function readSlice(kept: StoredStream, window: OutputWindow): Promise<OutputSlice> {
  const { availableBytes, state } = kept;
  const asked = Math.min(window.offset ?? 0, availableBytes);
  const limit = Math.min(window.limit ?? DEFAULT_SLICE_BYTES, availableBytes - asked);
  const isText = window.cutAt === 'characters';
  const raw = await readAt(kept.file, asked, Math.min(limit + (isText ? TAIL : 0), availableBytes - asked));
  const isEnd = state !== 'running' && asked + limit >= availableBytes;
  const { start, end } = isText
    ? characterWindow(raw, { limit: Math.min(limit, raw.length), isAtStart: asked === 0, isEnd })
    : { start: 0, end: Math.min(limit, raw.length) };
  const content = raw.subarray(start, end);
  const next = asked + end;
  return {
    content,
    offset: asked + start,
    nextOffset: state !== 'running' && next >= availableBytes ? null : next,
    availableBytes,
    state,
  };
}

export async function wholeOutput(
  store: OutputStore,
  sessionId: string,
  { outputId, stream }: { outputId: string; stream: StreamName },
): Promise<WholeOutput | undefined> {
  const kept = await store.find(sessionId, outputId, stream);
  if (!kept) return undefined;
  // Exactly the bytes present at the request: a growing stream is cut at its announced length.
  const sizeBytes = kept.availableBytes;
  const content = sizeBytes === 0 ? Readable.from([]) : createReadStream(kept.file, { end: sizeBytes - 1 });
  return { sizeBytes, content };
}

async function readAt(file: string, offset: number, length: number): Promise<Buffer> {
  if (length <= 0) return Buffer.alloc(0);
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await handle.read(buffer, 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** At least one whole character if there is one, even above the limit. */
function characterWindow(
  bytes: Buffer,
  { limit, isAtStart, isEnd }: { limit: number; isAtStart: boolean; isEnd: boolean },
): { start: number; end: number } {
  let start = 0;
  if (!isAtStart) while (start < TAIL && start < bytes.length && isContinuation(bytes[start] as number)) start++;
  let end = Math.max(start, limit);
  if (isEnd) return { start, end: bytes.length };
  const first = characterStart(bytes, end);
  if (first === end) return { start, end };
  const length = characterLength(bytes[first] as number);
  // It does not end within the range: left for the next one, unless the range contains nothing else.
  if (first + length <= end) return { start, end };
  if (first > start) end = first;
  else end = first + length <= bytes.length ? first + length : start;
  return { start, end };
}

/** Start of the character that extends beyond `end`; `end` itself if there is none. */
function characterStart(bytes: Buffer, end: number): number {
  for (let at = end - 1; at >= Math.max(0, end - 4); at--) {
    if (!isContinuation(bytes[at] as number)) return characterLength(bytes[at] as number) > 1 ? at : end;
  }
  return end;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function characterLength(byte: number): number {
  if (byte >= 0xf0 && byte < 0xf8) return 4;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xc0 && byte < 0xe0 ? 2 : 1;
}
