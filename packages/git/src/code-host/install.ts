import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, isAppError, type OutboundHttp, systemCode, writeFileAtomically } from '@fucina/shared';
import { hostError } from '../errors.ts';

/** A portable build of the program: one archive, identified by its hash. */
export interface Release {
  version: string;
  url: string;
  /** SHA-256 of the archive, 64 hexadecimal digits. */
  sha256: string;
  /** Path of the program inside the archive. */
  entry: string;
}

/** From the official release; the hash is from its list of checksums. */
export const RELEASE: Release = {
  version: '2.101.0',
  url: 'https://github.com/cli/cli/releases/download/v2.101.0/gh_2.101.0_windows_amd64.zip',
  sha256: 'bc6c814367b193cd8e713611d61e36013c0ef843b8f516458fe3eda039192794',
  entry: 'bin/gh.exe',
};

export interface InstallNeeds {
  ambient: Ambient;
  /** The application's own folder; programs are under `tools/`. */
  dataDir: string;
  http(): OutboundHttp;
  /** Extracts one file from an archive, up to a size limit; undefined when it is missing. */
  unzip(archive: Buffer, entry: string): Promise<Buffer | undefined>;
  /** Default: this system's and the release above. */
  platform?: NodeJS.Platform;
  release?: Release;
}

export interface Installing {
  isRunning: boolean;
  /** Error code of the last failure. */
  error: string | null;
}

export interface Installs {
  /** The version that can be installed here, or undefined. */
  readonly version: string | undefined;
  /** Where the program is installed, whether or not it exists. */
  readonly program: string;
  current(): Installing;
  /**
   * Downloads, verifies and extracts it; waits for one already in progress. HOST_UNSUPPORTED_PLATFORM,
   * HOST_DOWNLOAD_FAILED, HOST_TIMEOUT, HOST_CHECKSUM_MISMATCH, HOST_EXTRACT_FAILED, HOST_STORE_UNAVAILABLE. A failure
   * leaves nothing behind.
   */
  install(): Promise<void>;
}

const MAX_BYTES = 64 * 1024 * 1024;
const TOTAL_MS = 5 * 60_000;

export function createInstalls(needs: InstallNeeds): Installs {
  const { platform = process.platform, release = RELEASE } = needs;
  const folder = join(needs.dataDir, 'tools', 'gh', release.version);
  const program = join(folder, platform === 'win32' ? 'gh.exe' : 'gh');
  const isSupported = platform === 'win32';
  let running: Promise<void> | undefined;
  let error: string | null = null;

  const work = async (): Promise<void> => {
    error = null;
    try {
      await bring(needs, release, { folder, program });
    } catch (failure) {
      error = isAppError(failure) ? failure.code : 'INTERNAL_ERROR';
      throw failure;
    } finally {
      running = undefined;
    }
  };
  return {
    version: isSupported ? release.version : undefined,
    program,
    current: () => ({ isRunning: running !== undefined, error }),
    async install() {
      if (!isSupported) throw hostError('HOST_UNSUPPORTED_PLATFORM');
      running ??= work();
      await running;
    },
  };
}

async function bring(
  needs: InstallNeeds,
  release: Release,
  { folder, program }: { folder: string; program: string },
): Promise<void> {
  const archive = `${program}.zip`;
  const bytes = await download(needs, release);
  await stored(() => mkdir(folder, { recursive: true, mode: 0o700 }));
  try {
    await stored(() => writeFile(archive, bytes, { mode: 0o600 }));
    // Verified again as read from disk: exactly these bytes are extracted.
    const kept = await stored(() => readFile(archive));
    check(kept, release);
    const unpacked = await extract(needs, kept, release);
    await stored(() => writeFileAtomically(program, unpacked, { mode: 0o700 }));
  } finally {
    await rm(archive, { force: true });
  }
}

async function download({ http, ambient }: InstallNeeds, release: Release): Promise<Buffer> {
  const abort = new AbortController();
  const cancel = ambient.timer(TOTAL_MS, () => abort.abort());
  try {
    const answer = await http().send({
      url: release.url,
      policy: 'public',
      headers: { accept: 'application/octet-stream' },
      signal: abort.signal,
      limits: { bodyBytes: MAX_BYTES },
    });
    if (answer.status !== 200) {
      answer.discard();
      throw hostError('HOST_DOWNLOAD_FAILED', { reason: `http-${answer.status}` });
    }
    const bytes = await answer.bytes();
    check(bytes, release);
    return bytes;
  } catch (error) {
    if (abort.signal.aborted) throw hostError('HOST_TIMEOUT', { cause: error });
    if (isAppError(error)) throw error;
    throw hostError('HOST_DOWNLOAD_FAILED', { cause: error });
  } finally {
    cancel();
  }
}

function check(bytes: Buffer, { sha256 }: Release): void {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw hostError('HOST_CHECKSUM_MISMATCH', { details: { found } });
}

async function extract({ unzip }: InstallNeeds, archive: Buffer, { entry }: Release): Promise<Buffer> {
  let unpacked: Buffer | undefined;
  try {
    unpacked = await unzip(archive, entry);
  } catch (error) {
    throw hostError('HOST_EXTRACT_FAILED', { cause: error });
  }
  if (!unpacked) throw hostError('HOST_EXTRACT_FAILED', { reason: 'not-in-it' });
  return unpacked;
}

async function stored<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw hostError('HOST_STORE_UNAVAILABLE', { reason: systemCode(error)?.toLowerCase(), cause: error });
  }
}
