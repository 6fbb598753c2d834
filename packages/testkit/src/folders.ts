import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface TempDir extends AsyncDisposable {
  /** Absolute real path. */
  readonly path: string;
  /** Writes files by relative path, with their folders. */
  write(files: Record<string, string | Uint8Array>): Promise<void>;
}

export interface TempRepo extends TempDir {
  /** Runs git in the folder and returns its standard output without the last newline. */
  git(...args: string[]): Promise<string>;
}

/** An empty temporary folder, deleted with its contents when disposed. */
export async function tempDir(prefix = 'fucina-', parent = tmpdir()): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(parent, prefix)));
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

/** A repository on branch `main` with one commit of `files`, its own identity, and no global or system settings. */
export async function tempRepo(files: Record<string, string> = { 'README.md': '# Sample\n' }): Promise<TempRepo> {
  const repo = repoAt(await tempDir('fucina-repo-'));
  await repo.write(files);
  await shellIn(repo.path)(START);
  return repo;
}

/** A copy of a prepared folder, including times and links; `git` runs at its root. */
export async function tempCopy(source: string): Promise<TempRepo> {
  const copy = repoAt(await tempDir('fucina-copy-'));
  await run('cp', ['-a', `${source}/.`, copy.path]);
  return copy;
}

export interface PullRequestRemote extends TempDir {
  /** Commits to pull request 7 in place of what it had, on top of `main`; returns the commit. */
  propose(message: string): Promise<string>;
}

/** A bare copy of a repository as its remote, which was fetched; pull request 7 is proposed with `propose`. */
export async function pullRequestRemote(repo: TempRepo, name = 'origin'): Promise<PullRequestRemote> {
  const dir = await tempDir('fucina-remote-');
  await repo.git('clone', '-q', '--bare', repo.path, dir.path);
  await repo.git('remote', 'add', name, dir.path);
  await repo.git('fetch', '-q', name);
  return Object.assign(dir, {
    async propose(message: string) {
      const commit = await repo.git('commit-tree', '-p', 'main', '-m', message, 'main^{tree}');
      await repo.git('push', '-q', '--force', dir.path, `${commit}:refs/pull/7/head`);
      return commit;
    },
  });
}

const repoAt = (dir: TempDir): TempRepo => Object.assign(dir, { git: gitIn(dir.path) });

/** In one shell: a test process is large, and each child that it starts costs more than git itself. */
const START = `
  git init -q --initial-branch=main
  printf '[user]\\n\\tname = Fucina Test\\n\\temail = test@fucina.invalid\\n[commit]\\n\\tgpgsign = false\\n' >>.git/config
  git add -A
  git commit -q -m Start
`;

export function gitIn(folder: string): TempRepo['git'] {
  return async (...args) => {
    const { stdout } = await run('git', args, { cwd: folder, env: environment(), maxBuffer: MAX_OUTPUT_BYTES });
    return stdout.replace(/\n$/, '');
  };
}

/**
 * Runs a script in the folder, in the environment of `gitIn`, and returns its output, one character per byte. Stops at
 * the first failure.
 */
export function shellIn(folder: string): (script: string) => Promise<string> {
  return async (script) => {
    const options = { cwd: folder, env: environment(), maxBuffer: MAX_OUTPUT_BYTES, encoding: 'latin1' as const };
    return (await run('sh', ['-euc', script], options)).stdout;
  };
}

const MAX_OUTPUT_BYTES = 67_108_864;

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
  LC_ALL: 'C',
});
