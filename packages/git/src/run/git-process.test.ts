import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ambient, createProcessLauncher, systemAmbient } from '@fucina/shared';
import { tempDir, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runGit } from './git-process.ts';

const direct = systemAmbient('silent');
const launcher = createProcessLauncher({ ambient: direct, environment: process.env });
/** How many commands the launcher started. */
let launched = 0;
const withLauncher: Ambient = {
  ...direct,
  launcher: {
    launch(request) {
      const answer = launcher.launch(request);
      if (answer) launched += 1;
      return answer;
    },
  },
};
const binary = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
const optionsFor = (ambient: Ambient) => (cwd: string, args: readonly string[]) => ({
  ambient,
  environment: process.env,
  cwd,
  binary,
  args,
  isRemote: false,
});

const ways = [
  ['simple-git', direct],
  ['the process launcher', withLauncher],
] as const;

/** Until the launcher accepts a command: it and its connections are created in the background. */
async function warm(): Promise<void> {
  for (const before = launched; launched === before; await sleep(5))
    await runGit(optionsFor(withLauncher)('/', ['--version']));
}

beforeAll(warm);
afterAll(async () => {
  await launcher[Symbol.asyncDispose]();
});

describe.each(ways)('the guards of simple-git, before a start by %s', (_name, ambient) => {
  const options = optionsFor(ambient);

  test.each([
    [['-c', 'core.pager=touch ran', 'log']],
    [['--exec-path=.', 'status']],
    [['-C', '..', 'status']],
    [['--git-dir', 'other', 'status']],
    [['fetch', '--upload-pack=touch ran', '--', 'origin']],
    [['rebase', '--exec', 'touch ran', 'HEAD']],
    [['config', 'core.hooksPath', 'hooks']],
    [['init', '--template=evil']],
  ])('refuse the arguments %j', async (args) => {
    await using repo = await tempRepo();
    await expect(runGit(options(repo.path, args))).rejects.toThrow(/not permitted/);
    expect(await repo.git('status', '--porcelain')).toBe('');
  });

  test('make git refuse abbreviated options', async () => {
    await using repo = await tempRepo();
    const outcome = await runGit(options(repo.path, ['log', '--max-coun=1']));
    expect(outcome).toMatchObject({ ending: 'exit', exitCode: 128 });
  });

  test('accept any character in the path of git', async () => {
    await using repo = await tempRepo();
    await using dir = await tempDir();
    const named = join(dir.path, "git (x86) ' é");
    await writeFile(named, `#!/bin/sh\nexec '${binary}' "$@"\n`);
    await chmod(named, 0o755);
    expect(await runGit({ ...options(repo.path, ['status']), binary: named })).toMatchObject({ exitCode: 0 });
  });
});

describe.each(ways)('a git process started by %s', (_name, ambient) => {
  const options = optionsFor(ambient);

  test('inherits no GIT_ variable of the server', async () => {
    await using repo = await tempRepo();
    process.env.GIT_DIR = '/nonexistent';
    try {
      const outcome = await runGit(options(repo.path, ['rev-parse', '--git-dir']));
      expect([outcome.exitCode, String(outcome.stdout.bytes)]).toEqual([0, '.git\n']);
    } finally {
      delete process.env.GIT_DIR;
    }
  });

  test('is killed with everything it started after the timeout', async () => {
    await using repo = await tempRepo();
    await using dir = await tempDir();
    const [slow, started] = ['slow-git', 'child'].map((name) => join(dir.path, name)) as [string, string];
    await writeFile(slow, `#!/bin/sh\ntrap '' INT TERM\nsleep 600 & echo $! > '${started}'\nwait\nsleep 600\n`);
    await chmod(slow, 0o755);
    const childOf = async (): Promise<number> => Number(await readFile(started, 'utf8').catch(() => ''));
    // The limit passes once there is something to kill.
    const timer: Ambient['timer'] = (ms, act) => {
      if (ms !== 300) return ambient.timer(ms, act);
      const passes = async (): Promise<void> => {
        while (!(await childOf())) await sleep(5);
        act();
      };
      void passes();
      return () => undefined;
    };
    const limited = { ...options(repo.path, ['status']), ambient: { ...ambient, timer }, binary: slow, timeoutMs: 300 };
    expect((await runGit(limited)).ending).toBe('timeout');
    const child = await childOf();
    // A process that is not waited for stays in the process table.
    const state = await readFile(`/proc/${child}/stat`, 'latin1').catch(() => ') Z');
    expect(state.slice(state.lastIndexOf(')'))).toMatch(/^\) [ZX]/);
  });

  test('reports why it cannot start', async () => {
    await using dir = await tempDir();
    const gone = await runGit(options(join(dir.path, 'gone'), ['status']));
    expect(gone).toMatchObject({ ending: 'not-started', exitCode: null, problem: expect.any(String) });
    const none = await runGit({ ...options(dir.path, ['status']), binary: join(dir.path, 'no-git') });
    expect(none).toMatchObject({ ending: 'not-started', problem: 'ENOENT' });
    const long = await runGit(options(dir.path, ['status', '--', 'x'.repeat(4_000_000)]));
    expect(long).toMatchObject({ ending: 'not-started', problem: expect.stringContaining('E2BIG') });
  });

  test('gives its output, its input and its exit code', async () => {
    await using repo = await tempRepo();
    const before = launched;
    const hashed = await runGit({ ...options(repo.path, ['hash-object', '--stdin']), input: 'text\n' });
    expect(hashed).toMatchObject({ ending: 'exit', exitCode: 0 });
    expect(String(hashed.stdout.bytes)).toBe('8e27be7d6154a1f68ea9160ef0e18691d20560dc\n');
    const failed = await runGit(options(repo.path, ['rev-parse', 'nowhere', '--']));
    expect(failed).toMatchObject({ ending: 'exit', exitCode: 128 });
    expect(String(failed.stderr.bytes)).toMatch(/bad revision/);
    expect(launched > before).toBe(ambient === withLauncher);
  });
});

describe('without free file descriptors', () => {
  test('git is reported as not started', async () => {
    await using repo = await tempRepo();
    const run = () => runGit(optionsFor(direct)(repo.path, ['status']));
    expect(await run()).toMatchObject({ exitCode: 0 });
    const limit = spawnSync('prlimit', ['--pid', String(process.pid), '--nofile', '--output=SOFT', '--noheadings']);
    const limitTo = (soft: string): void =>
      void spawnSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:`]);
    const taken: number[] = [];
    limitTo('512');
    try {
      for (;;) taken.push(openSync('/dev/null', 'r'));
    } catch (error) {
      expect(error).toMatchObject({ code: 'EMFILE' });
      expect(await run()).toMatchObject({ ending: 'not-started' });
    } finally {
      for (const one of taken) closeSync(one);
      limitTo(String(limit.stdout).trim());
    }
    expect(await run()).toMatchObject({ exitCode: 0 });
  });
});
