import { createHash, type Hash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  isAppError,
  type OutboundAnswer,
  OutboundError,
  type OutboundHttp,
  syncFolder,
  systemCode,
} from '@fucina/shared';
import { localModelsError } from '../errors.ts';
import { asHubError, askHub, HUB } from '../hub/hub-http.ts';
import { createFileSink, type FileSink } from '../installed/model-folder.ts';
import type { ModelFile } from '../model-record.ts';
import { PARTIAL_SUFFIX } from './manifest.ts';

export interface FileFetch {
  http: OutboundHttp;
  repo: string;
  revision: string;
  file: ModelFile;
  /** Absolute; its folder exists. */
  target: string;
  signal: AbortSignal;
  /** Bytes of this file so far; may decrease when it has to start again. */
  onBytes(bytes: number): void;
  /** Bytes that may still be written to the disk. */
  roomBytes(): Promise<number>;
}

const LIMITS = { connectMs: 15_000, firstResponseMs: 30_000, idleMs: 60_000, totalMs: 0, bodyBytes: 0 };
/** A connection that is cut after this much is retried at once; after less, the user decides. */
const WORTH_GOING_ON_BYTES = 1_048_576;

/**
 * Downloads one file, resuming from `<file>.partial`, and renames it only when size and checksum are right.
 * HUB_DOWNLOAD_FAILED, HUB_RESOLVE_INVALID, HUB_REDIRECT_*, HUB_RATE_LIMITED, HUB_REPOSITORY_GATED, CHECKSUM_MISMATCH,
 * MODEL_FILE_UNREADABLE; when the signal aborts, its reason. Partial data is preserved for the next attempt, unless it
 * was wrong.
 */
export async function fetchFile(job: FileFetch): Promise<void> {
  const { file, target, signal } = job;
  const partial = target + PARTIAL_SUFFIX;
  for (;;) {
    const before = await sizeOf(partial);
    try {
      const hash = await appendTo(partial, before > file.bytes ? 0 : before, job);
      await settle(hash, partial, job);
      return;
    } catch (error) {
      signal.throwIfAborted();
      const hasGrown = (await sizeOf(partial)) - before >= WORTH_GOING_ON_BYTES;
      const isCut = error instanceof OutboundError && error.problem !== 'too-large';
      if (!isCut || !hasGrown) throw failureOf(error);
    }
  }
}

function failureOf(error: unknown): unknown {
  const code = systemCode(error);
  if (isAppError(error) || code === undefined) return asHubError(error, 'HUB_DOWNLOAD_FAILED');
  if (code === 'ENOSPC') return localModelsError('HUB_DOWNLOAD_FAILED', { reason: 'disk-full', cause: error });
  return localModelsError('MODEL_FILE_UNREADABLE', { cause: error });
}

const WRITE = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** Returns the checksum of the whole partial file. */
async function appendTo(partial: string, kept: number, job: FileFetch): Promise<Hash> {
  const { file, onBytes } = job;
  let [start, hash] = [kept, await sumSoFar(partial, kept, job.signal)];
  onBytes(start);
  if (start === file.bytes) return hash;
  const { answer, isContinued } = await askForRest(start, job);
  if (!isContinued) [start, hash] = [0, createHash('sha256')];
  const handle = await open(partial, WRITE, 0o600);
  const sink = createFileSink({ handle, hash, start, roomBytes: job.roomBytes });
  try {
    await handle.truncate(start);
    await copy(answer, sink, job);
  } finally {
    answer.discard();
    // Received data is preserved even when the transfer breaks off.
    await sink.finish().finally(() => handle.close());
  }
  return hash;
}

async function copy(answer: OutboundAnswer, sink: FileSink, { file, onBytes }: FileFetch): Promise<void> {
  onBytes(sink.bytes);
  for await (const chunk of answer.body) {
    if (sink.bytes + chunk.length > file.bytes) throw localModelsError('CHECKSUM_MISMATCH', { reason: 'too-long' });
    await sink.write(chunk);
    onBytes(sink.bytes);
  }
  if (sink.bytes < file.bytes) throw localModelsError('HUB_DOWNLOAD_FAILED', { reason: 'too-short' });
}

async function askForRest(start: number, job: FileFetch): Promise<{ answer: OutboundAnswer; isContinued: boolean }> {
  if (start > 0) {
    const answer = await ask(start, job).catch((error: unknown) => {
      if (isAppError(error, 'HUB_DOWNLOAD_FAILED') && error.reason === 'status-416') return undefined;
      throw error;
    });
    const isRest = answer?.status === 206 && isRangeFrom(answer.headers['content-range'], start, job.file.bytes);
    if (answer && (isRest || answer.status === 200)) return { answer, isContinued: isRest };
    answer?.discard();
  }
  const answer = await ask(0, job);
  if (answer.status === 200) return { answer, isContinued: false };
  answer.discard();
  throw localModelsError('HUB_DOWNLOAD_FAILED', { reason: `status-${answer.status}` });
}

function ask(start: number, { http, repo, revision, file, signal }: FileFetch): Promise<OutboundAnswer> {
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  return askHub(http, {
    url: `${HUB}/${repo}/resolve/${revision}/${path}`,
    // Compressed responses would make the byte count wrong.
    headers: { 'accept-encoding': 'identity', ...(start > 0 && { range: `bytes=${start}-` }) },
    failure: 'HUB_DOWNLOAD_FAILED',
    limits: LIMITS,
    signal,
    look: (headers) => checkNamed(headers, file),
  });
}

/** The hub announces size and checksum of the file: they must be valid, and match the chosen ones. */
function checkNamed(headers: Readonly<Record<string, string>>, { bytes, sha256 }: ModelFile): void {
  const size = headers['x-linked-size'];
  const sum = headers['x-linked-etag']?.replace(/^(W\/)?"|"$/g, '');
  const isOther = (size !== undefined && size !== String(bytes)) || (sum !== undefined && sum.toLowerCase() !== sha256);
  if (isOther) throw localModelsError('HUB_RESOLVE_INVALID');
}

function isRangeFrom(range: string | undefined, start: number, total: number): boolean {
  const [, first, of] = /^bytes (\d+)-\d+\/(\d+)$/.exec(range ?? '') ?? [];
  return Number(first) === start && Number(of) === total;
}

async function settle(hash: Hash, partial: string, { file, target }: FileFetch): Promise<void> {
  if (hash.digest('hex') !== file.sha256) {
    await rm(partial, { force: true });
    throw localModelsError('CHECKSUM_MISMATCH');
  }
  await rename(partial, target);
  await syncFolder(dirname(target));
}

async function sumSoFar(partial: string, bytes: number, signal: AbortSignal): Promise<Hash> {
  const hash = createHash('sha256');
  if (bytes > 0) await sumInto(hash, partial, { bytes, signal });
  return hash;
}

const READ_BYTES = 1_048_576;

async function sumInto(hash: Hash, path: string, { bytes, signal }: { bytes: number; signal: AbortSignal }) {
  const source = createReadStream(path, { end: bytes - 1, highWaterMark: READ_BYTES, signal });
  for await (const chunk of source) hash.update(chunk as Buffer);
}

/** Verifies a file on disk. MODEL_FILE_UNREADABLE; CHECKSUM_MISMATCH, which also deletes the file. */
export async function checkFile(path: string, file: ModelFile, signal: AbortSignal): Promise<void> {
  try {
    const hash = createHash('sha256');
    if ((await sizeOf(path)) === file.bytes) await sumInto(hash, path, { bytes: file.bytes, signal });
    if (hash.digest('hex') === file.sha256) return;
  } catch (cause) {
    signal.throwIfAborted();
    throw localModelsError('MODEL_FILE_UNREADABLE', { cause });
  }
  await rm(path, { force: true });
  throw localModelsError('CHECKSUM_MISMATCH');
}

/** 0 for a missing file. */
export async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
