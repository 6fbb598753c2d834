import { link, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProcess, systemAmbient } from '@fucina/shared';
import { OPEN_TO_ALL, type TempDir, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createSessionNetworks } from '../src/network/session-network.ts';
import { createPermissionRules } from '../src/permission-rules/permission-rules.ts';
import { createSandbox } from '../src/sandbox.ts';

const ambient = systemAmbient('silent');
const programs = async () => ({ bubblewrap: '/usr/bin/bwrap', nsenter: '/usr/bin/nsenter' });

interface Place extends AsyncDisposable {
  folder: string;
  run(script: string, writes?: 'folder' | 'nothing'): Promise<string>;
}

async function placeIn(dir: TempDir, deny: readonly string[]): Promise<Place> {
  const folder = join(dir.path, 'project');
  await dir.write({ 'home/x': '' });
  const environment = { ...process.env, HOME: join(dir.path, 'home') };
  const networks = createSessionNetworks({ ambient, environment, programs });
  const rules = createPermissionRules({ allow: [], ask: ['Read(asked)'], deny });
  const needs = { ambient, environment, dataDir: join(dir.path, 'data'), networks };
  const sandbox = createSandbox({ ...needs, deniesReading: async (path) => rules.deniesReading(path) });
  return {
    folder,
    async run(script, writes = 'folder') {
      const argv = ['/bin/sh', '-c', script] as const;
      const job = { argv, sessionId: 's', folder, cwd: folder, writes } as const;
      const { settle, ...contained } = await sandbox.contain(job);
      const { stdout } = await runProcess({ ...contained, ambient, environment });
      await settle();
      return stdout.bytes.toString();
    },
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

test('shows empty files and folders in the place of those that rules deny to read, and no others', async () => {
  // Not in a temporary folder: sandboxes replace those by the session's own.
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await dir.write({
    'project/.env': 'SECRET root',
    'project/.env.example': 'public example',
    'project/asked': 'public asked',
    'project/packages/app/.env': 'SECRET deep',
    'project/keys/one/key': 'SECRET key',
    'project/keystone/key': 'public key',
    'project/private/a.txt': 'SECRET private',
  });
  await using place = await placeIn(dir, ['Read(.env)', 'Read(keys/**)', 'Read(./private)', 'Edit(asked)']);
  await symlink('.env', join(place.folder, 'link'));
  for (const writes of ['folder', 'nothing'] as const) {
    const found = await place.run(
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
  expect(await place.run(moves)).toBe('');
  expect(await place.run('cat p/app/.env')).toBe('');
});

test('covers a denied file that was made since, from the next command on, also where many are in one folder', async () => {
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await dir.write({ 'project/a/readme': 'public', 'project/many/readme': 'hidden with its folder' });
  await using place = await placeIn(dir, ['Read(.env)', 'Read(*.pem)']);
  expect(await place.run('cat a/* many/*')).toBe('publichidden with its folder');
  await writeFile(join(place.folder, 'a/.env'), 'SECRET');
  expect(await place.run('cat a/.env a/readme')).toBe('public');
  for (let n = 0; n <= 64; n += 1) await writeFile(join(place.folder, `many/${n}.pem`), 'SECRET');
  expect(await place.run('cat a/.env a/readme many/* 2>/dev/null')).toBe('public');
});

test('does not know a denied file under the other name of a hard link', async () => {
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await dir.write({ 'project/.env': 'SECRET' });
  await using place = await placeIn(dir, ['Read(.env)']);
  await link(join(place.folder, '.env'), join(place.folder, 'other'));
  expect(await place.run('cat .env')).toBe('');
  expect(await place.run('cat other')).toBe('SECRET');
});
