import { type ChildProcess, spawn } from 'node:child_process';
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type NetworkMode, NO_RULES, type RulesInForce } from '@fucina/sandbox';
import { systemAmbient, type WriteReach } from '@fucina/shared';
import { bundleProgram, gitIn, OUTSIDE_TEMPORARY } from '@fucina/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createWorkspaceTools } from '../src/workspace-tools.ts';
import { contextOf } from './run-tool.ts';

const fixture = await realpath(await mkdtemp(join(OUTSIDE_TEMPORARY, '.fucina-waiting-')));
const home = join(fixture, 'home');
await mkdir(home);

/** Delayed callbacks, by their delay: the test runs those of the idle time. */
const idle: (() => void)[] = [];
const IDLE_MS = 30_000;
const system = systemAmbient('silent');
const ambient: typeof system = {
  ...system,
  timer: (ms, act) => (ms === IDLE_MS ? (idle.push(act), () => undefined) : system.timer(ms, act)),
};
let inForce: RulesInForce = NO_RULES;
let mode: NetworkMode = 'listed';
/** Of commands that name no other. */
let reach: WriteReach = 'folder';
const workspaceTools = createWorkspaceTools({
  ambient,
  environment: { ...process.env, HOME: home },
  dataDir: join(fixture, 'data'),
  rules: { inForce: () => inForce, mode: () => mode, forget: () => Promise.resolve() },
});
const state = await workspaceTools.commands.sandboxState();
const held = (title: string, act: () => Promise<void>): void =>
  test(title, async () => {
    if (state.isWorking) return act();
    process.stderr.write(`not held on this machine: ${state.detail}\n`);
  });

let folder: string;
let sessionId: string;
let calls = 0;
beforeEach(async () => {
  sessionId = `s${++calls}`;
  folder = join(fixture, `project ${calls}`);
  await mkdir(folder);
  [inForce, mode, reach] = [NO_RULES, 'listed', 'folder'];
});
afterEach(() => workspaceTools.commands.forget(sessionId));
afterAll(async () => {
  await workspaceTools.commands[Symbol.asyncDispose]();
  await rm(fixture, { recursive: true, force: true });
});

interface Extra {
  writes?: WriteReach;
  signal?: AbortSignal;
  progress?: () => void;
}
async function sh(comando: string, extra: Extra = {}): Promise<{ out: string; code: number | null | undefined }> {
  const tool = workspaceTools.tools.find(({ name }) => name === 'shell');
  const context = { sessionId, toolCallId: `c${++calls}`, writes: reach, ...extra };
  const result = await tool?.run({ comando }, contextOf(folder, context));
  return { out: `${result?.command?.stdout}${result?.command?.stderr}`.trim(), code: result?.command?.exitCode };
}

/** Its command line. */
const WAITING = /^\/bin\/(ba)?sh(\0--\w+)*\0-c\0printf \./;

/** Processes that wait in a folder. */
async function waitersIn(at: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return WAITING.test(text) && (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === at;
    }),
  );
  return pids.filter((_pid, index) => found[index]).map(Number);
}
async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(10);
  }
}
/** Its start time, in ticks. */
const beginOf = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ')[21] ?? '';
/** Runs a command, and returns when the shell that then waits was started. */
async function waiting(command = 'true'): Promise<string> {
  await sh(command);
  const begin = await until(async () => {
    const [pid] = await waitersIn(folder);
    return pid === undefined ? undefined : beginOf(pid);
  });
  return begin;
}
const useAnotherTool = async (): Promise<void> => {
  const tool = workspaceTools.tools.find(({ name }) => name === 'elenca');
  await tool?.run({}, contextOf(folder, { sessionId, writes: reach }));
};
const OWN_BEGIN = "cut -d' ' -f22 /proc/$$/stat";
const gone = (): Promise<true> => until(async () => ((await waitersIn(folder)).length === 0 ? true : undefined));

const LEVELS: [level: string, writes: WriteReach][] = [
  ['sandboxed', 'folder'],
  ['at Full access', 'anything'],
];

describe.each(LEVELS)('a shell that waits, %s,', (_level, writes) => {
  beforeEach(() => void (reach = writes));

  held('runs the next command, and one only', async () => {
    const first = await waiting();
    expect((await sh(OWN_BEGIN)).out).toBe(first);
    const second = await waiting();
    expect(second).not.toBe(first);
    expect((await sh(`${OWN_BEGIN}; sleep 0.2`)).out).toBe(second);
  });

  held('is started while a command runs, from the second one on', async () => {
    const first = await waiting();
    const running = sh('until [ -e go ]; do sleep 0.02; done');
    const begin = await until(async () => {
      const begins = await Promise.all((await waitersIn(folder)).map(beginOf));
      return begins.find((one) => one !== first);
    });
    await writeFile(join(folder, 'go'), '');
    await running;
    expect((await sh(OWN_BEGIN)).out).toBe(begin);
  });

  held('is started for no session that ran no command', async () => {
    await useAnotherTool();
    await sleep(200);
    expect(await waitersIn(folder)).toEqual([]);
  });

  held('is started again by the next use of another tool, after it ended for want of a command', async () => {
    await waiting();
    for (const act of idle.splice(0)) act();
    await gone();
    await useAnotherTool();
    const [pid = 0] = await until(async () => {
      const found = await waitersIn(folder);
      return found.length > 0 ? found : undefined;
    });
    const begin = await beginOf(pid);
    expect((await sh(OWN_BEGIN)).out).toBe(begin);
  });

  held('ends with its session', async () => {
    await waiting();
    await workspaceTools.commands.forget(sessionId);
    expect(await waitersIn(folder)).toEqual([]);
  });

  held('is not shown among what runs', async () => {
    await waiting();
    const tool = workspaceTools.tools.find(({ name }) => name === 'processi');
    const listed = await tool?.run({ azione: 'elenco' }, contextOf(folder, { sessionId }));
    expect(listed?.content).toBe('Nothing runs in the background.');
  });

  held('takes less than 2 MiB', async () => {
    await waiting();
    const [pid = 0] = await waitersIn(folder);
    let total = 0;
    for (let at = pid; ; ) {
      const name = (await readFile(`/proc/${at}/comm`, 'utf8')).trim();
      if (at !== pid && name !== 'bwrap') break;
      total += Number(/^Pss:\s+(\d+) kB/m.exec(await readFile(`/proc/${at}/smaps_rollup`, 'utf8'))?.[1]);
      at = Number(/^PPid:\s+(\d+)/m.exec(await readFile(`/proc/${at}/status`, 'utf8'))?.[1]);
    }
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThan(2048);
  });
});

describe.each(LEVELS)('a command in a shell that waited, %s, is as one in a new shell', (level, writes) => {
  beforeEach(() => void (reach = writes));
  const isSandboxed = level === 'sandboxed';

  /** Runs the same command twice: in a new shell, and in one that waited. */
  async function both(command: string): Promise<[unknown, unknown]> {
    const direct = await sh(command);
    const begin = await waiting();
    const waited = await sh(`${OWN_BEGIN}; ${command}`);
    expect(waited.out.split('\n')[0]).toBe(begin);
    return [direct, { ...waited, out: waited.out.slice(begin.length).trim() }];
  }
  const equal = async (command: string): Promise<void> => {
    const [direct, waited] = await both(command);
    expect(waited).toEqual(direct);
  };

  held('in its environment, folder, input, limits, rights and descriptors', async () => {
    await equal('env | grep -v ^SVC_RUN= | sort; pwd; cat; umask; ulimit -a; id');
    const ofProcess = `Sig(Blk|Ign|Cgt)|NoNewPrivs|Seccomp|Cap${isSandboxed ? '|NSsid' : ''}`;
    await equal(`grep -E '${ofProcess}' /proc/self/status; cat /proc/self/cgroup`);
    await equal('for fd in /proc/self/fd/*; do echo "${fd##*/} $(readlink $fd | tr -d 0-9)"; done');
    if (isSandboxed) await equal('set -- /proc/[0-9]*; echo $#');
  });

  held('in its exit code, signal, arguments and text of every kind', async () => {
    await equal('echo "$0 $#"; exit 7');
    await equal('kill -9 $$');
    await equal('trap "echo at the end" EXIT; set -eu; false; echo "not reached"');
    await equal('echo "$LINENO"; nosuch-program\nset -u; echo "$LINENO $nothing"');
    await equal('exec sh -c "exit 4"');
    await waiting();
    expect(await sh('-x')).toEqual({ out: '/bin/bash: line 1: -x: command not found', code: 127 });
    await equal("printf '%s|' 'a\\b' '  two  ' \"è È 日本 \t\" \\\n 'end\n\n'");
    await waiting();
    expect(await sh(`: '${'long '.repeat(2000)}'; echo end`)).toEqual({ out: 'end', code: 0 });
  });

  held('in its stop and in what it leaves', async () => {
    await waiting();
    const controller = new AbortController();
    const { code } = await sh("trap 'echo bye > said; exit' TERM; echo ready; while :; do sleep 0.05; done", {
      signal: controller.signal,
      progress: () => controller.abort(),
    });
    expect([code, await readFile(join(folder, 'said'), 'utf8')]).toEqual([0, 'bye\n']);
    const mark = `left-${process.pid}-${calls}`;
    await waiting();
    await sh(`setsid bash -c 'exec -a ${mark} sleep 987' >/dev/null 2>&1 & echo done`);
    expect((await sh(`pgrep -f '^${mark}'`, { writes: 'anything' })).code).toBe(1);
  });
});

describe('a shell that waits is not used', () => {
  /** The next command has other requirements and gets a new shell. */
  async function expectAnother(begin: string, command: string): Promise<string> {
    const { out } = await sh(`${OWN_BEGIN}; ${command}`);
    expect(out.startsWith(begin)).toBe(false);
    await until(async () => ((await waitersIn(folder)).length <= 1 ? true : undefined));
    return out;
  }

  held('once a control file was replaced', async () => {
    await writeFile(join(folder, '.envrc'), 'original\n');
    const begin = await waiting();
    await writeFile(join(folder, 'new'), 'replaced\n');
    await rename(join(folder, 'new'), join(folder, '.envrc'));
    expect(await expectAnother(begin, 'echo x >> .envrc')).toContain('Read-only file system');
    expect(await readFile(join(folder, '.envrc'), 'utf8')).toBe('replaced\n');
  });

  held('once a control file has its name by another link', async () => {
    await writeFile(join(folder, '.envrc'), 'original\n');
    await link(join(folder, '.envrc'), join(folder, 'other'));
    const begin = await waiting();
    await rename(join(folder, '.envrc'), join(folder, 'moved'));
    await rename(join(folder, 'other'), join(folder, '.envrc'));
    expect(await expectAnother(begin, 'echo x >> .envrc')).toContain('Read-only file system');
  });

  held('once there is a control file that there was not', async () => {
    const begin = await waiting();
    await writeFile(join(folder, '.envrc'), 'original\n');
    expect(await expectAnother(begin, 'echo x >> .envrc')).toContain('Read-only file system');
  });

  held('once a folder with control files was moved away and made anew', async () => {
    const [lib, away] = [join(folder, 'lib'), join(folder, 'away')];
    await mkdir(join(lib, '.vscode'), { recursive: true });
    await writeFile(join(lib, '.vscode/tasks.json'), 'original\n');
    const begin = await waiting();
    // As a running command could do.
    await sh(`mv lib away; mkdir -p lib/.vscode; echo x > lib/.vscode/tasks.json`, { writes: 'anything' });
    expect(await expectAnother(begin, 'echo x >> lib/.vscode/tasks.json; echo x >> away/.vscode/tasks.json')).toMatch(
      /Read-only.*Read-only/s,
    );
    expect(await readFile(join(away, '.vscode/tasks.json'), 'utf8')).toBe('original\n');
  });

  held('once a rule says otherwise', async () => {
    await writeFile(join(folder, '.envrc'), 'original\n');
    const begin = await waiting();
    inForce = { ...NO_RULES, writes: ['.envrc'] };
    await expectAnother(begin, 'echo x >> .envrc');
    expect(await readFile(join(folder, '.envrc'), 'utf8')).toBe('original\nx\n');
    const opened = await waiting();
    inForce = NO_RULES;
    expect(await expectAnother(opened, 'echo x >> .envrc')).toContain('Read-only file system');
  });

  held('once the session may not write any more', async () => {
    const begin = await waiting();
    const { out } = await sh(`${OWN_BEGIN}; echo x > file`, { writes: 'nothing' });
    expect(out).not.toContain(begin);
    expect(out).toContain('Read-only file system');
  });

  for (const [level, writes] of LEVELS) {
    held(`once the folder was renamed and made anew, ${level}`, async () => {
      reach = writes;
      const begin = await waiting();
      await rename(folder, `${folder} before`);
      await mkdir(folder);
      await expectAnother(begin, 'echo x > file');
      expect([await readdir(folder), await readdir(`${folder} before`)]).toEqual([['file'], []]);
    });
  }

  held('at another level', async () => {
    const begin = await waiting();
    expect((await sh(OWN_BEGIN, { writes: 'anything' })).out).not.toBe(begin);
    reach = 'anything';
    const free = await waiting();
    expect((await sh(OWN_BEGIN, { writes: 'folder' })).out).not.toBe(free);
  });

  held('once a repository was made in the folder', async () => {
    const begin = await waiting();
    await gitIn(folder)('init', '-q');
    expect(await expectAnother(begin, 'git config core.fsmonitor ./evil')).toMatch(/Read-only|busy/);
  });
});

held('what the network of a waiting shell reaches is decided when its command asks', async () => {
  const begin = await waiting();
  mode = 'off';
  const ask = `exec 3<>"/dev/tcp/127.0.0.1/\${HTTPS_PROXY##*:}"; printf 'CONNECT github.com:443 HTTP/1.1\\r\\n\\r\\n' >&3; cat <&3`;
  const { out } = await sh(`${OWN_BEGIN}; ${ask.replace('##*:}', '##*:}')}`);
  expect(out.startsWith(begin)).toBe(true);
  expect(out).toContain('the network of commands is off');
});

held('a waiting shell leaves nothing behind when its server is killed', async () => {
  const script = join(fixture, 'server.mjs');
  const text = `
        import { systemAmbient } from '@fucina/shared';
        import { createWorkspaceTools } from './src/workspace-tools.ts';
        const [folder, dataDir] = process.argv.slice(2);
        const workspaceTools = createWorkspaceTools({ ambient: systemAmbient('silent'), environment: process.env, dataDir });
        const context = { sessionId: 's', toolCallId: 'c', folder, writes: 'folder', background: null, progress() {}, signal: new AbortController().signal };
        await workspaceTools.tools.find(({ name }) => name === 'shell').run({ comando: 'true' }, context);
        setInterval(() => undefined, 1000);`;
  await bundleProgram({ text, folder: join(import.meta.dirname, '..') }, script);
  const server: ChildProcess = spawn(process.execPath, [script, folder, join(fixture, 'data-killed')], {
    stdio: 'ignore',
  });
  const [pid = 0] = await until(async () => {
    const found = await waitersIn(folder);
    return found.length > 0 ? found : undefined;
  });
  server.kill('SIGKILL');
  await until(async () => ((await stat(`/proc/${pid}`).catch(() => undefined)) ? undefined : true));
  expect(await waitersIn(folder)).toEqual([]);
});
