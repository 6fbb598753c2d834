import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createControlFolders } from './control-folders.ts';
import { guardControlFiles } from './control-guard.ts';

describe('control files that a command makes', () => {
  test('are reported once when two commands end at the same time', async () => {
    const ambient = systemAmbient('silent');
    await using place = await tempDir('fucina-control-');
    const folder = place.path;
    const look = () => createControlFolders(ambient).of(folder);
    const guards = await Promise.all(
      Array.from({ length: 8 }, () => guardControlFiles({ ambient, folder, before: [], look })),
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
});
