import { lstat, mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { ProcessOutcome } from '@fucina/shared';
import { OPEN_TO_ALL, type TempDir, tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { sandboxedFolder } from './sandboxed-folder.ts';

/** Runs a command in `project`; `change` happens once it is decided what it sees, and before it starts. */
async function run(dir: TempDir, script: string, change: () => Promise<void>): Promise<ProcessOutcome> {
  await mkdir(join(dir.path, 'home'), { recursive: true });
  await using place = sandboxedFolder(dir.path);
  const { start, settle } = await place.contain(script);
  expect(await place.sandbox.state()).toMatchObject({ kind: 'bubblewrap' });
  await change();
  const outcome = await (await start()).done;
  await settle();
  return outcome;
}

/** Takes the place of `path`, which is kept beside it. */
async function replacedByLink(path: string, target: string): Promise<void> {
  await rename(path, `${path}-before`);
  await symlink(relative(dirname(path), target), path);
}

describe('a command whose files change while its sandbox is created', () => {
  test('runs when a file beside the mounted ones changes', async () => {
    await using dir = await tempDir('fucina-', OPEN_TO_ALL);
    await dir.write({ 'project/.vscode/settings.json': '{}', 'project/a.txt': 'a' });
    const outcome = await run(dir, 'cat a.txt', () => writeFile(join(dir.path, 'project/a.txt'), 'b'));
    expect([outcome.ending, outcome.exitCode, outcome.stdout.bytes.toString()]).toEqual(['exit', 0, 'b']);
  });

  test.each(['.vscode', '.git/hooks', '.git'])('does not run when a link takes the place of %s', async (name) => {
    await using dir = await tempDir('fucina-', OPEN_TO_ALL);
    await dir.write({
      'project/.vscode/settings.json': '{}',
      'project/.git/hooks/pre-commit': 'x',
      'project/.git/HEAD': 'ref: refs/heads/main\n',
      'project/other/settings.json': '{}',
      'project/other/hooks/pre-commit': 'x',
    });
    const outcome = await run(dir, 'touch ran', () =>
      replacedByLink(join(dir.path, 'project', name), join(dir.path, 'project/other')),
    );
    expect([outcome.ending, outcome.problem, outcome.stderr.bytes.toString()]).toEqual(['not-started', 'ESTALE', '']);
    expect(await readdir(join(dir.path, 'project'))).not.toContain('ran');
  });

  test('does not run when a link out of the project takes the place of .git', async () => {
    await using dir = await tempDir('fucina-', OPEN_TO_ALL);
    await dir.write({ 'project/.git/hooks/pre-commit': 'x', 'home/secret/hooks/pre-commit': 'secret' });
    const outcome = await run(dir, 'cat .git/hooks/*; touch ran', () =>
      replacedByLink(join(dir.path, 'project/.git'), join(dir.path, 'home/secret')),
    );
    expect(outcome.exitCode).not.toBe(0);
    expect(outcome.stdout.bytes.toString()).toBe('');
    expect(await readdir(join(dir.path, 'project'))).not.toContain('ran');
  });

  test('does not run when another folder takes the place of the project', async () => {
    await using dir = await tempDir('fucina-', OPEN_TO_ALL);
    await dir.write({ 'project/a.txt': 'a', 'home/secret/a.txt': 'secret' });
    const outcome = await run(dir, 'cat a.txt; touch ran', async () => {
      await rename(join(dir.path, 'project'), join(dir.path, 'before'));
      await rename(join(dir.path, 'home/secret'), join(dir.path, 'project'));
    });
    expect([outcome.ending, outcome.problem, outcome.stdout.bytes.toString()]).toEqual(['not-started', 'ESTALE', '']);
    await expect(lstat(join(dir.path, 'project/ran'))).rejects.toThrow('ENOENT');
  });
});
