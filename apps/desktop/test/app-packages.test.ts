import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../../..');
const SCRIPT = join(ROOT, 'scripts/pack-app.mjs');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** A staged program that prints its arguments. */
async function staged() {
  const dir = await tempDir();
  await dir.write({
    'program/LICENSE': 'license',
    'program/apps/cli/dist/main.js': 'console.log(JSON.stringify(process.argv.slice(2)))',
  });
  return dir;
}

function pack(system: string, place: string): string {
  const args = [SCRIPT, '--try', system, '--program', join(place, 'program'), join(place, 'out')];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n')[0] ?? '';
}

const READ_PLIST = 'import json,plistlib,sys;print(json.dumps(plistlib.load(open(sys.argv[1],"rb"))))';
const readPlist = (file: string) =>
  JSON.parse(execFileSync('python3', ['-c', READ_PLIST, file], { encoding: 'utf8' })) as Record<string, unknown>;

test('assembles the application for macOS: description, link scheme, icon and a program that starts', async () => {
  await using place = await staged();
  const app = pack('darwin', place.path);
  expect(app).toBe(join(place.path, 'out/Fucina.app'));
  expect(readPlist(join(app, 'Contents/Info.plist'))).toMatchObject({
    CFBundleIdentifier: 'local.fucina.Fucina',
    CFBundleShortVersionString: version,
    CFBundleURLTypes: [{ CFBundleURLSchemes: ['fucina'] }],
    CFBundleIconFile: 'fucina',
  });
  expect(readPlist(join(ROOT, 'scripts/macos/entitlements.plist'))).toMatchObject({
    'com.apple.security.cs.allow-jit': true,
  });
  const icon = readFileSync(join(app, 'Contents/Resources/fucina.icns'));
  expect(icon.subarray(0, 4).toString()).toBe('icns');
  expect(icon.readUInt32BE(4)).toBe(icon.length);
  const command = execFileSync('ln', ['-s', join(app, 'Contents/Resources/program/bin/fucina'), place.path]);
  expect(command.length).toBe(0);
  const options = { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' }, cwd: '/' } as const;
  expect(execFileSync(join(place.path, 'fucina'), ['a b'], options)).toBe('["a b"]\n');
  expect(execFileSync(join(app, 'Contents/MacOS/fucina'), ['fucina://new'], options)).toBe('["app","fucina://new"]\n');
});

test('assembles the folder for Windows: command, icon, and an installer script with the link scheme', async () => {
  await using place = await staged();
  const folder = pack('win32', place.path);
  expect(folder).toBe(join(place.path, `out/fucina-${version}-win32-${process.arch}`));
  for (const path of ['bin/node.exe', 'bin/node-license.txt', 'apps/cli/dist/main.js', 'LICENSE'])
    expect(statSync(join(folder, path)).size).toBeGreaterThan(0);
  expect(readFileSync(join(folder, 'bin/fucina.cmd'), 'utf8')).toBe(
    '@echo off\r\n"%~dp0node.exe" "%~dp0..\\apps\\cli\\dist\\main.js" %*\r\n',
  );
  const icon = readFileSync(join(folder, 'fucina.ico'));
  expect([icon.readUInt16LE(2), icon.readUInt32LE(14) + icon.readUInt32LE(18)]).toEqual([1, icon.length]);
  const script = installerSections(readFileSync(join(place.path, 'out/fucina.iss'), 'utf8'));
  expect(script.Setup).toContain('PrivilegesRequired=lowest');
  expect(script.Registry?.join('\n')).toContain(
    String.raw`Subkey: "Software\Classes\fucina\shell\open\command"; ValueType: string; ValueData: """{app}\bin\node.exe"" ""{app}\apps\cli\dist\main.js"" app ""%1"""`,
  );
  expect(script.Registry?.filter((line) => line.includes('CurrentVersion\\Run'))).toHaveLength(1);
  for (const name of ['Files', 'Icons', 'Tasks', 'Registry', 'Languages'])
    for (const line of script[name] ?? []) expect(line).toMatch(/^(\w+: ("([^"]|"")*"|[\w!]+( \w+)*)(; |$))+$/);
});

test('packs for its own system only, unless it is a try', () => {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--try', 'sunos'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 78, stderr: expect.stringContaining('npm run pack:deb') });
  expect(existsSync(join(ROOT, 'scripts/macos/main.applescript'))).toBe(true);
});

/** Lines of an Inno Setup script by section. */
function installerSections(text: string): Record<string, string[]> {
  const sections: Record<string, string[]> = {};
  let current: string[] = [];
  for (const line of text.split('\n')) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (name !== undefined) sections[name] = current = [];
    else if (line !== '' && !line.startsWith(';')) current.push(line);
  }
  return sections;
}
