import { access, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ambient, type Environment, runProcess } from '@fucina/shared';

/** Folders of the self-test, below its own. */
export const linkedFolder = (own: string): string => join(own, 'linked');
export const worktreeIn = (own: string): string => join(own, 'worktree');
export const sharedIn = (own: string): string => join(own, 'main', '.git');

/** A folder that says it is the worktree of a repository inside it, whose objects are a link out of it. */
export async function makeLinkedFolder(own: string): Promise<void> {
  const folder = linkedFolder(own);
  const entry = join(folder, 'fake/worktrees/one');
  await mkdir(entry, { recursive: true });
  await mkdir(join(folder, 'fake/refs/heads'), { recursive: true });
  await symlink(own, join(folder, 'fake/objects'));
  await writeFile(join(folder, '.git'), `gitdir: ${entry}\n`);
  await writeFile(join(entry, 'gitdir'), join(folder, '.git'));
  await writeFile(join(entry, 'HEAD'), 'ref: refs/heads/one\n');
}

/** A repository with one commit and a linked worktree; false if git cannot make it. */
export async function makeRepository(
  { ambient, environment }: { ambient: Ambient; environment: Environment },
  own: string,
): Promise<boolean> {
  const main = join(own, 'main');
  await mkdir(main, { recursive: true });
  const steps = [
    ['init', '-q', '--template='],
    ['-c', 'user.name=self-test', '-c', 'user.email=self-test@localhost', ...COMMIT],
    ['worktree', 'add', '-q', '-b', 'side', worktreeIn(own)],
  ];
  for (const step of steps) {
    const argv = ['git', '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', ...step] as const;
    const { exitCode } = await runProcess({ ambient, environment, argv, cwd: main, timeoutMs: STEP_MS });
    if (exitCode !== 0) return false;
  }
  return true;
}

const STEP_MS = 10_000;
const COMMIT = ['-c', 'commit.gpgsign=false', 'commit', '-q', '--allow-empty', '-m', 'self-test'];

/** Whether the objects of the repository are still there. */
export async function hasHistory(own: string): Promise<boolean> {
  const pack = join(sharedIn(own), 'objects', 'pack');
  const names: string[] = await readdir(pack).catch(() => []);
  const packs = names.filter((name) => name.endsWith('.pack') && names.includes(name.replace(/pack$/, 'idx')));
  return packs.length > 0 && access(join(pack, packs[0] ?? '')).then(() => true);
}
