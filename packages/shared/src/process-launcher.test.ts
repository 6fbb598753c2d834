import { spawn } from 'node:child_process';
import { mkdtemp, open, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemAmbient } from './ambient.ts';
import { launchProcess, type ProcessOptions, type ProcessOutcome, runProcess } from './child-process.ts';
import type { ProcessLauncher } from './launch.ts';
import { createProcessLauncher, launcherPids } from './process-launcher.ts';
import { GATE_SCRIPT } from './program-gate.ts';

const direct = systemAmbient('silent');
let launcher: ProcessLauncher;
let folder: string;
/** For every request, whether the launcher accepted it. */
const taken: boolean[] = [];
const launched = {
  ...direct,
  launcher: {
    launch(request: Parameters<ProcessLauncher['launch']>[0]) {
      const answer = launcher.launch(request);
      taken.push(answer !== undefined);
      return answer;
    },
  },
};

/** Retries until the launcher accepts a request. */
async function warm(): Promise<void> {
  for (taken.push(false); !taken.at(-1); await sleep(5)) {
    await runProcess({ ambient: launched, argv: ['/bin/true'], cwd: '/', environment: {} });
  }
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(`${tmpdir()}/fucina-`));
  launcher = createProcessLauncher({ ambient: direct, environment: process.env });
  await warm();
});
afterAll(async () => {
  await launcher[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

type Extra = Partial<ProcessOptions>;
const run = async (ambient: typeof direct, argv: ProcessOptions['argv'], extra: Extra): Promise<ProcessOutcome> =>
  runProcess({ ambient, argv, cwd: folder, environment: process.env, ...extra });
const facts = ({ exitCode, signal, ending, problem, report, stdout, stderr }: ProcessOutcome): unknown => ({
  exitCode,
  signal,
  ending,
  problem,
  texts: [stdout, stderr, { bytes: report }].map(({ bytes }) => bytes?.toString()),
});
/** Compares both ways to start, and checks that the launcher really was used. */
async function both(argv: ProcessOptions['argv'], extra: Extra = {}): Promise<unknown> {
  const plain = facts(await run(direct, argv, extra));
  // New connections are created in the background.
  do {
    await sleep(5);
    expect(facts(await run(launched, argv, extra))).toEqual(plain);
  } while (!taken.at(-1));
  return plain;
}
const sh = (line: string): ProcessOptions['argv'] => ['/bin/bash', '-c', line];

describe('a program started by the launcher behaves as one started directly', () => {
  test('in its output, exit code and signal', async () => {
    const ended = { exitCode: 3, signal: null, ending: 'exit', texts: ['out\n', 'err\n', undefined] };
    expect(await both(sh('echo out; echo err >&2; exit 3'))).toMatchObject(ended);
    expect(await both(sh('kill -9 $$'))).toMatchObject({ exitCode: null, signal: 'SIGKILL', ending: 'exit' });
    expect(await both(sh('exit 137'))).toMatchObject({ exitCode: 137, signal: null });
    expect(await both(['/usr/bin/printf', '%s|', '$HOME', 'a b', ';', ''])).toMatchObject({ exitCode: 0 });
  });

  test('when it cannot start', async () => {
    const problems = [
      await both(['/no/such/program']),
      await both(['/bin/true'], { cwd: `${folder}/gone` }),
      await both([folder]),
      await both(['/bin/echo', 'a\0b']),
      await both(['/bin/echo', 'x'.repeat(4_000_000)]),
    ];
    const names = ['ENOENT', 'ENOENT', 'EACCES', 'ERR_INVALID_ARG_VALUE', 'E2BIG'];
    expect(problems).toMatchObject(names.map((problem) => ({ ending: 'not-started', problem })));
  });

  test('in its input, its report and its files', async () => {
    const file = `${folder}/settings`;
    await writeFile(file, 'from the file');
    const input = 'x'.repeat(300_000);
    expect(await both(['/bin/cat'], { input })).toMatchObject({ texts: [input, '', undefined] });
    expect(await both(['/bin/true'], { input })).toMatchObject({ exitCode: 0 });
    expect(await both(sh('echo word >&3'), { takesReport: true })).toMatchObject({ texts: ['', '', 'word\n'] });
    expect(await both(sh('cat <&4'), { files: [file] })).toMatchObject({ texts: ['from the file', '', undefined] });
    expect(await both(sh('cat <&4 >&3'), { files: [file], takesReport: true })).toMatchObject({ exitCode: 0 });
    expect(await both(['/bin/true'], { files: [`${folder}/gone`] })).toMatchObject({ problem: 'ENOENT' });
  });

  test('at its gate, where it waits for its answer, with and without input and report', async () => {
    const gated = (script: string): ProcessOptions['argv'] => ['/bin/sh', '-c', GATE_SCRIPT, 'sh', ...sh(script)];
    /** Long enough that the program already waits. */
    const admit = (): boolean => {
      for (const until = performance.now() + 30; performance.now() < until; );
      return true;
    };
    const reads = 'cat; readlink /proc/self/fd/0 | tr -d 0-9';
    const empty = { ending: 'exit', exitCode: 0, texts: ['/dev/null\n', '', undefined] };
    expect(await both(gated(reads), { admit })).toMatchObject(empty);
    expect(await both(gated('cat'), { admit, input: 'line\nrest' })).toMatchObject({
      texts: ['line\nrest', '', undefined],
    });
    expect(await both(gated('echo word >&3'), { admit, takesReport: true })).toMatchObject({
      texts: ['', '', 'word\n'],
    });
    const refused = { ending: 'not-started', problem: 'ESTALE', texts: ['', '', undefined] };
    expect(await both(gated('echo ran'), { admit: () => false })).toMatchObject(refused);
  });

  test('in its descriptors, folder, environment, group, session and limits', async () => {
    // What the tests' own shell left open is closed in one way, and the empty device in the other.
    const looks = `for fd in /proc/self/fd/*; do [ "\${#fd}" -gt 15 ] && continue; printf '%s ' "\${fd##*/}" "$(readlink $fd | tr -d 0-9)"; done;
      pwd; umask; ulimit -a; cat /proc/self/status | grep -E 'Sig(Blk|Ign|Cgt)|NoNewPrivs|Cap';
      ps -o pgid=,sess=,tty= -p $$ | sed "s/$$/own/g"; env -u SVC_RUN | sort; echo "\${#SVC_RUN}"`;
    expect(await both(sh(looks), { extraEnvironment: { OWN: '1' } })).toMatchObject({ exitCode: 0 });
    const handle = await open(folder);
    expect(await both(['/bin/pwd', '-P'], { cwd: `/proc/self/fd/${handle.fd}` })).toMatchObject({
      texts: [`${folder}\n`, '', undefined],
    });
    await handle.close();
  });

  test('at its limits', async () => {
    expect(await both(sh('sleep 987'), { timeoutMs: 100 })).toMatchObject({ ending: 'timeout', exitCode: null });
    expect(await both(['/bin/true'], { signal: AbortSignal.abort() })).toMatchObject({ ending: 'stopped' });
    const loud = await run(launched, ['/usr/bin/yes'], { keepBytes: 10_000, isStoppedAtLimit: true });
    expect(loud.ending).toBe('output-limit');
  });
});

/** The process id of an ended process may stay in use until it is reaped. */
async function isLiving(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}

test('stopping a launched program ends all it started', async () => {
  await warm();
  let text = '';
  const line = 'setsid sleep 987 & echo $!; trap "" TERM; wait';
  const started = await launchProcess({
    ambient: launched,
    argv: sh(line),
    cwd: folder,
    environment: process.env,
    onText: (part) => (text += part),
  });
  while (!text.includes('\n')) await sleep(1);
  await started.stop();
  expect((await started.done).ending).toBe('stopped');
  expect([await isLiving(Number(text)), await isLiving(started.pid ?? 0)]).toEqual([false, false]);
});

test('programs run on their own lines at the same time', async () => {
  await warm();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) => run(launched, sh(`sleep 0.0${index}; echo ${index}`), {})),
  );
  expect(outcomes.map(({ stdout }) => stdout.bytes.toString())).toEqual(
    Array.from({ length: 20 }, (_, index) => `${index}\n`),
  );
});

test('a killed launcher takes its programs along, and the next one takes its place', async () => {
  await warm();
  const started = await launchProcess({ ambient: launched, argv: sh('sleep 987'), cwd: folder, environment: {} });
  const [pid = 0] = launcherPids();
  process.kill(pid, 'SIGKILL');
  expect(await started.done).toMatchObject({ ending: 'exit', exitCode: null, signal: 'SIGKILL' });
  expect(await isLiving(started.pid ?? 0)).toBe(false);
  expect((await run(launched, sh('echo on'), {})).stdout.bytes.toString()).toBe('on\n');
  await warm();
  expect(launcherPids()).not.toContain(pid);
});

test('a connection without the word carries nothing', async () => {
  await warm();
  const names = (await readFile('/proc/net/unix', 'utf8')).match(/@fucina-[\w-]{36}/g) ?? [];
  expect(names.length).toBeGreaterThan(0);
  for (const name of new Set(names)) {
    const socket = connect(`\0${name.slice(1)}`);
    const isCut = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.write('guess 1\n');
    await isCut;
  }
  expect(await both(sh('echo fine'))).toMatchObject({ exitCode: 0 });
});

test('the launcher ends with its server, even a killed one', async () => {
  const source = `const { fork } = require('node:child_process');
    const child = fork(process.argv[1], [], { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.send({ kind: 'begin', address: '\\0nobody', word: 'x' }, () => console.log(child.pid));`;
  const entry = new URL('../node_modules/.cache/fucina-modules-beside/process-launcher-main.js', import.meta.url);
  const server = spawn(process.execPath, ['-e', source, entry.pathname], { stdio: ['ignore', 'pipe', 'ignore'] });
  const pid = await new Promise<number>((resolve) => server.stdout.once('data', (text) => resolve(Number(text))));
  expect(await isLiving(pid)).toBe(true);
  server.kill('SIGKILL');
  while (await isLiving(pid)) await sleep(5);
});
