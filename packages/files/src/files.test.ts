import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createFiles, type Files, type FilesNeeds } from './files.ts';
import type { GitFacts } from './folder-details.ts';

const GIT: GitFacts = { branch: 'main', isRepositoryRoot: true, unsavedCount: 2, nestedRepositories: ['x'] };

let dir: TempDir;
let ambient: ReturnType<typeof fakeAmbient>;
let files: Files;
const at = (path: string): string => join(dir.path, path);
const open = (extra: Partial<FilesNeeds> = {}): Files =>
  createFiles({
    ambient,
    dataDir: at('data'),
    homeDir: at('home'),
    environment: process.env,
    projectFolders: [at('home/ada/alpha'), at('home/ada/gone')],
    gitPortrait: async (folder) => (folder.endsWith('alpha') ? GIT : undefined),
    ...extra,
  });

beforeEach(async () => {
  dir = await tempDir();
  ambient = fakeAmbient();
  await dir.write({
    'home/ada/alpha/src/a.ts': 'a',
    'home/ada/alpha/README.md': '#',
    'home/.cache/x': '',
    'home/file.txt': '',
  });
  await mkdir(at('home/Documenti'));
  await mkdir(at('home/other/alpha'), { recursive: true });
  await mkdir(at('data'));
  files = open();
});
afterEach(async () => {
  await files[Symbol.asyncDispose]();
  await dir[Symbol.asyncDispose]();
});

const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: { code?: string; reason?: string }) => `${error.code} ${error.reason}`,
  );

describe('the projects store', () => {
  test('is reported only after its first use, and reads do not create it', async () => {
    let opened = 0;
    const fresh = open({ onOpened: () => void (opened += 1) });
    await fresh.workspace.portrait(at('home'));
    expect(opened).toBe(0);
    await fresh.projects.remember(at('home/other/alpha'));
    await fresh.projects.list();
    expect(opened).toBe(1);
    await fresh[Symbol.asyncDispose]();
  });
});

describe('projects', () => {
  test('are configured and used folders, with ids that reveal no path', async () => {
    await files.projects.remember(at('home/other/alpha'));
    await ambient.advance(10);
    await files.projects.remember(at('home/Documenti'));
    const list = await files.projects.list();
    expect(list.map(({ name }) => name)).toEqual(['alpha (ada)', 'gone', 'Documenti', 'alpha (other)']);
    for (const project of list) expect(Object.keys(project)).toEqual(['id', 'name']);
    expect(JSON.stringify(list)).not.toContain(dir.path);
    expect(list.every(({ id }) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
    await files[Symbol.asyncDispose]();
    files = open({ isInitialised: true });
    expect(await files.projects.list()).toEqual(list);
  });

  test('have one id for every spelling of their path', async () => {
    await symlink(at('home/ada/alpha'), at('link'));
    const linked = open({ projectFolders: [at('link')], dataDir: at('data2') });
    expect((await linked.projects.list())[0]?.id).toBe((await files.projects.list())[0]?.id);
    await linked[Symbol.asyncDispose]();
  });

  test('return their folder or the reason it is unavailable', async () => {
    const [alpha, gone] = await files.projects.list();
    expect(await files.projects.folderOf(alpha?.id ?? '')).toBe(at('home/ada/alpha'));
    expect(await refusal(files.projects.folderOf(gone?.id ?? ''))).toBe('WORKSPACE_NOT_AVAILABLE path-missing');
    expect(await refusal(files.projects.folderOf('0'.repeat(32)))).toBe('NOT_FOUND project-unknown');
    await writeFile(at('home/ada/gone'), 'a file now');
    expect(await refusal(files.projects.folderOf(gone?.id ?? ''))).toBe('WORKSPACE_NOT_AVAILABLE path-not-a-folder');
  });

  test('list one level of their files', async () => {
    const [alpha, gone] = await files.projects.list();
    expect(await files.projects.tree(alpha?.id ?? '', '')).toEqual([
      { name: 'src', isFolder: true },
      { name: 'README.md', isFolder: false },
    ]);
    expect(await refusal(files.projects.tree(alpha?.id ?? '', 'none'))).toBe('FILE_NOT_FOUND path-missing');
    expect(await refusal(files.projects.tree(alpha?.id ?? '', '../x'))).toBe('QUERY_INVALID path-invalid');
    expect(await refusal(files.projects.tree(gone?.id ?? '', ''))).toBe('WORKSPACE_NOT_AVAILABLE path-missing');
  });

  test('wait for a writing process, and report a lost store', async () => {
    await files.projects.remember(at('home'));
    const other = open();
    await Promise.all([files.projects.remember(at('home')), other.projects.remember(at('home'))]);
    await other[Symbol.asyncDispose]();
    await files[Symbol.asyncDispose]();
    await rm(at('data'), { recursive: true });
    files = open({ isInitialised: true });
    await expect(files.projects.list()).rejects.toThrow('missing');
  });
});

describe('browsing folders', () => {
  test('starts at home, lists only folders, and suggests some', async () => {
    await files.projects.remember(at('home/other'));
    await symlink(at('home/ada'), at('home/zlink'));
    await symlink('/nowhere', at('home/dangling'));
    const [alpha] = await files.projects.list();
    const home = await files.workspace.browse();
    expect(home).toMatchObject({ root: '/', path: at('home'), parent: dir.path });
    expect(home.items.map(({ name }) => name)).toEqual(['ada', 'Documenti', 'other', 'zlink', '.cache']);
    expect(home.items[2]).toEqual({ name: 'other', path: at('home/other'), projectId: expect.any(String) });
    expect(home.recommended.map(({ label, kind }) => [label, kind])).toEqual([
      ['alpha', 'project'],
      ['other', 'recent'],
      ['home', 'known'],
      ['Documenti', 'known'],
    ]);
    const work = await files.workspace.browse(`${at('home/ada')}/`);
    expect(work.items).toEqual([{ name: 'alpha', path: at('home/ada/alpha'), projectId: alpha?.id }]);
    const root = await files.workspace.browse('/');
    expect([root.path, root.parent]).toEqual(['/', null]);
    expect(root.items.map(({ name }) => name)).toContain('tmp');
  });

  test('rejects an invalid path and an unavailable folder', async () => {
    for (const path of [
      '',
      'relative',
      '/a/../b',
      '//server/share',
      '\\\\server\\share',
      '/a\0b',
      `/${'x/'.repeat(600)}`,
    ]) {
      expect(await refusal(files.workspace.browse(path))).toBe('QUERY_INVALID path-invalid');
    }
    expect(await refusal(files.workspace.browse(at('nothing')))).toBe('WORKSPACE_NOT_AVAILABLE path-missing');
    expect(await refusal(files.workspace.browse(at('home/file.txt')))).toBe(
      'WORKSPACE_NOT_AVAILABLE path-not-a-folder',
    );
  });

  test('lists only folders it can open', async () => {
    await mkdir(at('home/ada/bad\nname'));
    expect((await files.workspace.browse(at('home/ada'))).items.map(({ name }) => name)).toEqual(['alpha']);
  });
});

describe('a new folder', () => {
  test('is created at the given path', async () => {
    const made = await files.workspace.createFolder(at('home/ada'), 'nuova cartella');
    expect(made).toEqual({ name: 'nuova cartella', path: at('home/ada/nuova cartella') });
    expect((await files.workspace.browse(made.path)).items).toEqual([]);
  });

  test('is refused with the reason', async () => {
    const create = (parent: string, name: string): Promise<unknown> =>
      refusal(files.workspace.createFolder(parent, name));
    expect(await create(at('home'), 'ada')).toBe('WORKSPACE_ALREADY_EXISTS path-exists');
    expect(await create(at('home'), 'file.txt')).toBe('WORKSPACE_ALREADY_EXISTS path-exists');
    expect(await create(at('nothing'), 'x')).toBe('WORKSPACE_NOT_AVAILABLE path-missing');
    for (const name of ['', '.', '..', 'a/b', '/x', 'a\n', '-rf', 'x'.repeat(256)]) {
      expect(await create(at('home'), name)).toBe('QUERY_INVALID path-invalid');
    }
    expect(await create(at('home'), 'NUL')).toBe('done');
    expect(await create('relative', 'x')).toBe('QUERY_INVALID path-invalid');
    if (process.getuid?.() !== 0) expect(await create('/', 'fucina')).toBe('WORKSPACE_NOT_AVAILABLE path-denied');
    expect(await create('/proc', 'fucina')).toMatch(/^WORKSPACE_NOT_AVAILABLE /);
  });
});

test('lists at most six existing folders, most used first', async () => {
  expect(await files.workspace.frequent()).toEqual([]);
  for (let index = 0; index < 8; index++) await mkdir(at(`home/f${index}`));
  for (let index = 0; index < 8; index++) {
    for (let use = 0; use <= index; use++) await files.projects.remember(at(`home/f${index}`));
  }
  await rm(at('home/f7'), { recursive: true });
  const found = await files.workspace.frequent();
  expect(found.map(({ label }) => label)).toEqual(['f6', 'f5', 'f4', 'f3', 'f2', 'f1']);
  expect(found[0]?.path).toBe(at('home/f6'));
});

describe('folder details', () => {
  test('include file counts, the repository and instruction files', async () => {
    await dir.write({
      'home/ada/alpha/AGENTS.md': '',
      'home/ada/alpha/src/AGENTS.md': '',
      'home/ada/alpha/node_modules/a/b.js': '',
      'home/ada/alpha/.git/HEAD': '',
    });
    await symlink('/', at('home/ada/alpha/link'));
    expect(await files.workspace.portrait(at('home/ada/alpha'))).toEqual({
      path: at('home/ada/alpha'),
      isReadable: true,
      isWide: false,
      fileCount: 5,
      folderCount: 1,
      isOverCeiling: false,
      ceiling: 20_000,
      git: GIT,
      instructions: ['AGENTS.md'],
    });
  });

  test('flag folders of many projects, and unreadable ones', async () => {
    const portrait = async (path: string): Promise<unknown> => {
      const { isReadable, ...rest } = await files.workspace.portrait(path);
      return isReadable && 'isWide' in rest ? rest.isWide : isReadable;
    };
    expect(await portrait(at('home'))).toBe(true);
    expect(await portrait(at('home/Documenti'))).toBe(true);
    expect(await portrait(at('home/other'))).toBe(false);
    expect(await files.workspace.portrait(at('nothing'))).toEqual({ path: at('nothing'), isReadable: false });
    expect(await files.workspace.portrait(at('home/file.txt'))).toMatchObject({ isReadable: false });
    expect(await refusal(files.workspace.portrait('relative'))).toBe('QUERY_INVALID path-invalid');
    expect(await refusal(files.workspace.portrait(`/${'x'.repeat(4096)}`))).toBe('QUERY_INVALID path-invalid');
  });

  test('stop counting at the limit without blocking other requests', async () => {
    const script = 'for d in $(seq 1 25); do mkdir -p many/$d; (cd many/$d && seq 1 900 | xargs touch); done';
    expect(spawnSync('/bin/bash', ['-c', script], { cwd: at('home') }).status).toBe(0);
    // Its limit in time is for slow disks.
    const unhurried = { ...systemAmbient('silent'), monotonic: () => 0 };
    const real = open({ ambient: unhurried, dataDir: at('data3') });
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const portrait = await real.workspace.portrait(at('home/many'));
    clearInterval(timer);
    await real[Symbol.asyncDispose]();
    expect(portrait).toMatchObject({ isOverCeiling: true, git: null });
    expect('fileCount' in portrait ? portrait.fileCount + portrait.folderCount : 0).toBe(20_000);
    expect(turns).toBeGreaterThan(5);
  });
});

describe('the folder of a new session', () => {
  test('is a project by id or a chosen path', async () => {
    const [alpha] = await files.projects.list();
    expect(await files.workspace.chooseFolder({ projectId: alpha?.id ?? '' })).toEqual({
      folder: at('home/ada/alpha'),
      taskId: `libero:${alpha?.id}`,
      project: 'alpha',
      isProjectFolder: true,
    });
    await symlink(at('home/other'), at('link'));
    expect(await files.workspace.chooseFolder({ path: at('link') })).toEqual({
      folder: at('home/other'),
      taskId: 'libero:full-access',
      project: 'other',
      isProjectFolder: false,
    });
  });

  test('picked by hand does not get the permissions of a configured project', async () => {
    await files.projects.remember(at('home/other'));
    const used = (await files.projects.list()).find(({ name }) => name === 'other');
    const choice = await files.workspace.chooseFolder({ projectId: used?.id ?? '' });
    expect(choice).toMatchObject({ folder: at('home/other'), isProjectFolder: false, taskId: `libero:${used?.id}` });
  });

  test('is refused with the reason', async () => {
    const choose = (choice: { path: string } | { projectId: string }): Promise<unknown> =>
      refusal(files.workspace.chooseFolder(choice));
    const [, gone] = await files.projects.list();
    expect(await choose({ projectId: gone?.id ?? '' })).toBe('WORKSPACE_NOT_AVAILABLE path-missing');
    expect(await choose({ projectId: 'x' })).toBe('WORKSPACE_NOT_AVAILABLE project-unknown');
    expect(await choose({ path: at('nothing') })).toBe('WORKSPACE_NOT_AVAILABLE path-missing');
    expect(await choose({ path: at('home/file.txt') })).toBe('WORKSPACE_NOT_AVAILABLE path-not-a-folder');
    expect(await choose({ path: at('data') })).toBe('WORKSPACE_NOT_AVAILABLE application-folder');
    for (const path of ['relative', '//server/share', '\\\\?\\C:\\x', 'C:\\x', '/a/../b']) {
      expect(await choose({ path })).toBe('QUERY_INVALID path-invalid');
    }
  });
});

describe('the session tree', () => {
  test('lists folders first, then files, alphabetically', async () => {
    await dir.write({ 's/b.txt': '', 's/A.txt': '', 's/zeta/x': '', 's/Beta/x': '', 's/.env': '' });
    await symlink('zeta', at('s/inner'));
    await symlink('/etc', at('s/outer'));
    const entries = await files.tree.list(at('s'), '');
    expect(entries.map(({ name, isFolder }) => (isFolder ? `${name}/` : name))).toEqual([
      'Beta/',
      'inner/',
      'zeta/',
      '.env',
      'A.txt',
      'b.txt',
      'outer',
    ]);
    expect(await files.tree.list(at('s'), './zeta/')).toEqual([{ name: 'x', isFolder: false }]);
  });

  test('lists a folder of many thousands completely with folders first', async () => {
    await mkdir(at('s'));
    for (let count = 0; count < 12_000; count += 1) await writeFile(at(`s/${count}.txt`), '');
    await mkdir(at('s/zz'));
    const entries = await files.tree.list(at('s'), '');
    expect([entries.length, entries[0]?.name]).toEqual([12_001, 'zz']);
  });

  test('rejects a path that is not a folder of the session', async () => {
    await dir.write({ 's/a.txt': '' });
    await symlink('/etc', at('s/outer'));
    const list = (path: string): Promise<unknown> => refusal(files.tree.list(at('s'), path));
    expect(await list('a.txt')).toBe('QUERY_INVALID path-not-a-folder');
    expect(await list('outer')).toBe('QUERY_INVALID path-outside');
    expect(await list('..')).toBe('QUERY_INVALID path-invalid');
    expect(await list('x'.repeat(1025))).toBe('QUERY_INVALID path-invalid');
    expect(await list('none')).toBe('FILE_NOT_FOUND path-missing');
  });
});

describe('a file preview', () => {
  test('returns the text in any encoding and the file size', async () => {
    await dir.write({
      's/a.txt': 'ciao è',
      's/bom.txt': '\ufeffx',
      's/latin.txt': Buffer.from('Perché così è più bello, città e virtù.', 'latin1'),
      's/wide.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('è', 'utf16le')]),
      's/full.txt': Buffer.alloc(512 * 1024, 'x'),
      's/empty.txt': '',
    });
    const text = async (path: string): Promise<string> => (await files.tree.preview(at('s'), path)).text;
    expect(await files.tree.preview(at('s'), './a.txt')).toEqual({ path: 'a.txt', text: 'ciao è', sizeBytes: 7 });
    expect(await text('bom.txt')).toBe('x');
    expect(await text('latin.txt')).toBe('Perché così è più bello, città e virtù.');
    expect(await text('wide.txt')).toBe('è');
    expect(await text('empty.txt')).toBe('');
    expect(await text('full.txt')).toHaveLength(512 * 1024);
  });

  test('is refused with the reason', async () => {
    await dir.write({
      's/big.txt': Buffer.alloc(512 * 1024 + 1, 'x'),
      's/p.png': Buffer.from('89504e470d0a1a0a00', 'hex'),
      's/f/x': '',
    });
    await symlink('/etc/passwd', at('s/out'));
    const preview = (path: string): Promise<unknown> => refusal(files.tree.preview(at('s'), path));
    expect(await preview('big.txt')).toBe('FILE_TOO_LARGE path-too-large');
    expect(await preview('p.png')).toBe('QUERY_INVALID not-text');
    expect(await preview('f')).toBe('QUERY_INVALID path-not-a-file');
    expect(await preview('out')).toBe('QUERY_INVALID path-outside');
    expect(await preview('/etc/passwd')).toBe('QUERY_INVALID path-invalid');
    expect(await preview('')).toBe('QUERY_INVALID path-invalid');
    expect(await preview('none')).toBe('FILE_NOT_FOUND path-missing');
    expect(await readFile('/etc/passwd', 'utf8')).not.toBe('');
    await rename(at('s'), at('moved'));
    expect(await preview('f/x')).toBe('FILE_NOT_FOUND path-missing');
  });
});
