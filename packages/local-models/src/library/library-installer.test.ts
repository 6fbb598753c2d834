import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemAmbient } from '@fucina/shared';
import { createNpmRegistry, type NpmRegistry, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { libraryFolder } from './engine-library.ts';
import { createLibraryInstaller, type LibraryInstallation, type LibraryInstaller } from './library-installer.ts';

let registry: NpmRegistry;
beforeAll(async () => {
  registry = await createNpmRegistry({
    name: 'node-llama-cpp',
    version: '1.2.3',
    main: 'index.js',
    scripts: { install: 'touch ran' },
    files: { 'index.js': 'module.exports = 1;\n' },
  });
});
afterAll(async () => registry[Symbol.asyncDispose]());
beforeEach(() => {
  Object.assign(registry.served, { status: 200, contents: registry.contents, isSilent: false });
});

interface Installing extends AsyncDisposable {
  installer: LibraryInstaller;
  dataDir: string;
  /** Starts, and waits until it has ended. */
  install(): Promise<LibraryInstallation>;
}

async function installing({
  path = process.env['PATH'],
  hasList = true,
  url = registry.url,
} = {}): Promise<Installing> {
  const folder = await tempDir();
  const { lock } = registry;
  if (hasList) await folder.write({ 'list.json': JSON.stringify({ version: '1.2.3', bytes: 2_000, lock }) });
  await folder.write({ 'data/other.txt': 'stays' });
  const dataDir = join(folder.path, 'data');
  const main = join(libraryFolder(dataDir), 'node_modules/node-llama-cpp/index.js');
  const installer = createLibraryInstaller({
    ambient: systemAmbient('silent'),
    environment: {
      PATH: path,
      HOME: folder.path,
      npm_config_registry: url,
      npm_config_fetch_retries: '0',
    },
    dataDir,
    list: pathToFileURL(join(folder.path, 'list.json')),
    library: () => (existsSync(main) ? main : undefined),
  });
  return {
    installer,
    dataDir,
    async install() {
      let status = await installer.start();
      while (status.state === 'installing') {
        await new Promise((resolve) => setTimeout(resolve, 20));
        status = await installer.status();
      }
      return status;
    },
    async [Symbol.asyncDispose]() {
      await installer[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('installs the library of the list, without running its scripts', async () => {
  await using one = await installing();
  expect(await one.installer.status()).toMatchObject({
    state: 'absent',
    version: '1.2.3',
    bytes: 0,
    totalBytes: 2_000,
  });
  expect(await one.install()).toMatchObject({ state: 'installed', version: '1.2.3', problem: null });
  const installed = join(libraryFolder(one.dataDir), 'node_modules/node-llama-cpp');
  expect(readdirSync(installed).sort()).toEqual(['index.js', 'package.json']);
  expect(readdirSync(one.dataDir).sort()).toEqual(['engine-library', 'other.txt']);
  expect(await one.installer.start()).toMatchObject({ state: 'installed' });
});

test('refuses contents that are not those of the list', async () => {
  registry.served.contents = Buffer.concat([registry.contents, Buffer.from('x')]);
  await using one = await installing();
  expect(await one.install()).toMatchObject({ state: 'failed', problem: 'damaged', detail: 'EINTEGRITY' });
  expect(readdirSync(one.dataDir)).toEqual(['other.txt']);
});

test('says why it failed, and can be started again', async () => {
  registry.served.status = 404;
  await using one = await installing();
  expect(await one.install()).toMatchObject({ state: 'failed', problem: 'not-found', detail: 'E404' });
  registry.served.status = 200;
  expect(await one.install()).toMatchObject({ state: 'installed' });
});

test('reports a registry that cannot be reached, and a missing npm', async () => {
  await using unreachable = await installing({ url: 'http://127.0.0.1:1/' });
  expect(await unreachable.install()).toMatchObject({ state: 'failed', problem: 'unreachable' });
  await using without = await installing({ path: '/nowhere' });
  expect(await without.install()).toMatchObject({ state: 'failed', problem: 'npm-missing' });
});

test('a cancelled installation leaves nothing behind', async () => {
  registry.served.isSilent = true;
  await using one = await installing();
  expect(await one.installer.start()).toMatchObject({ state: 'installing' });
  expect(await one.installer.start()).toMatchObject({ state: 'installing' });
  expect(readdirSync(one.dataDir)).toHaveLength(2);
  expect(await one.installer.cancel()).toMatchObject({ state: 'absent', problem: null });
  expect(readdirSync(one.dataDir)).toEqual(['other.txt']);
});

test('deletes what a killed installation left', async () => {
  await using one = await installing();
  const left = join(one.dataDir, 'engine-library.new-abc');
  execFileSync('mkdir', ['-p', left]);
  utimesSync(left, 1, 1);
  await one.install();
  expect(existsSync(left)).toBe(false);
});

test('without a list there is nothing to install', async () => {
  await using one = await installing({ hasList: false });
  expect(await one.installer.status()).toMatchObject({ state: 'unavailable', version: null });
  await expect(one.installer.start()).rejects.toMatchObject({ code: 'RUNTIME_NOT_AVAILABLE' });
});
