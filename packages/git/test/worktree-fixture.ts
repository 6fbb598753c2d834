import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { createGit, type Git } from '../src/git.ts';

const ambient = systemAmbient('silent');
const environment = { ...process.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };

export interface WorktreeFixture extends AsyncDisposable {
  repo: TempRepo;
  /** Where worktrees are made. */
  dir: string;
  git: Git;
}

export async function worktreeFixture(
  files: Record<string, string> = { 'a.txt': 'one\n', 'b.txt': 'b\n' },
): Promise<WorktreeFixture> {
  const [repo, data] = await Promise.all([tempRepo(files), tempDir()]);
  const dir = join(data.path, 'worktrees');
  return {
    repo,
    dir,
    git: createGit({ ambient, environment, worktreesDir: dir }),
    async [Symbol.asyncDispose]() {
      await data[Symbol.asyncDispose]();
      await repo[Symbol.asyncDispose]();
    },
  };
}

/** Code and reason of a refusal; empty when there was none. */
export async function codeOf(act: Promise<unknown>): Promise<string> {
  const error = await act.then(
    () => undefined,
    (cause: { code: string; reason?: string }) => cause,
  );
  return [error?.code, error?.reason].filter(Boolean).join(' ');
}

/** What an operation on worktrees could have changed. */
export async function everything({ repo, dir }: WorktreeFixture): Promise<{ git: string[]; folders: string[] }> {
  const told = ['branch --all --verbose', 'worktree list --porcelain', 'status --porcelain', 'stash list'];
  const folders = await readdir(dir, { recursive: true }).catch(() => []);
  return {
    git: await Promise.all(told.map((command) => repo.git(...command.split(' ')))),
    folders: folders.filter((name) => !name.startsWith('ports')),
  };
}
