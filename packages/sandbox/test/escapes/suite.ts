import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WriteReach } from '@fucina/shared';
import { bundleProgram } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SandboxState } from '../../src/sandbox.ts';
import { ATTACKS } from './attacks.ts';
import type { AttackResult } from './run-attacks.ts';

/** Each attack starts a sandbox, and some wait for the watch of control files: minutes on a busy machine. */
const LIMIT_MS = 300_000;
/** A script in the background changes what is to be mounted: a sandbox that waited is then not used. */
const CHANGING = new Set(ATTACKS.filter(({ beside }) => beside !== undefined).map(({ title }) => title));
/** An unprivileged user, when the tests run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

let place: string;
beforeAll(async () => {
  // Not in a temporary folder: sandboxes replace those by the session's own.
  const roots = isRoot ? ['/srv', '/opt', '/'] : [userInfo().homedir];
  const found = await Promise.all(
    roots.map((path) =>
      stat(path).then(
        () => path,
        () => undefined,
      ),
    ),
  );
  place = await realpath(await mkdtemp(join(found.find((path) => path !== undefined) ?? tmpdir(), 'fucina-escapes-')));
  await chmod(place, 0o755);
  await bundleProgram({ file: join(import.meta.dirname, 'run-attacks.ts') }, join(place, 'run-attacks.mjs'));
  // The current one may be in a folder that the other user cannot access.
  await copyFile(process.execPath, join(place, 'node'));
  await chmod(join(place, 'node'), 0o755);
});
afterAll(() => rm(place, { recursive: true, force: true }));

interface Report {
  state: SandboxState;
  results: AttackResult[];
}

async function attackAs(uid: number, writes: WriteReach, start: 'new' | 'waiting'): Promise<Report> {
  const base = join(place, `${uid}-${writes}-${start}`);
  await mkdir(base);
  await chown(base, uid, isRoot ? uid : (process.getgid?.() ?? uid));
  const options = { cwd: '/', encoding: 'utf8', maxBuffer: 1e7, ...(isRoot && { uid, gid: uid }) } as const;
  const argv = [join(place, 'run-attacks.mjs'), base, writes, start];
  // As from a shell that has the root open.
  const program = ['-c', 'exec 200</; exec "$@"', 'sh', join(place, 'node'), ...argv];
  return JSON.parse((await promisify(execFile)('/bin/bash', program, options)).stdout);
}

interface User {
  name: string;
  uid: number;
}
const USERS: readonly User[] = isRoot
  ? [
      { name: 'root', uid: 0 },
      { name: 'an ordinary user', uid: NOBODY },
    ]
  : [{ name: 'this user', uid: process.getuid?.() ?? 0 }];

/** The users attack at the same time: an attack waits more than it computes. */
function attacksOfAll(writes: WriteReach, start: 'new' | 'waiting'): (uid: number) => Promise<Report> {
  const reports = new Map<number, Promise<Report>>();
  beforeAll(() => {
    for (const { uid } of USERS) {
      const report = attackAs(uid, writes, start);
      // Its test reports a failure.
      report.catch(() => undefined);
      reports.set(uid, report);
    }
  });
  return (uid) => reports.get(uid) ?? Promise.reject(new Error('no attack was started'));
}

/** All attacks, by each user, on one kind of sandbox. */
export function blocksEveryAttack(writes: WriteReach, start: 'new' | 'waiting'): void {
  const reportOf = attacksOfAll(writes, start);
  describe.each(USERS)('a hostile command of $name', ({ uid }) => {
    test(
      'gets nothing out of the sandbox',
      async () => {
        const { state, results } = await reportOf(uid);
        if (!state.isWorking && process.env.FUCINA_TEST_REQUIRE !== '1') {
          process.stderr.write(`not held on this machine: ${state.detail}\n`);
          return;
        }
        expect(state).toMatchObject({ kind: 'bubblewrap', isWorking: true });
        expect(results.filter(({ got }) => got !== undefined)).toEqual([]);
        const steady = results.filter(({ title }) => start === 'new' || !CHANGING.has(title));
        expect(steady.filter(({ hasWaited }) => hasWaited !== (start === 'waiting'))).toEqual([]);
        expect(results).toHaveLength(ATTACKS.length);
        expect(results.length).toBeGreaterThanOrEqual(225);
      },
      LIMIT_MS,
    );
  });
}

/** Shows that the attacks are real: most of them succeed without a sandbox. */
export function succeedsWithoutSandbox(): void {
  const reportOf = attacksOfAll('anything', 'new');
  describe.each(USERS)('a hostile command of $name', ({ uid }) => {
    test(
      'gets nearly everything without a sandbox',
      async () => {
        const { results } = await reportOf(uid);
        expect(results.filter(({ got }) => got !== undefined).length).toBeGreaterThanOrEqual(165);
      },
      LIMIT_MS,
    );
  });
}
