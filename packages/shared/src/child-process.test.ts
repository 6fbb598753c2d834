import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Ambient, systemAmbient } from './ambient.ts';
import { capturedText, captureOutput } from './captured-output.ts';
import { withoutSecrets } from './child-environment.ts';
import { type ProcessOptions, type ProcessOutcome, runProcess, startProcess } from './child-process.ts';

const ambient = systemAmbient('silent');
let cwd: string;
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(`${tmpdir()}/fucina-`));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

type Extra = Partial<ProcessOptions>;
const options = (argv: ProcessOptions['argv'], extra: Extra = {}): ProcessOptions => ({
  ambient,
  argv,
  cwd,
  environment: process.env,
  ...extra,
});
const sh = (line: string, extra?: Extra): ProcessOptions => options(['/bin/bash', '-c', line], extra);
const stdout = (outcome: ProcessOutcome): string => capturedText(outcome.stdout);

/** Running processes whose arguments or environment contain the text. */
async function living(text: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [stat, line] = await Promise.all(
        ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '')),
      );
      return line?.includes(text) && !/\) [ZX] /.test(stat ?? '') ? Number(pid) : 0;
    }),
  );
  return found.filter(Boolean);
}

describe('a child process', () => {
  test('returns its output, exit code and duration', async () => {
    const outcome = await runProcess(sh('echo out; echo err >&2; pwd; exit 3'));
    expect(stdout(outcome)).toBe(`out\n${cwd}\n`);
    expect(capturedText(outcome.stderr)).toBe('err\n');
    expect(outcome).toMatchObject({ exitCode: 3, signal: null, ending: 'exit' });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(0);
  });

  test('gets its arguments unchanged and its whole input', async () => {
    const outcome = await runProcess(options(['/usr/bin/printf', '%s|', '$HOME', 'a b', ';', '']));
    expect(stdout(outcome)).toBe('$HOME|a b|;||');
    const input = 'x'.repeat(300_000);
    expect(stdout(await runProcess(options(['/bin/cat'], { input })))).toBe(input);
    expect((await runProcess(options(['/bin/true'], { input }))).exitCode).toBe(0);
  });

  test('reports whether its whole input was taken', async () => {
    const taken = async (line: string, input?: string) => (await runProcess(sh(line, { input }))).isInputTaken;
    const long = 'x'.repeat(2 * 1024 * 1024);
    expect(await taken('cat > /dev/null', long)).toBe(true);
    expect(await taken('head -c 1000 > /dev/null', long)).toBe(false);
    expect(await taken('true', long)).toBe(false);
    expect(await taken('exec <&-; sleep 0.1', long)).toBe(false);
    expect(await taken('cat > /dev/null', '')).toBe(true);
    expect(await taken('true')).toBeUndefined();
  });

  test('that cannot start reports the cause', async () => {
    const problem = async (start: ProcessOptions): Promise<unknown> => {
      const { ending, problem, exitCode } = await runProcess(start);
      return [ending, problem, exitCode];
    };
    expect(await problem(options(['/no/such/program']))).toEqual(['not-started', 'ENOENT', null]);
    expect(await problem(options(['/bin/true'], { cwd: `${cwd}/gone` }))).toEqual(['not-started', 'ENOENT', null]);
    expect(await problem(options([cwd]))).toEqual(['not-started', 'EACCES', null]);
    expect(await problem(options(['/bin/echo', 'a\0b']))).toEqual(['not-started', 'ERR_INVALID_ARG_VALUE', null]);
    expect(await problem(options(['/bin/echo', 'x'.repeat(4_000_000)]))).toEqual(['not-started', 'E2BIG', null]);
    const signal = AbortSignal.abort();
    expect(await problem(options(['/bin/true'], { signal }))).toEqual(['stopped', undefined, null]);
  });

  test('adds no delay to the start of a program by Node', async () => {
    const took = async (run: () => Promise<unknown>): Promise<number> => {
      const before = performance.now();
      await run();
      return performance.now() - before;
    };
    const times: { ours: number; plain: number }[] = [];
    for (let index = 0; index < 20; index++) {
      const plain = await took(() => once(spawn('/bin/echo', ['hi']), 'close'));
      times.push({ plain, ours: await took(() => runProcess(options(['/bin/echo', 'hi']))) });
    }
    const ours = Math.min(...times.map((each) => each.ours));
    expect(ours).toBeLessThan(Math.min(...times.map((each) => each.plain)) + 50);
  });
});

describe('the child environment', () => {
  test('contains what programs need and no token, key or setting of the server', async () => {
    const harmless = { PATH: process.env.PATH, HOME: '/home/x', LC_ALL: 'C', CARGO_HOME: '/c', UNSET: undefined };
    const ours = { FUCINA_TOKEN: 't'.repeat(32), FUCINA_DATA_DIR: '/d' };
    const keys = {
      OPENAI_API_KEY: 'k',
      AWS_SECRET_ACCESS_KEY: 'k',
      GITHUB_TOKEN: 'k',
      NPM_TOKEN: 'k',
      SSH_AUTH_SOCK: '/s',
    };
    const levers = { BASH_ENV: '/evil', NODE_OPTIONS: '--require /evil', LD_PRELOAD: '/evil' };
    const proxies = { HTTPS_PROXY: 'http://user:word@proxy', HTTP_PROXY: 'http://proxy' };
    const environment = { ...harmless, ...ours, ...keys, ...levers, ...proxies };
    const outcome = await runProcess(options(['/usr/bin/env'], { environment, extraEnvironment: { OWN: '1' } }));
    const names = stdout(outcome)
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names.sort()).toEqual(['CARGO_HOME', 'HOME', 'HTTP_PROXY', 'LC_ALL', 'OWN', 'PATH', 'SVC_RUN']);
    expect(withoutSecrets({ path: 'kept as Windows spells it', Fucina_Token: 'x' })).toEqual({
      path: 'kept as Windows spells it',
    });
  });
});

describe('child output', () => {
  test('arrives live without splitting characters', async () => {
    const pieces: string[] = [];
    const outcome = await runProcess(
      sh(String.raw`printf '\xe2\x82'; sleep 0.1; printf '\xac!'; printf 'E' >&2`, {
        onText: (text, stream) => pieces.push(`${stream}:${text}`),
      }),
    );
    expect(pieces.filter((piece) => piece.startsWith('stdout')).join('')).toContain('€!');
    expect(pieces.join('')).not.toContain('\ufffd');
    expect(pieces).toContain('stderr:E');
    expect(stdout(outcome)).toBe('€!');
  });

  test('keeps its beginning and end in bounded memory and counts the rest', async () => {
    const flood = (timeoutMs: number) => runProcess(options(['/usr/bin/yes', 'flood'], { timeoutMs }));
    // Excludes what the runtime itself allocates the first time.
    await flood(2_000);
    const before = process.memoryUsage().rss;
    let largest = before;
    const watch = setInterval(() => (largest = Math.max(largest, process.memoryUsage().rss)), 20);
    const outcome = await flood(2_000);
    clearInterval(watch);
    expect(outcome.ending).toBe('timeout');
    expect(outcome.stdout.bytes.length).toBe(1024 * 1024);
    expect(outcome.stdout.droppedBytes).toBeGreaterThan(10_000_000);
    expect(stdout(outcome)).toMatch(/^flood\nflood[^]*bytes not kept[^]*flood/);
    expect(largest - before).toBeLessThan(64 * 1024 * 1024);
  });

  test('is delivered chunk by chunk with backpressure', async () => {
    let open = 0;
    let most = 0;
    let bytes = 0;
    const outcome = await runProcess(
      sh('head -c 3000000 /dev/zero; head -c 1000 /dev/zero >&2', {
        async onBytes(chunk, stream) {
          if (stream === 'stderr') return;
          most = Math.max(most, ++open);
          await sleep(1);
          bytes += chunk.length;
          open--;
        },
      }),
    );
    expect([outcome.stdout.droppedBytes > 1_000_000, outcome.exitCode, most <= 4]).toEqual([true, 0, true]);
    expect(bytes).toBeGreaterThan(2_500_000);
  });

  test('has an extra descriptor for a short message', async () => {
    const { report, stdout: out } = await runProcess(sh('echo out; echo word >&3', { takesReport: true }));
    expect([report?.toString(), out.bytes.toString()]).toEqual(['word\n', 'out\n']);
    const flood = await runProcess(sh('head -c 1000000 /dev/zero >&3', { takesReport: true }));
    expect([flood.report?.length, flood.exitCode]).toEqual([65_536, 0]);
    expect((await runProcess(sh('exit 0'))).report).toBeUndefined();
  });

  test('does not block the event loop during a flood', async () => {
    const running = startProcess(options(['/usr/bin/yes']));
    const lags: number[] = [];
    for (let index = 0; index < 50; index++) {
      const before = performance.now();
      await sleep(10);
      lags.push(performance.now() - before - 10);
    }
    await running.stop();
    expect(lags.sort((a, b) => a - b)[45]).toBeLessThan(100);
  });

  test('ends the program past its limit on request', async () => {
    const outcome = await runProcess(options(['/usr/bin/yes'], { keepBytes: 10_000, isStoppedAtLimit: true }));
    expect(outcome.ending).toBe('output-limit');
  });

  test.each([[1], [3], [7], [64], [1000]])('is truncated the same for every chunk size (%i)', (size) => {
    const all = Buffer.from(Array.from({ length: 500 }, (_, index) => index % 251));
    const capture = captureOutput(100);
    for (let at = 0; at < all.length; at += size) capture.push(all.subarray(at, at + size));
    const { bytes, headBytes, droppedBytes } = capture.result();
    expect([headBytes, droppedBytes, capture.totalBytes]).toEqual([25, 400, 500]);
    expect(bytes).toEqual(Buffer.concat([all.subarray(0, 25), all.subarray(425)]));
    const exact = captureOutput(100);
    exact.push(all.subarray(0, 100));
    expect(exact.result()).toEqual({ bytes: all.subarray(0, 100), headBytes: 100, droppedBytes: 0 });
  });
});

describe('stopping a child process', () => {
  /**
   * A process tree with children that share the group, leave it, lose their parent, ignore TERM or clear their
   * environment.
   */
  const tree = (mark: string): string =>
    `
    for i in $(seq 1 10); do /bin/bash -c 'exec -a ${mark} sleep 987' & done
    for i in $(seq 1 5); do setsid /bin/bash -c 'exec -a ${mark} sleep 987' & done
    for i in $(seq 1 5); do (setsid /bin/bash -c 'trap "" TERM; exec -a ${mark} sleep 987' >/dev/null 2>&1 &) done
    for i in $(seq 1 5); do nohup /bin/bash -c 'exec -a ${mark} sleep 987' >/dev/null 2>&1 & done
    for i in $(seq 1 4); do env -i setsid /bin/bash -c 'exec -a ${mark} sleep 987' & done
    /bin/bash -c 'trap "" TERM; echo ready; while :; do exec -a ${mark} sleep 987; done' &
    trap "" TERM; wait`;

  const started = (line: string, extra: Extra = {}): { ready: Promise<void>; run: ReturnType<typeof startProcess> } => {
    let ready = (): void => undefined;
    const isReady = new Promise<void>((resolve) => (ready = resolve));
    const run = startProcess(sh(line, { ...extra, onText: (text) => text.includes('ready') && ready() }));
    return { ready: isReady, run };
  };

  test('stops thirty children of every kind', async () => {
    const mark = `tree-${ambient.newId()}`;
    const { ready, run } = started(tree(mark));
    await ready;
    for (let count = 0; count < 30; ) count = (await living(mark)).length;
    await run.stop();
    expect(await living(mark)).toEqual([]);
    expect((await run.done).ending).toBe('stopped');
  });

  test('by abort or timeout ends the whole tree and reports the first cause', async () => {
    const mark = `tree-${ambient.newId()}`;
    const controller = new AbortController();
    const aborted = started(tree(`${mark}-a`), { signal: controller.signal });
    await aborted.ready;
    controller.abort();
    const late = aborted.run.stop();
    expect((await aborted.run.done).ending).toBe('stopped');
    await late;
    const timed = started(tree(`${mark}-b`), { timeoutMs: 700 });
    expect(await timed.run.done).toMatchObject({ ending: 'timeout', exitCode: null });
    expect(await living(mark)).toEqual([]);
  });

  test('that exited by itself kills its leftover children', async () => {
    const mark = `left-${ambient.newId()}`;
    const exec = `/bin/bash -c 'exec -a ${mark} sleep 987'`;
    // The limit for open output never passes: the output closes because they are killed.
    const timer: Ambient['timer'] = (ms, act) => (ms === 2000 ? () => undefined : ambient.timer(ms, act));
    const line = `${exec} & setsid ${exec} >/dev/null 2>&1 & echo started`;
    const outcome = await runProcess(sh(line, { ambient: { ...ambient, timer } }));
    expect(stdout(outcome)).toBe('started\n');
    expect(outcome).toMatchObject({ ending: 'exit', exitCode: 0 });
    expect(await living(mark)).toEqual([]);
  });

  test('without children still ends its process group', async () => {
    const mark = `left-${ambient.newId()}`;
    const left = `/bin/bash -c 'exec -a ${mark} sleep 987' & echo started`;
    expect(await runProcess(sh(left, { leavesNothing: true }))).toMatchObject({ ending: 'exit', exitCode: 0 });
    while ((await living(mark)).length > 0) await ambient.sleep(1);
  });

  test('lets a program handle TERM', async () => {
    const { ready, run } = started('trap "echo bye; exit 5" TERM; echo ready; while :; do sleep 0.05; done');
    await ready;
    await run.stop();
    expect(await run.done).toMatchObject({ ending: 'stopped', exitCode: 5 });
    expect(stdout(await run.done)).toBe('ready\nbye\n');
  });

  test('signals the program inside a wrapper and not the wrapper', async () => {
    // Ends at once on TERM, together with the program inside, as a sandbox does.
    const container = `(trap "echo bye; exit 5" TERM; echo ready; while :; do sleep 0.05; done) & wait; exit $?`;
    const { ready, run } = started(container, { isContainer: true });
    await ready;
    await run.stop();
    expect(stdout(await run.done)).toBe('ready\nbye\n');
  });

  test('is a no-op after it ended', async () => {
    const run = startProcess(sh('exit 4'));
    await run.done;
    await run.stop();
    expect(await run.done).toMatchObject({ ending: 'exit', exitCode: 4 });
  });
});
