import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Ambient, openFileInside, parseRelativePath } from '@fucina/shared';
import { asFileError, filesError } from './errors.ts';
import { refuseLong } from './long-path.ts';

/** Bytes `first` to `last`, both included (without `last`: to the end), or the last n. */
export type Span = { first: number; last?: number } | { suffix: number };

export interface PartAsk {
  span: Span;
  /** The range applies only to this version; for another version the whole file is sent. */
  version?: string;
}

export interface Download {
  name: string;
  /** Size of `content`. */
  sizeBytes: number;
  /** Size of the file when it was opened. */
  wholeBytes: number;
  /** Strong ETag; undefined if the file changed so recently that its timestamp cannot tell versions apart. */
  version?: string;
  /**
   * The requested range as available; `beyond`: the file ends before it, and `content` is empty. Absent: the whole
   * file.
   */
  part?: { first: number; last: number } | 'beyond';
  /** Exactly `sizeBytes` of the file as it was opened; the caller must read or destroy it. */
  content: Readable;
}

interface Place {
  folder: string;
  path: string;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Two changes within the resolution of the coarsest file clock have the same time. */
const UNSURE_MS = 2_000;

export async function download(ambient: Ambient, { folder, path }: Place, ask?: PartAsk): Promise<Download> {
  try {
    refuseLong(path);
    const { handle } = await openFileInside(folder, path);
    try {
      const stats = await handle.stat({ bigint: true });
      const wholeBytes = Number(stats.size);
      const version = versionOf(stats, ambient.now());
      const isPart = ask && (ask.version === undefined || ask.version === version);
      const part = isPart ? partOf(ask.span, wholeBytes) : undefined;
      const { first, last } = part === 'beyond' ? NOTHING : (part ?? { first: 0, last: wholeBytes - 1 });
      const sizeBytes = last - first + 1;
      if (sizeBytes > MAX_BYTES) {
        const params = { limitBytes: MAX_BYTES, sizeBytes: wholeBytes };
        throw filesError('FILE_TOO_LARGE', { reason: 'download-limit', params });
      }
      const name = parseRelativePath(path).split('/').at(-1) ?? '';
      const content = contentOf(handle, { first, last });
      return { name, sizeBytes, wholeBytes, content, ...(version && { version }), ...(part && { part }) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    throw asFileError(error);
  }
}

const PDF = Buffer.from('%PDF-');

export async function pdf(ambient: Ambient, { folder, path }: Place, ask?: PartAsk): Promise<Download> {
  try {
    refuseLong(path);
    const { handle } = await openFileInside(folder, path);
    const { buffer } = await handle.read(Buffer.alloc(PDF.length), 0, PDF.length, 0).finally(() => handle.close());
    if (!buffer.equals(PDF)) throw filesError('FILE_NOT_FOUND', { reason: 'not-a-pdf' });
  } catch (error) {
    throw asFileError(error);
  }
  return download(ambient, { folder, path }, ask);
}

const NOTHING = { first: 0, last: -1 };

function partOf(span: Span, wholeBytes: number): Download['part'] {
  const first = 'suffix' in span ? Math.max(0, wholeBytes - span.suffix) : span.first;
  const last = Math.min(('suffix' in span ? undefined : span.last) ?? Infinity, wholeBytes - 1);
  return first >= wholeBytes || last < first ? 'beyond' : { first, last };
}

/** A growing file is cut at the size it had when it was opened; an empty range opens nothing. */
function contentOf(handle: FileHandle, { first, last }: { first: number; last: number }): Readable {
  if (last >= first) return handle.createReadStream({ start: first, end: last });
  return Readable.from([]).on('close', () => void handle.close());
}

function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats, now: number): string | undefined {
  const changed = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  if (now - changed < UNSURE_MS) return undefined;
  return createHash('sha256').update([dev, ino, size, mtimeNs, ctimeNs].join(' ')).digest('base64url').slice(0, 32);
}
