import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { swapNames } from '@fucina/shared/testing';
import { OPEN_TO_ALL, type TempDir, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { sandboxedFolder } from './sandboxed-folder.ts';

/** A repository, the home, and a sandbox whose commands run in the folder `name`. */
async function placeIn(dir: TempDir, name = 'project') {
  await dir.write({ 'home/.bashrc': 'mine\n', 'project/a': 'a\n', 'data/x': '' });
  const git = (...args: string[]): string =>
    execFileSync(
      'git',
      ['-C', join(dir.path, 'project'), '-c', 'user.name=A', '-c', 'user.email=a@b.example', ...args],
      {
        encoding: 'utf8',
      },
    );
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'one');
  const linkTo = (target: string, path: string) =>
    symlink(join(dir.path, target), join(dir.path, 'project/.git', path));
  const isLink = (path: string): Promise<boolean> =>
    lstat(join(dir.path, path)).then(
      (entry) => entry.isSymbolicLink(),
      () => false,
    );
  return { git, linkTo, isLink, open: () => sandboxedFolder(dir.path, { name }) };
}

/** Runs a command; its notices about links. */
async function noticesOf(place: ReturnType<typeof sandboxedFolder>, script: string): Promise<string[]> {
  const { start, settle, notices } = await place.contain(script);
  await (await start()).done;
  await settle();
  return notices().filter((sentence) => /link/i.test(sentence));
}

const BASHRC = '../../home/.bashrc';

test('links that a command left in the git folder are removed at its end and named in its result', async () => {
  await using dir = await tempDir('fucina-links-', OPEN_TO_ALL);
  const { isLink, open } = await placeIn(dir);
  await using place = open();
  const script = `ln -sf ${BASHRC} .git/COMMIT_EDITMSG; ln -sf ../../${BASHRC} .git/logs/refs/heads/main; ln -s ${BASHRC} .git/FETCH_HEAD`;
  const [sentence] = await noticesOf(place, script);
  for (const path of ['.git/COMMIT_EDITMSG', '.git/logs/refs/heads/main', '.git/FETCH_HEAD']) {
    expect(sentence).toContain(path);
    expect(await isLink(join('project', path))).toBe(false);
  }
  expect(await noticesOf(place, 'true')).toEqual([]);
});

test('links that were there before stay, unless the command led them elsewhere', async () => {
  await using dir = await tempDir('fucina-links-', OPEN_TO_ALL);
  const { linkTo, isLink, open } = await placeIn(dir);
  await using place = open();
  await linkTo('home/.bashrc', 'FETCH_HEAD');
  await linkTo('home/.bashrc', 'ORIG_HEAD');
  const [sentence] = await noticesOf(
    place,
    'ln -sf ../../home/.profile .git/ORIG_HEAD; ln -s /etc/passwd .git/MERGE_MSG',
  );
  expect(sentence).toBe(
    'Removed links that this command left in a git folder, because git writes through them: .git/MERGE_MSG, .git/ORIG_HEAD.',
  );
  expect(await readlink(join(dir.path, 'project/.git/FETCH_HEAD'))).toBe(join(dir.path, 'home/.bashrc'));
  expect(await isLink('project/.git/ORIG_HEAD')).toBe(false);
});

test('links inside a git folder, and files with similar names, stay', async () => {
  await using dir = await tempDir('fucina-links-', OPEN_TO_ALL);
  const { isLink, open } = await placeIn(dir);
  await using place = open();
  const script = 'ln -s refs/heads/main .git/LINKED; ln -s /etc/passwd LINKED; echo x >.git/FETCH_HEAD';
  expect(await noticesOf(place, script)).toEqual([]);
  expect([await isLink('project/.git/LINKED'), await isLink('project/LINKED')]).toEqual([true, true]);
  expect((await lstat(join(dir.path, 'project/.git/FETCH_HEAD'))).size).toBe(2);
});

test('links in a repository that the command made, and in the one that its worktree belongs to, are removed', async () => {
  await using dir = await tempDir('fucina-links-', OPEN_TO_ALL);
  const { git, isLink, open } = await placeIn(dir, 'tree');
  git('worktree', 'add', '-q', '-b', 'side', join(dir.path, 'tree'));
  await using place = open();
  const own = join(dir.path, 'project/.git/worktrees/tree');
  const script = `mkdir new; git init -q new; ln -s ../../../home/.bashrc new/.git/FETCH_HEAD; ln -s /etc/passwd ${own}/MERGE_MSG`;
  const [sentence] = await noticesOf(place, script);
  expect(sentence).toContain('new/.git/FETCH_HEAD');
  expect(sentence).toContain('worktrees/tree/MERGE_MSG');
  expect([await isLink('tree/new/.git/FETCH_HEAD'), await isLink('project/.git/worktrees/tree/MERGE_MSG')]).toEqual([
    false,
    false,
  ]);
});

test('a folder that changes places with a link leads no removal out of the folder', async () => {
  await using dir = await tempDir('fucina-links-', OPEN_TO_ALL);
  const { isLink, open } = await placeIn(dir);
  await using place = open();
  const outside = join(dir.path, 'outside');
  await mkdir(join(outside, '.git'), { recursive: true });
  for (let count = 0; count < 20; count += 1) await symlink('/etc/passwd', join(outside, '.git', `LINK${count}`));
  await dir.write({ 'project/sub/.git/HEAD': 'ref: refs/heads/main\n' });
  await symlink(outside, join(dir.path, 'project/other'));
  const { start, settle } = await place.contain('true');
  await (await start()).done;
  await using _swapping = await swapNames(join(dir.path, 'project/sub'), join(dir.path, 'project/other'));
  for (let count = 0; count < 30; count += 1) await settle();
  for (let count = 0; count < 20; count += 1) expect(await isLink(`outside/.git/LINK${count}`)).toBe(true);
});
