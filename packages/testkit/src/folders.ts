import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface TempDir extends AsyncDisposable {
  /** Absolute real path. */
  readonly path: string;
  /** Writes files by relative path, folders included. */
  write(files: Record<string, string | Uint8Array>): Promise<void>;
}

export interface TempRepo extends TempDir {
  /** Runs git in the folder and answers its standard output without the last newline. */
  git(...args: string[]): Promise<string>;
}

/** An empty folder of the system's temporary place, removed with everything in it when disposed. */
export async function tempDir(prefix = 'fucina-'): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  return {
    path,
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        const target = join(path, name);
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, content);
      }
    },
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/** A repository on branch `main` with one commit of `files`, an identity of its own, and no global or system settings. */
export async function tempRepo(files: Record<string, string> = { 'README.md': '# Sample\n' }): Promise<TempRepo> {
  const dir = await tempDir('fucina-repo-');
  const repo: TempRepo = Object.assign(dir, { git: gitIn(dir.path) });
  await repo.write(files);
  await repo.git('init', '--initial-branch=main');
  await repo.git('config', 'user.name', 'Fucina Test');
  await repo.git('config', 'user.email', 'test@fucina.invalid');
  await repo.git('config', 'commit.gpgsign', 'false');
  await repo.git('add', '-A');
  await repo.git('commit', '-m', 'Start');
  return repo;
}

export function gitIn(folder: string): TempRepo['git'] {
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
    LC_ALL: 'C',
  };
  return async (...args) => {
    const { stdout } = await run('git', args, { cwd: folder, env, maxBuffer: 67_108_864 });
    return stdout.replace(/\n$/, '');
  };
}
