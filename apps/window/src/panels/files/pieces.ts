import { address, WireError, type WireErrorBody } from '../../wire/call.ts';
import { language } from '../../words/words.ts';

/** Large files are looked at through a window of this many bytes. */
export const WINDOW_BYTES = 256 * 1024;
/** The server carries no more at once. */
export const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024;

export interface FilePiece {
  bytes: Uint8Array<ArrayBuffer>;
  /** Of the whole file. */
  wholeBytes: number;
  /** Names these very bytes; undefined while they changed too short a time ago. */
  version: string | undefined;
}

export interface ByteRange {
  from: number;
  /** Not included. */
  to: number;
  version?: string | undefined;
}

export const fileAddress = (sessionId: string, path: string): string =>
  address(['sessions', sessionId, 'file'], { percorso: path });

/** Code of a file that is no longer the one whose piece was asked for. */
export const FILE_CHANGED = 'FILE_CHANGED';

/** Some bytes of a file, however large it is; beyond its end there are none. Throws WireError. */
export async function readFilePiece(
  url: string,
  { from, to, version }: ByteRange,
  signal?: AbortSignal,
): Promise<FilePiece> {
  const response = await fetch(url, {
    headers: {
      'accept-language': language(),
      range: `bytes=${from}-${Math.max(from, to - 1)}`,
      ...(version ? { 'if-range': version } : {}),
    },
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new WireError('OFFLINE', undefined, cause);
  });
  const wholeBytes = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]);
  if (response.status === 416) return { bytes: new Uint8Array(), wholeBytes, version: undefined };
  if (response.status !== 206) throw await refusal(response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, wholeBytes, version: response.headers.get('etag') ?? undefined };
}

async function refusal(response: Response): Promise<WireError> {
  if (response.ok) {
    await response.body?.cancel();
    return new WireError(FILE_CHANGED);
  }
  const { error } = (await response.json()) as { error?: WireErrorBody };
  return new WireError(error?.code ?? 'INTERNAL_ERROR', error);
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** As far as the beginning of a file tells, or the whole of it. */
export function encodingOf(head: Uint8Array, isWhole = false): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  try {
    // A sign that is cut at the end of a part is no fault: `stream` waits for its rest.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

export interface CutLines {
  lines: string[];
  /** Of the bytes that `lines` are. */
  from: number;
  to: number;
}

/** The whole lines of a piece that begins at `from`: what is cut at its edges is left to its neighbours, unless nothing is whole. */
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
