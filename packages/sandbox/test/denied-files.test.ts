import { link, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OPEN_TO_ALL, type TempDir, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createPermissionRules } from '../src/permission-rules/permission-rules.ts';
import { type SandboxedFolder, sandboxedFolder } from './sandboxed-folder.ts';

function denying(dir: TempDir, ...deny: string[]): SandboxedFolder {
  const rules = createPermissionRules({ allow: [], ask: ['Read(asked)'], deny });
  return sandboxedFolder(dir.path, { deniesReading: async (path) => rules.deniesReading(path) });
}

test('shows empty files and folders in the place of those that rules deny to read, and no others', async () => {
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await dir.write({
    'home/x': '',
    'project/.env': 'SECRET root',
    'project/.env.example': 'public example',
    'project/asked': 'public asked',
    'project/packages/app/.env': 'SECRET deep',
    'project/keys/one/key': 'SECRET key',
    'project/keystone/key': 'public key',
    'project/private/a.txt': 'SECRET private',
  });
  await using place = denying(dir, 'Read(.env)', 'Read(keys/**)', 'Read(./private)', 'Edit(asked)');
  await symlink('.env', join(place.folder, 'link'));
  for (const writes of ['folder', 'nothing'] as const) {
    const found = await place.print(
      'grep -rhs . . ; cat link .e* keys/one/key private/a.txt 2>/dev/null; cat .env && printf "\\nsame"',
      writes,
    );
    expect(found.split('\n').filter(Boolean).toSorted()).toEqual([
      'public asked',
      'public example',
      'public example',
      'public key',
      'same',
    ]);
  }
  const moves =
    'mv .env moved; ln .env hard; cp .env copy; mv packages p; echo x > .env; cat moved hard copy p/app/.env 2>/dev/null';
  expect(await place.print(moves)).toBe('');
  expect(await place.print('cat p/app/.env')).toBe('');
});

test('covers a denied file that was made since, from the next command on, also where many are in one folder', async () => {
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await dir.write({ 'home/x': '', 'project/a/readme': 'public', 'project/many/readme': 'hidden with its folder' });
  await using place = denying(dir, 'Read(.env)', 'Read(*.pem)');
  expect(await place.print('cat a/* many/*')).toBe('publichidden with its folder');
  await writeFile(join(place.folder, 'a/.env'), 'SECRET');
  expect(await place.print('cat a/.env a/readme')).toBe('public');
  for (let n = 0; n <= 64; n += 1) await writeFile(join(place.folder, `many/${n}.pem`), 'SECRET');
  expect(await place.print('cat a/.env a/readme many/* 2>/dev/null')).toBe('public');
});

test('does not know a denied file under the other name of a hard link', async () => {
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await dir.write({ 'home/x': '', 'project/.env': 'SECRET' });
  await using place = denying(dir, 'Read(.env)');
  await link(join(place.folder, '.env'), join(place.folder, 'other'));
  expect(await place.print('cat .env')).toBe('');
  expect(await place.print('cat other')).toBe('SECRET');
});
