import { ApiError } from '@fucina/client';
import { api } from '../../wire/client.ts';

/** Large files are shown in windows of this many bytes. */
export const WINDOW_BYTES = 256 * 1024;
/** The server's limit per request. */
export const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024;

export interface FilePiece {
  bytes: Uint8Array<ArrayBuffer>;
  /** Size of the whole file. */
  wholeBytes: number;
  /** ETag; undefined if the file changed too recently. */
  version: string | undefined;
}

export interface ByteRange {
  from: number;
  /** Not included. */
  to: number;
  version?: string | undefined;
}

export interface FilePlace {
  sessionId: string;
  path: string;
}

const requestOf = ({ sessionId, path }: FilePlace) => ({ path: { sessionId }, query: { path: path } });

export const fileAddress = (file: FilePlace): string =>
  api.address('get', '/sessions/{sessionId}/file', requestOf(file));

/** Of a PDF, to be shown in a frame. */
export const previewAddress = (file: FilePlace): string =>
  api.address('get', '/sessions/{sessionId}/file/preview', requestOf(file));

/** Code of a file that changed since its last range was read. */
export const FILE_CHANGED = 'FILE_CHANGED';

/** A byte range of a file of any size; empty beyond its end. Throws ApiError. */
export async function readFilePiece(
  file: FilePlace,
  { from, to, version }: ByteRange,
  signal?: AbortSignal,
): Promise<FilePiece> {
  const headers = { range: `bytes=${from}-${Math.max(from, to - 1)}`, 'if-range': version };
  try {
    const response = await api.fetch('get', '/sessions/{sessionId}/file', { ...requestOf(file), headers, signal });
    if (response.status !== 206) throw await changed(response);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { bytes, wholeBytes: wholeBytesOf(response.headers), version: response.headers.get('etag') ?? undefined };
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 416 && error.headers)) throw error;
    return { bytes: new Uint8Array(), wholeBytes: wholeBytesOf(error.headers), version: undefined };
  }
}

const wholeBytesOf = (headers: Headers): number => Number(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]);

/** The server answers with the whole file when it is no longer the version that was asked for. */
async function changed({ body, status }: Response): Promise<ApiError> {
  await body?.cancel();
  return new ApiError(FILE_CHANGED, { status });
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Detects the encoding from the start of a file, or all of it. */
export function encodingOf(head: Uint8Array, isWhole = false): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  try {
    // A character cut at the end is not an error: `stream` waits for its rest.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

export interface CutLines {
  lines: string[];
  /** Byte length of `lines`. */
  from: number;
  to: number;
}

/**
 * The complete lines of a range that starts at `from`: lines cut at its edges are left to its neighbors, unless there
 * is no complete one.
 */
export function wholeLines(
  bytes: Uint8Array,
  from: number,
  { wholeBytes, encoding }: { wholeBytes: number; encoding: Encoding },
): CutLines {
  const isWide = encoding.startsWith('utf-16');
  const first = from === 0 || isWide ? 0 : bytes.indexOf(10) + 1;
  const isEnd = from + bytes.length >= wholeBytes;
  const last = isEnd || isWide ? bytes.length : bytes.lastIndexOf(10) + 1;
  const [start, end] = last > first ? [first, last] : [0, bytes.length];
  const text = new TextDecoder(encoding).decode(bytes.subarray(start, end));
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return { lines, from: from + start, to: from + end };
}
