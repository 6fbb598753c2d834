import { dirname, join } from 'node:path';
import { type Ambient, type Environment, runProcess, statInside } from '@fucina/shared';
import { asFileError, filesError } from './errors.ts';

/** The desktop's file manager, when the user works on this computer. */
export interface FileManager {
  /**
   * Shows an entry in its folder. Throws QUERY_INVALID, FILE_NOT_FOUND, PLATFORM_UNSUPPORTED when there is no desktop.
   */
  reveal(folder: string, path: string): Promise<void>;
  /** Opens a file with its default program; files that can be executed are refused. Throws the same. */
  show(folder: string, path: string): Promise<void>;
  /** Opens a folder, '' for the root. Throws the same; a file is QUERY_INVALID. */
  open(folder: string, path: string): Promise<void>;
}

interface FileManagerNeeds {
  ambient: Ambient;
  environment: Environment;
}

const TIMEOUT_MS = 10_000;

export function createFileManager(needs: FileManagerNeeds): FileManager {
  return {
    async reveal(folder, path) {
      const { real } = await placeOf(folder, path);
      await run(needs, revealing(real));
    },
    async show(folder, path) {
      const { real } = await placeOf(folder, path);
      await run(needs, opening(real));
    },
    async open(folder, path) {
      const { real, isFolder } = await placeOf(folder, path);
      if (!isFolder) throw filesError('QUERY_INVALID', { reason: 'not-a-folder' });
      await run(needs, opening(real));
    },
  };
}

async function placeOf(folder: string, path: string): Promise<{ real: string; isFolder: boolean }> {
  try {
    const { stats, realPath } = await statInside(folder, path);
    return { real: join(folder, realPath), isFolder: stats.isDirectory() };
  } catch (error) {
    throw asFileError(error);
  }
}

function revealing(path: string): readonly [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', '-R', path];
  if (process.platform === 'win32') return ['explorer.exe', `/select,${path}`];
  return ['xdg-open', dirname(path)];
}

function opening(path: string): readonly [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', path];
  return process.platform === 'win32' ? ['explorer.exe', path] : ['xdg-open', path];
}

/** The program passes the request on and ends; Explorer's exit code is meaningless. */
async function run({ ambient, environment }: FileManagerNeeds, argv: readonly [string, ...string[]]): Promise<void> {
  const hasDesktop = process.platform !== 'linux' || environment['DISPLAY'] || environment['WAYLAND_DISPLAY'];
  if (!hasDesktop) throw filesError('PLATFORM_UNSUPPORTED', { reason: 'no-desktop' });
  const { ending, exitCode } = await runProcess({ ambient, environment, argv, cwd: '/', timeoutMs: TIMEOUT_MS });
  const isDone = ending === 'exit' && (exitCode === 0 || process.platform === 'win32');
  if (!isDone) throw filesError('PLATFORM_UNSUPPORTED', { reason: 'file-manager-failed' });
}
