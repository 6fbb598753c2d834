import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { codeOf, everything, type WorktreeFixture, worktreeFixture } from '../../test/worktree-fixture.ts';

const IGNORE = '.env*\n*.local\nnode_modules\nlogs.txt\n';

async function fixture(files: Record<string, string> = {}): Promise<WorktreeFixture> {
  const at = await worktreeFixture({ 'a.txt': 'one\n', '.gitignore': IGNORE });
  await at.repo.write({ '.env': 'KEY=1\n', 'app/.env.local': 'KEY=2\n', 'logs.txt': 'log\n', ...files });
  return at;
}
const offered = async ({ git, repo }: WorktreeFixture): Promise<string[]> =>
  (await git.worktrees.bases(repo.path)).localFiles;

describe('local files', () => {
  test('are offered when they are ignored and named like settings of one computer', async () => {
    await using at = await fixture({ 'node_modules/p/.env': 'x', 'conf.local': 'x' });
    await at.repo.write({ '.dev.vars': 'tracked\n' });
    await at.repo.git('add', '.dev.vars');
    expect(await offered(at)).toEqual(['.env', 'app/.env.local', 'conf.local']);
  });

  test('are not offered when they are large, folders, or links that leave the folder', async () => {
    await using at = await fixture({ '.env.big': 'x'.repeat(1024 * 1024 + 1), '.env.folder/x': 'x' });
    await symlink('/etc/hostname', join(at.repo.path, '.env.link'));
    expect(await offered(at)).toEqual(['.env', 'app/.env.local']);
  });

  test('are copied with their permissions, and only those chosen', async () => {
    await using at = await fixture();
    await chmod(join(at.repo.path, 'app/.env.local'), 0o600);
    const made = await at.git.worktrees.create(at.repo.path, { title: 'One', localFiles: ['app/.env.local'] });
    expect(await readFile(join(made.path, 'app/.env.local'), 'utf8')).toBe('KEY=2\n');
    expect((await stat(join(made.path, 'app/.env.local'))).mode & 0o777).toBe(0o600);
    expect(await codeOf(readFile(join(made.path, '.env')))).toBe('ENOENT');
    expect(made.state?.changedCount).toBe(0);
  });

  test('never replace a file that the branch has', async () => {
    await using at = await fixture();
    await at.repo.git('checkout', '-qb', 'tracked');
    await at.repo.git('add', '-f', '.env');
    await at.repo.git('commit', '-qm', 'Add .env');
    await at.repo.git('checkout', '-q', 'main');
    await writeFile(join(at.repo.path, '.env'), 'mine\n');
    const made = await at.git.worktrees.create(at.repo.path, { title: 'One', base: 'tracked', localFiles: ['.env'] });
    expect(await readFile(join(made.path, '.env'), 'utf8')).toBe('KEY=1\n');
    expect(made.state?.changedCount).toBe(0);
  });

  test.each([['a.txt'], ['logs.txt'], ['../secret'], ['node_modules/x']])(
    'refuses to copy %s, and makes no worktree',
    async (path) => {
      await using at = await fixture();
      const before = await everything(at);
      const act = at.git.worktrees.create(at.repo.path, { title: 'One', localFiles: [path] });
      expect(await codeOf(act)).toMatch(/^GIT_PATH_INVALID/);
      expect(await everything(at)).toEqual(before);
    },
  );

  test('are refused when the branch of the worktree would not ignore them', async () => {
    await using at = await fixture();
    await at.repo.git('checkout', '-qb', 'open');
    await at.repo.git('rm', '-q', '.gitignore');
    await at.repo.git('commit', '-qm', 'Ignore nothing');
    await at.repo.git('checkout', '-q', 'main');
    const before = await everything(at);
    const act = at.git.worktrees.create(at.repo.path, { title: 'One', base: 'open', localFiles: ['.env'] });
    expect(await codeOf(act)).toBe('GIT_PATH_INVALID local-file');
    expect(await everything(at)).toEqual(before);
  });
});
