import { execFileSync } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleProgram, OPEN_TO_ALL } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TOOLS } from './network/registry.ts';
import type { ToolResult } from './network/run-tools.ts';

/** An unprivileged user, when the tests run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let place: string;
beforeAll(async () => {
  // Not in a temporary folder: sandboxes replace those by the session's own.
  place = await realpath(await mkdtemp(join(OPEN_TO_ALL, 'fucina-network-')));
  await chmod(place, 0o755);
  await bundleProgram({ file: join(import.meta.dirname, 'network/run-tools.ts') }, join(place, 'run-tools.mjs'));
  await copyFile(process.execPath, join(place, 'node'));
  await chmod(join(place, 'node'), 0o755);
});
afterAll(() => rm(place, { recursive: true, force: true }));

/** With the home of the user who runs the tests, because of its toolchains; another user has an empty one. */
async function runAs(uid: number): Promise<ToolResult[]> {
  const base = join(place, String(uid));
  const home = uid === process.getuid?.() ? [] : [join(base, 'home')];
  await mkdir(join(base, 'home'), { recursive: true });
  for (const path of [base, join(base, 'home')]) await chown(path, uid, isRoot ? uid : (process.getgid?.() ?? uid));
  const options = { cwd: '/', encoding: 'utf8', maxBuffer: 1e7, ...(isRoot && { uid, gid: uid }) } as const;
  return JSON.parse(execFileSync(join(place, 'node'), [join(place, 'run-tools.mjs'), base, ...home], options));
}

const USERS = isRoot
  ? [
      { name: 'root', uid: 0 },
      { name: 'an ordinary user', uid: NOBODY },
    ]
  : [{ name: 'this user', uid: process.getuid?.() ?? 0 }];

describe.each(USERS)('a package manager of $name', ({ uid }) => {
  test('fetches from a registry through the proxy where a rule names it, and reports why it is refused where none does', async () => {
    const results = await runAs(uid);
    expect(results.map(({ tool }) => tool)).toEqual(TOOLS.map(({ tool }) => tool));
    for (const { tool, prints } of TOOLS) {
      const result = results.find((one) => one.tool === tool);
      if (!result?.isInstalled) {
        process.stderr.write(`${tool} is not installed for this user\n`);
        continue;
      }
      expect([tool, result.allowed]).toEqual([tool, expect.stringContaining(prints)]);
      expect([tool, result.refused]).toEqual([tool, expect.stringContaining('Fucina blocks registry.example')]);
      expect([tool, result.refused]).toEqual([tool, expect.not.stringContaining(`${prints}\n`)]);
    }
    expect(results.filter(({ isInstalled }) => isInstalled).length).toBeGreaterThanOrEqual(2);
  });
});
