import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { type ControlFolders, createControlFolders } from './control-folders.ts';
import { controlMounts } from './control-mounts.ts';

describe('control files that exist', () => {
  test('are read-only in any spelling', async () => {
    await using place = await project([
      '.VSCODE/Tasks.JSON',
      '.VSCODE/notes.md',
      '.Gitea/Workflows/ci.yml',
      '.hg/hgrc',
    ]);
    expect((await readOnlyIn(place.path)).sort()).toEqual(['.Gitea/Workflows', '.VSCODE/Tasks.JSON', '.hg/hgrc']);
  });

  test('are read-only where a settings folder is a link', async () => {
    await using place = await project(['conf/tasks.json'], { '.vscode': 'conf' });
    expect(await readOnlyIn(place.path)).toEqual(['conf/tasks.json']);
  });

  test('are read-only where the hooks of a repository are a link', async () => {
    await using place = await project(['.git/HEAD', 'shared/hooks/pre-commit'], { '.git/hooks': '../shared/hooks' });
    expect(await readOnlyIn(place.path)).toEqual(['shared/hooks']);
  });

  test('are found when the settings of other repositories are pipes', async () => {
    await using place = await project(['app/.git/HEAD', 'app/.git/hooks/a']);
    for (const name of ['one', 'two', 'three', 'four']) {
      await mkdir(join(place.path, name, '.git'), { recursive: true });
      execFileSync('mkfifo', [join(place.path, name, '.git/config')]);
    }
    expect(await readOnlyIn(place.path)).toContain('app/.git/hooks');
  });

  test('are not made writable by a link that leads into them', async () => {
    await using place = await project(['.claude/v/a', '.claude/v/tasks.json'], { '.vscode': '.claude/v' });
    const mounts = await mountsOf(place.path);
    expect(mounts.filter(({ kind }) => kind === 'writable')).toEqual([]);
  });

  test('are mounted after the folders around them', async () => {
    const links = { '.envrc': 'shared/deep/env', '.zed': '.vscode/zeds' };
    await using place = await project(['shared/deep/env', '.vscode/tasks.json', '.vscode/zeds/a'], links);
    const mounts = await mountsOf(place.path);
    expect(mounts.map(({ kind, target }) => `${kind} ${target.slice(place.path.length + 1)}`)).toEqual([
      'writable shared',
      'writable .vscode',
      'writable shared/deep',
      'read-only .vscode/zeds',
      'read-only shared/deep/env',
      'read-only .vscode/tasks.json',
    ]);
  });

  test('stay read-only when a command made more folders than are searched', async () => {
    await using place = await project(['z/app/.vscode/tasks.json']);
    const folders = createControlFolders(systemAmbient('silent'));
    await folders.of(place.path);
    const many = Array.from({ length: 2_100 }, (_, index) => join(place.path, `${index}`));
    await Promise.all(many.map((path) => mkdir(path)));
    expect(await readOnlyIn(place.path, folders)).toEqual(['z/app/.vscode/tasks.json']);
  });
});

async function project(files: readonly string[], links: Readonly<Record<string, string>> = {}) {
  const place = await tempDir('fucina-control-');
  for (const name of files) {
    await mkdir(dirname(join(place.path, name)), { recursive: true });
    await writeFile(join(place.path, name), '');
  }
  for (const [name, target] of Object.entries(links)) await symlink(target, join(place.path, name));
  return place;
}

async function mountsOf(folder: string, folders = createControlFolders(systemAmbient('silent'))) {
  return controlMounts(folder, await folders.of(folder));
}

/** Relative to the folder. */
async function readOnlyIn(folder: string, folders?: ControlFolders): Promise<string[]> {
  const mounts = await mountsOf(folder, folders);
  return mounts.flatMap(({ kind, target }) => (kind === 'read-only' ? [target.slice(folder.length + 1)] : []));
}
