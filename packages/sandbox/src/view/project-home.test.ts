import { lstat, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { afterAll, expect, test } from '@jest/globals';
import type { Mount } from './mounts.ts';
import { withoutRepeats } from './mounts.ts';
import { cacheMounts, createProjectHome } from './project-home.ts';

const root = await realpath(await mkdtemp(join(tmpdir(), 'fucina-')));
afterAll(() => rm(root, { recursive: true, force: true }));
const home = createProjectHome(
  { HOME: '/home/u', CARGO_HOME: '/usr/local/cargo', XDG_CACHE_HOME: '/home/u/.cache' },
  root,
);
const cachesOf = async (others: readonly Mount[]): Promise<Map<string, Mount>> =>
  new Map(cacheMounts(await home.caches('/p', true), others).map((mount) => [mount.target, mount]));
const shown = (path: string): Mount => ({ kind: 'read-only', source: path, target: path });

test('build caches are one mount and links to it', async () => {
  const caches = await cachesOf([shown('/usr'), shown('/home/u/project')]);
  expect([...caches.values()].filter(({ kind }) => kind !== 'link').map(({ target }) => target)).toEqual([
    '/run/fucina-caches',
    '/home/u/.cache',
    '/usr/local/cargo',
  ]);
  expect(caches.get('/home/u/.local/share/pnpm/store')).toEqual({
    kind: 'link',
    to: '/run/fucina-caches/.local_share_pnpm_store',
    target: '/home/u/.local/share/pnpm/store',
  });
});

test('mounts a build cache separately when it overlaps another mount', async () => {
  const caches = await cachesOf([shown('/home/u/.cargo/bin'), shown('/home/u/.local')]);
  for (const target of ['/home/u/.cargo', '/home/u/.local/state', '/home/u/.local/share/NuGet']) {
    const mount = caches.get(target);
    expect(mount?.kind).toBe('writable');
    expect(JSON.stringify(mount)).not.toContain('linked');
  }
  const none = await cachesOf([shown('/run')]);
  expect([...none.values()].filter(({ kind }) => kind === 'link')).toEqual([]);
});

test('a link that a command left among the linked caches is not followed when they are made again', async () => {
  const { linked } = await home.caches('/p', true);
  await rm(join(linked.source, '.npm'), { recursive: true });
  await symlink(join(root, 'elsewhere'), join(linked.source, '.npm'));
  await createProjectHome({ HOME: '/home/u' }, root).caches('/p', true);
  expect((await lstat(join(linked.source, '.npm'))).isSymbolicLink()).toBe(true);
  expect(await readdir(root)).not.toContain('elsewhere');
});

test('does not mount again what an outer mount shows, unless a mount in between hides it', () => {
  const [pyenv, shims] = [shown('/home/u/.pyenv'), shown('/home/u/.pyenv/shims')];
  const cover: Mount = { kind: 'empty', target: '/home/u/.pyenv' };
  expect(withoutRepeats([pyenv, shims])).toEqual([pyenv]);
  expect(withoutRepeats([pyenv, cover, shims])).toEqual([pyenv, cover, shims]);
  const other: Mount = { kind: 'read-only', source: '/else', target: '/home/u/.pyenv/shims' };
  expect(withoutRepeats([pyenv, other])).toEqual([pyenv, other]);
});

test('shows what a link in a shown tree leads to at its own name', async () => {
  await using dir = await tempDir();
  await dir.write({ 'tools/a': '', 'elsewhere/java/release': '', 'tools/jdk/release': '' });
  const at = (name: string): string => join(dir.path, name);
  await symlink(at('elsewhere/java'), at('tools/java'));
  await symlink('jdk', at('tools/current'));
  const tools = shown(at('tools'));
  const links: Mount[] = [
    { kind: 'read-only', source: at('elsewhere/java'), target: at('tools/java') },
    { kind: 'read-only', source: at('tools/jdk'), target: at('tools/current') },
  ];
  expect(withoutRepeats([tools, ...links])).toEqual([tools, shown(at('elsewhere/java'))]);
});
