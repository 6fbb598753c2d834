import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, type Environment, entriesBelow, type NpmFailure, type NpmProblem, runNpm } from '@fucina/shared';
import { localModelsError } from '../errors.ts';
import { engineLibrary, type FindLibrary, libraryFolder } from './engine-library.ts';
import { type LibraryList, PACKED_LIST, readLibraryList } from './library-list.ts';

/** Why an installation failed. */
export type InstallationProblem = NpmProblem;

export interface LibraryInstallation {
  /** `unavailable`: it is not installed, and this build does not say what to install. */
  state: 'installed' | 'absent' | 'installing' | 'failed' | 'unavailable';
  /** Of the library that is or would be installed after Fucina. */
  version: string | null;
  /** On the disk so far, and when complete. */
  bytes: number;
  totalBytes: number;
  problem: InstallationProblem | null;
  /** The error code of npm or the system. */
  detail: string | null;
}

/** Installs the library that runs models, with the user's npm and its settings: exactly the packages of the list. */
export interface LibraryInstaller extends AsyncDisposable {
  status(): Promise<LibraryInstallation>;
  /** Begins, unless it is installed or being installed. RUNTIME_NOT_AVAILABLE where there is nothing to install. */
  start(): Promise<LibraryInstallation>;
  /** Ends an installation; what it had brought is deleted. */
  cancel(): Promise<LibraryInstallation>;
}

export interface LibraryInstallerNeeds {
  ambient: Ambient;
  environment: Environment;
  dataDir: string;
  /** Default: the one that this build was packed with. */
  list?: URL | undefined;
  /** Default: `engineLibrary`. */
  library?: FindLibrary | undefined;
}

const LIMIT_MS = 30 * 60_000;
const STALE_MS = 60 * 60_000;
const UNFINISHED = 'engine-library.new-';

interface Run {
  folder: string;
  stop: AbortController;
  ended: Promise<void>;
}

export function createLibraryInstaller(needs: LibraryInstallerNeeds): LibraryInstaller {
  const { ambient, dataDir } = needs;
  let run: Run | undefined;
  let failure: NpmFailure | undefined;
  const readList = () => readLibraryList(needs.list ?? PACKED_LIST);
  const library = needs.library ?? (() => engineLibrary(dataDir));

  const status = async (): Promise<LibraryInstallation> => {
    const list = await readList();
    const base = { version: list?.version ?? null, totalBytes: list?.bytes ?? 0, problem: null, detail: null };
    if (run) return { ...base, state: 'installing', bytes: await bytesIn(run.folder) };
    if (library() !== undefined) return { ...base, state: 'installed', bytes: base.totalBytes };
    if (!list) return { ...base, state: 'unavailable', bytes: 0 };
    return { ...base, ...failure, state: failure ? 'failed' : 'absent', bytes: 0 };
  };

  const begin = async (list: LibraryList): Promise<void> => {
    await deleteUnfinished(ambient, dataDir);
    const stop = new AbortController();
    const folder = await mkdtemp(join(dataDir, UNFINISHED));
    failure = undefined;
    const ended = (async () => {
      try {
        failure = await install(needs, { list, folder, signal: stop.signal });
        ambient.log.info('engine-library.ended', { version: list.version, problem: failure?.problem ?? null });
      } catch (error) {
        ambient.log.warn('engine-library.failed', { error });
        failure = { problem: 'failed', detail: codeOf(error) };
      } finally {
        await rm(folder, { recursive: true, force: true });
        run = undefined;
      }
    })();
    run = { folder, stop, ended };
  };

  let beginning: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    await beginning;
    run?.stop.abort();
    await run?.ended;
  };
  return {
    status,
    async start() {
      const { state } = await status();
      if (state === 'unavailable') throw localModelsError('RUNTIME_NOT_AVAILABLE', { reason: 'library-missing' });
      const list = await readList();
      if (list && (state === 'absent' || state === 'failed')) {
        beginning ??= begin(list).finally(() => {
          beginning = undefined;
        });
        await beginning;
      }
      return status();
    },
    async cancel() {
      await end();
      return status();
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Undefined when it is installed, or was cancelled. */
async function install(
  { ambient, environment, dataDir }: LibraryInstallerNeeds,
  { list, folder, signal }: { list: LibraryList; folder: string; signal: AbortSignal },
): Promise<NpmFailure | undefined> {
  const root = list.lock.packages[''];
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, ...root }));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(list.lock));
  const { failure } = await runNpm(['ci', '--omit=dev', '--no-audit', '--no-fund'], {
    ambient,
    cwd: folder,
    environment,
    timeoutMs: LIMIT_MS,
    signal,
  });
  if (signal.aborted) return undefined;
  if (failure) return failure;
  const target = libraryFolder(dataDir);
  await rm(target, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  await rename(folder, target);
  return undefined;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Of installations whose process was killed. */
async function deleteUnfinished(ambient: Ambient, dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(UNFINISHED));
  for (const name of names) {
    const path = join(dataDir, name);
    const facts = await stat(path).catch(() => undefined);
    if (facts && ambient.now() - facts.mtimeMs > STALE_MS) await rm(path, { recursive: true, force: true });
  }
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await entriesBelow(folder).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
