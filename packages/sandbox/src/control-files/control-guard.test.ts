import { execFileSync } from 'node:child_process';
import { appendFile, link, lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { swapNames } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createApprovedContents } from './approved-contents.ts';
import { createControlFolders } from './control-folders.ts';
import { guardControlFiles } from './control-guard.ts';

describe('control files that a command makes', () => {
  test('are reported once when two commands end at the same time', async () => {
    const ambient = systemAmbient('silent');
    await using place = await tempDir('fucina-control-');
    const folder = place.path;
    const look = () => createControlFolders(ambient).of(folder);
    const guards = await Promise.all(
      Array.from({ length: 8 }, () =>
        guardControlFiles({ ambient, folder, before: [], look, approved: createApprovedContents() }),
      ),
    );
    await mkdir(join(folder, '.vscode'));
    await Promise.all(['.envrc', '.vscode/tasks.json'].map((name) => writeFile(join(folder, name), 'made')));
    const settled = await Promise.all(guards.map((guard) => guard.settle()));
    const writes = settled.flat().toSorted((a, b) => a.path.localeCompare(b.path));
    expect(writes).toEqual([
      { path: '.envrc', content: 'made' },
      { path: '.vscode/tasks.json', content: 'made' },
    ]);
    expect(await readdir(folder, { recursive: true })).toEqual(['.vscode']);
  });

  test('include a link that gives an ordinary folder the name of a settings folder', async () => {
    const { place, settle } = await guarded();
    await using _ = place;
    await mkdir(join(place.path, 'ordinary'));
    await symlink('ordinary', join(place.path, '.vscode'));
    expect(await settle()).toEqual([{ path: '.vscode', content: null }]);
    expect(await readdir(place.path)).toEqual(['ordinary']);
  });

  test('include settings of one working tree of a repository', async () => {
    const { place, settle } = await guarded(['.git/config']);
    await using _ = place;
    await writeFile(join(place.path, '.git/config.worktree'), 'made');
    expect(await settle()).toEqual([{ path: '.git/config.worktree', content: 'made' }]);
  });
});

describe('the settings of a new repository', () => {
  const HARMLESS = '[core]\n\tbare = false\n';

  test('cannot be changed later through a hard link', async () => {
    const { place, settle } = await guarded();
    await using _ = place;
    await mkdir(join(place.path, 'new/.git'), { recursive: true });
    await writeFile(join(place.path, 'new/.git/config'), HARMLESS);
    await link(join(place.path, 'new/.git/config'), join(place.path, 'other'));
    expect(await settle()).toEqual([]);
    await appendFile(join(place.path, 'other'), '\tfsmonitor = ./evil\n');
    expect(await readFile(join(place.path, 'new/.git/config'), 'utf8')).toBe(HARMLESS);
  });

  test('keep their other settings, and the removed ones are reported as such', async () => {
    const { place, settle } = await guarded();
    await using _ = place;
    await mkdir(join(place.path, 'new/.git'), { recursive: true });
    const content = `${HARMLESS}\tfsmonitor = ./evil\n`;
    await writeFile(join(place.path, 'new/.git/config'), content);
    expect(await settle()).toEqual([{ path: 'new/.git/config', content, isStripped: true }]);
    expect(await readFile(join(place.path, 'new/.git/config'), 'utf8')).toBe(HARMLESS);
  });

  test('do not include what a link in it leads to', async () => {
    const { place, settle } = await guarded();
    await using _ = place;
    await using outside = await tempDir();
    for (const name of ['config', 'hooks/pre-push']) {
      await mkdir(dirname(join(outside.path, name)), { recursive: true });
      await writeFile(join(outside.path, name), 'kept');
    }
    await mkdir(join(place.path, 'new/.git'), { recursive: true });
    await symlink(outside.path, join(place.path, 'new/.git/link'));
    expect(await settle()).toEqual([]);
    for (const name of ['config', 'hooks/pre-push']) {
      expect(await readFile(join(outside.path, name), 'utf8')).toBe('kept');
    }
  });

  test('include hooks of a submodule that are a link', async () => {
    const { place, settle } = await guarded();
    await using _ = place;
    await mkdir(join(place.path, '.git/modules/one'), { recursive: true });
    await symlink('../../../ordinary', join(place.path, '.git/modules/one/hooks'));
    expect(await settle()).toContainEqual({ path: '.git/modules/one/hooks', content: null });
  });

  test('do not include branches of the same name', async () => {
    const { place, settle } = await guarded();
    await using _ = place;
    const names = ['new/.git/refs/heads/config', 'new/.git/logs/refs/heads/config', 'new/.git/refs/heads/hooks/x'];
    for (const name of names) {
      await mkdir(dirname(join(place.path, name)), { recursive: true });
      await writeFile(join(place.path, name), '0123\n');
    }
    expect(await settle()).toEqual([]);
    for (const name of names) expect(await readFile(join(place.path, name), 'utf8')).toBe('0123\n');
  });

  test.each([
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
    ['too large to check', (path: string) => writeFile(path, `[core]\nfsmonitor = ./evil\n${'#\n'.repeat(150_000)}`)],
    ['a link', (path: string) => symlink('../../elsewhere', path)],
  ])('are removed and reported if they are %s', async (_name, make) => {
    const { place, settle } = await guarded();
    await using _ = place;
    await mkdir(join(place.path, 'new/.git'), { recursive: true });
    await make(join(place.path, 'new/.git/config'));
    expect(await settle()).toEqual([{ path: 'new/.git/config', content: null }]);
    expect(await readdir(join(place.path, 'new/.git'))).toEqual([]);
  });
});

describe('names that become links meanwhile', () => {
  test('lead to no removal or change outside, whatever a control file there is called', async () => {
    await using outside = await tempDir('fucina-home-');
    const kept = ['.ssh/id_ed25519', '.bashrc', '.netrc', '.git/config', '.git/hooks/pre-push', '.vscode/tasks.json'];
    for (const name of kept) {
      await mkdir(dirname(join(outside.path, name)), { recursive: true });
      await writeFile(join(outside.path, name), '[core]\n\tfsmonitor = theirs\n');
    }
    const { place, settle } = await guarded();
    await using _ = place;
    await symlink(outside.path, join(place.path, 'link'));
    let removed = 0;
    for (let round = 0; round < 60 || removed === 0; round += 1) {
      for (const name of kept) {
        await mkdir(dirname(join(place.path, 'a', name)), { recursive: true });
        await writeFile(join(place.path, 'a', name), '[core]\n\tfsmonitor = ours\n');
      }
      {
        await using _swapped = await swapNames(join(place.path, 'a'), join(place.path, 'link'));
        removed += (await settle()).length;
      }
      if ((await lstat(join(place.path, 'a'))).isSymbolicLink())
        await rename(join(place.path, 'a'), join(place.path, 'link.2'));
      else await rename(join(place.path, 'link'), join(place.path, 'link.2'));
      await rm(join(place.path, 'link'), { recursive: true, force: true });
      await rm(join(place.path, 'a'), { recursive: true, force: true });
      await rename(join(place.path, 'link.2'), join(place.path, 'link'));
    }
    for (const name of kept)
      expect(await readFile(join(outside.path, name), 'utf8')).toBe('[core]\n\tfsmonitor = theirs\n');
    expect((await readdir(outside.path, { recursive: true })).filter((name) => name.includes('removed'))).toEqual([]);
  }, 60_000);

  test('do not let it take the file of the user that stood under another name', async () => {
    const { place, settle } = await guarded(['mine/.envrc']);
    await using _ = place;
    await mkdir(join(place.path, 'a'));
    await writeFile(join(place.path, 'a/.envrc'), 'theirs');
    await writeFile(join(place.path, 'mine/.envrc'), 'mine');
    {
      await using _swapped = await swapNames(join(place.path, 'a'), join(place.path, 'mine'));
      for (let round = 0; round < 100; round += 1) await settle();
    }
    await settle();
    const files = (await readdir(place.path, { recursive: true })).filter((name) => name.includes('.envrc'));
    expect(await Promise.all(files.map((name) => readFile(join(place.path, name), 'utf8')))).toEqual(['mine']);
  }, 60_000);
});

/** A folder with these files and the guard of a command that starts now. */
async function guarded(files: readonly string[] = []) {
  const ambient = systemAmbient('silent');
  const place = await tempDir('fucina-control-');
  const folder = place.path;
  for (const name of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), '');
  }
  const look = () => createControlFolders(ambient).of(folder);
  const { settle } = await guardControlFiles({
    ambient,
    folder,
    before: await look(),
    look,
    approved: createApprovedContents(),
  });
  return { place, settle };
}
