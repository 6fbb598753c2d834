import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestComputer, testComputer } from './harness.ts';

const PACKAGE = 'not really a package';
const SUM = createHash('sha256').update(PACKAGE).digest('hex');
const release = (version: string, sha256 = SUM): string =>
  JSON.stringify({ version, file: `fucina-${version}.tgz`, sha256 });

let place: TempDir;
let server: Server;
let address: string;
beforeAll(async () => {
  place = await tempDir();
  server = createServer(async (asked, answer) => {
    const bytes = await readFile(`${place.path}${asked.url}`).catch(() => undefined);
    answer.writeHead(bytes ? 200 : 404).end(bytes);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await place[Symbol.asyncDispose]();
});

const asked = async (computer: TestComputer, from: string, ...args: string[]) =>
  JSON.parse((await computer.run(['upgrade', '--from', from, '--json', ...args])).stdout);

test('finds the newest version of each channel in a folder and at an address', async () => {
  await place.write({
    'stable.json': release('9.0.0'),
    'fucina-9.0.0.tgz': PACKAGE,
    'preview.json': release('9.1.0-preview.2'),
    'fucina-9.1.0-preview.2.tgz': PACKAGE,
  });
  await using computer = await testComputer([]);
  for (const from of [place.path, address]) {
    expect(await asked(computer, from, '--check')).toMatchObject({ channel: 'stable', newest: '9.0.0', path: null });
    const { newest, path } = await asked(computer, from);
    expect([newest, await readFile(path, 'utf8')]).toEqual(['9.0.0', PACKAGE]);
  }
  await computer.run(['config', 'set', 'updateChannel', 'preview']);
  expect(await asked(computer, address)).toMatchObject({ channel: 'preview', newest: '9.1.0-preview.2' });
  await place.write({ 'stable.json': release('9.1.0'), 'fucina-9.1.0.tgz': PACKAGE });
  expect(await asked(computer, address)).toMatchObject({ newest: '9.1.0' });
  const { stdout } = await computer.run(['update'], { env: { FUCINA_UPDATES: place.path } });
  expect(stdout).toMatch(
    /^Version 9\.1\.0 is downloaded and verified\. Install it with: npm install --global .*9\.1\.0\.tgz\n$/,
  );
});

test('reports an older, missing, damaged or unreadable update and keeps nothing', async () => {
  await using computer = await testComputer([]);
  await using other = await tempDir();
  const from = ['upgrade', '--from', other.path];
  expect(await computer.run(['upgrade'])).toMatchObject({ exit: 78, stderr: expect.stringContaining('git pull') });
  expect((await computer.run(from)).stdout).toContain('is the latest on channel stable');
  await other.write({ 'stable.json': release('0.0.1') });
  expect((await computer.run(from)).stdout).toContain('is the latest');
  await other.write({ 'stable.json': release('9.0.0', 'a'.repeat(64)), 'fucina-9.0.0.tgz': PACKAGE });
  expect(await computer.run(from)).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('does not match its published checksum'),
  });
  for (const text of ['{', '{"version":"9.0.0"}', release('9.0.0').replace('fucina-', '../')]) {
    await other.write({ 'stable.json': text });
    expect(await computer.run(from)).toMatchObject({ exit: 1, stderr: expect.stringContaining('could not be read') });
  }
  expect((await computer.run(['upgrade', '--from', 'http://127.0.0.1:1/'])).exit).toBe(1);
  expect(await readFile(`${computer.dataDir}/updates/fucina-9.0.0.tgz`).catch(() => undefined)).toBeUndefined();
});
