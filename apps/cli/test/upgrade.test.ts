import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { createNpmRegistry, type NpmRegistry, type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findInstallation } from '../src/commands/upgrade/installation.ts';

const CLI = resolve(import.meta.dirname, '..');
const LAUNCHER = "#!/usr/bin/env node\nrequire('../apps/cli/dist/main.js');\n";
const CHANGES = '# Changelog\n\n## 9.0.0 (2027-01-01)\n\n- Herons.\n\n## 0.0.1\n\n- Old.\n';
/** A newer version that starts: it prints its version whatever it is asked. */
const WORKING = "#!/usr/bin/env node\nconsole.log('9.0.0');\n";
/** Starts everywhere but in the place of the previous one. */
const FAILS_IN_PLACE = `#!/usr/bin/env node
if (!__dirname.includes('.fucina-upgrade-')) throw new Error('no herons');
console.log('9.0.0');
`;

let place: TempDir;
beforeAll(async () => {
  place = await tempDir();
  await mkdir(join(place.path, 'bin'));
  await mkdir(join(place.path, 'home'));
  const own = join(place.path, 'lib/node_modules/fucina');
  const isProgram = (path: string) => !path.endsWith('.map');
  await cp(join(CLI, 'dist'), join(own, 'apps/cli/dist'), { recursive: true, filter: isProgram });
  await cp(join(CLI, '../server/openapi.json'), join(own, 'apps/cli/openapi.json'));
  await writeFile(join(own, 'package.json'), JSON.stringify({ name: 'fucina', type: 'module' }));
  await symlink(join(CLI, 'node_modules'), join(own, 'node_modules'));
  await mkdir(join(own, 'bin'));
  await writeFile(join(own, 'bin/fucina.cjs'), LAUNCHER);
  await symlink('../lib/node_modules/fucina/bin/fucina.cjs', join(place.path, 'bin/fucina'));
});
afterAll(async () => place[Symbol.asyncDispose]());

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The installed program, with npm's registry. */
async function fucina(url: string, ...args: string[]): Promise<Ended> {
  const env = {
    PATH: process.env['PATH'],
    HOME: join(place.path, 'home'),
    FUCINA_DATA_DIR: join(place.path, 'home/data'),
    FUCINA_CONFIG_DIR: join(place.path, 'home/config'),
    FUCINA_KEY_STORE: 'memory',
    npm_config_registry: url,
    npm_config_fetch_retries: '0',
  };
  return new Promise((settle) => {
    execFile(process.execPath, [join(place.path, 'bin/fucina'), ...args], { env }, (error, stdout, stderr) =>
      settle({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const registryWith = (version: string, program: string): Promise<NpmRegistry> =>
  createNpmRegistry({
    name: 'fucina',
    version,
    bin: { fucina: './bin/fucina.cjs' },
    files: { 'bin/fucina.cjs': program, 'CHANGELOG.md': CHANGES },
  });

const modules = () => readdir(join(place.path, 'lib/node_modules'));
const launcher = () => readFile(join(place.path, 'bin/fucina'), 'utf8');

test('reports that no newer version is in the registry', async () => {
  await using registry = await registryWith('0.0.1', WORKING);
  expect(await fucina(registry.url, 'upgrade')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Version \S+ is the latest on channel stable\.\n$/),
  });
});

test('says why nothing changed when the registry is away, has no such package or sends a damaged one', async () => {
  const { stderr } = await fucina('http://127.0.0.1:1/', 'upgrade', '--yes');
  expect(stderr).toMatch(/npm could not reach its registry \(E.*Nothing was changed\.\n$/);
  await using registry = await registryWith('9.0.0', WORKING);
  registry.served.contents = Buffer.from('other');
  expect(await fucina(registry.url, 'upgrade', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not match its checksum (EINTEGRITY)'),
  });
  registry.served.status = 404;
  expect((await fucina(registry.url, 'upgrade')).stderr).toContain('does not have this version (E404)');
  expect(await modules()).toEqual(['fucina']);
});

test('asks before it changes anything', async () => {
  await using registry = await registryWith('9.0.0', WORKING);
  expect(await fucina(registry.url, 'upgrade')).toMatchObject({ code: 3, stderr: expect.stringContaining('--yes') });
  const { stdout } = await fucina(registry.url, 'upgrade', '--check', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ newest: '9.0.0', installed: false });
  expect(await modules()).toEqual(['fucina']);
});

test('keeps the installed version when the new one does not start', async () => {
  await using broken = await registryWith('9.0.0', "throw new Error('no herons');");
  expect(await fucina(broken.url, 'upgrade', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Version 9\.0\.0 does not start here\. .*no herons/),
  });
  expect([await modules(), await launcher()]).toEqual([['fucina'], LAUNCHER]);
});

test('puts the previous version back when the new one does not start in its place', async () => {
  await using broken = await registryWith('9.0.0', FAILS_IN_PLACE);
  expect(await fucina(broken.url, 'upgrade', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/The previous version is back\. .*no herons/),
  });
  expect([await modules(), await launcher()]).toEqual([['fucina'], LAUNCHER]);
});

test('shows what changed, backs the data up and installs the newer version', async () => {
  await using registry = await registryWith('9.0.0', WORKING);
  await fucina(registry.url, 'notes', 'add', 'Herons', 'Fish.');
  const { code, stdout, stderr } = await fucina(registry.url, 'upgrade', '--yes');
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Downloading version 9.0.0 with npm. Ctrl+C cancels.\n' });
  expect(stdout).toContain('- Herons.');
  expect(stdout).not.toContain('- Old.');
  expect(stdout).toMatch(/Upgraded from \S+ to 9\.0\.0\.\nBackup .*before-9\.0\.0\.tar\.gz\n/);
  expect([await modules(), await launcher()]).toEqual([['fucina'], WORKING]);
  expect(await readdir(join(place.path, 'home/data-backups'))).toEqual(['before-9.0.0.tar.gz']);
});

test('tells how the running program was installed', async () => {
  const kindOf = (...parts: string[]) => findInstallation(join(sep, ...parts)).kind;
  expect(kindOf('usr/lib/fucina/apps/cli/dist/main.js')).toBe('debian');
  expect(kindOf('home/ada/.npm/_npx/1a/node_modules/fucina/apps/cli/dist/main.js')).toBe('npx');
  expect(kindOf('home/ada/project/node_modules/fucina/apps/cli/dist/main.js')).toBe('other');
  expect(findInstallation(join(CLI, 'dist/main.js')).kind).toBe('checkout');
});
