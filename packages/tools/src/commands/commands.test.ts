import { mkdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { BackgroundCause, BackgroundSlot } from '@fucina/shared';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { contextOf, heldLimits, workspaceToolsOn } from '../../test/run-tool.ts';
import type { WorkspaceTools } from '../workspace-tools.ts';
import type { OutputSlice, OutputWindow } from './output-slice.ts';

let data: TempDir;
let project: TempDir;
let workspaceTools: WorkspaceTools;
/** After it a command counts as one that runs on. */
const firstLook = heldLimits(1_000);
beforeAll(async () => {
  [data, project] = [await tempDir(), await tempDir()];
  workspaceTools = workspaceToolsOn(data.path, firstLook.ambient);
});
afterAll(async () => {
  await workspaceTools.commands[Symbol.asyncDispose]();
  await data[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

type Context = ReturnType<typeof contextOf>;
const call = (name: string, input: object, context: Context) => {
  const tool = workspaceTools.tools.find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool.run(tool.input.parse(input), context);
};

interface Slot extends BackgroundSlot {
  causes: BackgroundCause[];
  ask(): void;
  ended: Promise<number | null>;
  stop(): void;
}
function slot(): Slot {
  const asked = new AbortController();
  let settle = (_code: number | null): void => undefined;
  const own: Slot = {
    asked: asked.signal,
    causes: [],
    ask: () => asked.abort(),
    ended: new Promise((resolve) => (settle = resolve)),
    stop: () => undefined,
    letGo({ cause, ended, stop }) {
      own.causes.push(cause);
      own.stop = stop;
      void ended.then(settle);
    },
  };
  return own;
}

let calls = 0;
const context = (extra: Partial<Context> = {}): Context =>
  contextOf(project.path, { sessionId: 's1', toolCallId: `call_${++calls}`, writes: 'anything', ...extra });
const slice = (id: string, window: Partial<OutputWindow> = {}, session = 's1'): Promise<OutputSlice | undefined> =>
  workspaceTools.commands.output(session, id, { stream: 'stdout', cutAt: 'characters', ...window });
const textOf = async (id: string, window: Partial<OutputWindow> = {}): Promise<string | undefined> =>
  (await slice(id, window))?.content.toString();

describe('stored command output', () => {
  test('is complete, private, and read in windows', async () => {
    const at = context();
    const { content } = await call('shell', { comando: 'seq 1 20000; echo wrong >&2' }, at);
    expect(content.length).toBeLessThanOrEqual(16_000);
    expect(content).toContain(`tool for background commands: id ${at.toolCallId}]`);
    const whole = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(await textOf(at.toolCallId, { limit: 1_000_000 })).toBe(whole);
    expect(await slice(at.toolCallId, { offset: 2, limit: 4 })).toEqual({
      content: Buffer.from('2\n3\n'),
      offset: 2,
      nextOffset: 6,
      availableBytes: whole.length,
      state: 'complete',
    });
    expect(await textOf(at.toolCallId, { stream: 'stderr' })).toBe('wrong\n');
    expect(await slice(at.toolCallId, { offset: 1e9 })).toMatchObject({ offset: whole.length, nextOffset: null });
    const file = join(data.path, 'outputs/s1', `${at.toolCallId}.stdout`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const all = await workspaceTools.commands.wholeOutput('s1', { outputId: at.toolCallId, stream: 'stdout' });
    expect([all?.sizeBytes, all && (await buffer(all.content)).toString()]).toEqual([whole.length, whole]);
  });

  test('is split between characters and always advances', async () => {
    const at = context();
    const text = 'aè€😀b'.repeat(50);
    await call('shell', { comando: `printf '%s' '${text}'` }, at);
    for (const limit of [1, 2, 3, 4, 5, 7, 100]) {
      let seen = '';
      for (let offset: number | null = 0; offset !== null; ) {
        const part: OutputSlice | undefined = await slice(at.toolCallId, { offset, limit });
        seen += part?.content.toString();
        offset = part?.nextOffset ?? null;
      }
      expect([limit, seen]).toEqual([limit, text]);
    }
    expect((await slice(at.toolCallId, { offset: 2, limit: 3 }))?.offset).toBe(3);
    expect((await slice(at.toolCallId, { offset: 2, limit: 2, cutAt: 'bytes' }))?.content).toEqual(
      Buffer.from([0xa8, 0xe2]),
    );
  });

  test('keeps the first 8 MiB and the end of a flood, reports the truncation and uses little memory', async () => {
    const at = context();
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 10);
    await call('shell', { comando: 'yes flood | head -c 300000000; echo END' }, at);
    clearInterval(watch);
    expect(await slice(at.toolCallId, { limit: 5 })).toMatchObject({
      availableBytes: 8 * 1024 * 1024,
      state: 'truncated',
    });
    const read = await call('processi', { azione: 'leggi', id: at.toolCallId }, context());
    // 300,000,004 bytes, without 8 MiB at the beginning and 256 KiB at the end.
    expect(read.content).toMatch(/^\[stdout, over; 291349252 bytes in its middle were not kept\]\n {4}1\tflood/);
    expect(read.content).toMatch(/flood\n *\d+\tEND$/);
    expect(most - before).toBeLessThan(64 * 1024 * 1024);
  });

  test('accepts zeros, escape sequences, one endless line, and nothing', async () => {
    const at = context();
    await call('shell', { comando: String.raw`printf 'a\0b\e[31mred\xff'` }, at);
    expect((await slice(at.toolCallId))?.content).toEqual(Buffer.from('a\0b\x1b[31mred\xff', 'latin1'));
    expect((await call('processi', { azione: 'leggi', id: at.toolCallId }, context())).content).toContain(
      'abred\ufffd',
    );
    const long = context();
    const { content } = await call('shell', { comando: 'head -c 3000000 /dev/zero | tr "\\0" x' }, long);
    expect(content.length).toBeLessThanOrEqual(16_000);
    expect((await call('processi', { azione: 'leggi', id: long.toolCallId }, context())).content.length).toBeLessThan(
      4000,
    );
    const none = context();
    await call('shell', { comando: 'true' }, none);
    expect(await slice(none.toolCallId)).toMatchObject({
      offset: 0,
      nextOffset: null,
      availableBytes: 0,
      state: 'complete',
    });
    expect((await call('processi', { azione: 'leggi', id: none.toolCallId }, context())).content).toContain(
      '(no output)',
    );
  });

  test('is found only under its own session and id', async () => {
    expect(await slice('none')).toBeUndefined();
    const odd = context({ toolCallId: '../../../etc/x\n', sessionId: '../s' });
    await call('shell', { comando: 'echo odd' }, odd);
    expect((await slice('../../../etc/x\n', {}, '../s'))?.content.toString()).toBe('odd\n');
    for (const id of ['../s1/call_1', 'call_1.stdout', '..', '', 'call_1/../call_1'])
      expect(await slice(id)).toBeUndefined();
    await writeFile(join(data.path, 'secret'), 'x');
    await symlink(join(data.path, 'secret'), join(data.path, 'outputs/s1/link.stdout'));
    const link = context({ toolCallId: 'link' });
    await call('shell', { comando: 'echo not followed' }, link);
    expect(await readFile(join(data.path, 'secret'), 'utf8')).toBe('x');
  });

  test('of a dead program counts as truncated', async () => {
    await mkdir(join(data.path, 'outputs/s2'), { recursive: true });
    await writeFile(join(data.path, 'outputs/s2/gone.stdout'), 'half');
    expect(await slice('gone', {}, 's2')).toMatchObject({ state: 'truncated', nextOffset: null });
  });

  test('is deleted with its session, and when old or without a session', async () => {
    const outputs = join(data.path, 'outputs');
    for (const name of ['known', 'unknown', 'old']) {
      await mkdir(join(outputs, name), { recursive: true });
      await mkdir(join(data.path, 'tmp', name), { recursive: true });
      await writeFile(join(outputs, name, 'a.stdout'), 'x');
    }
    const monthsAgo = new Date('2020-01-01');
    await utimes(join(outputs, 'old/a.stdout'), monthsAgo, monthsAgo);
    await utimes(join(outputs, 'old'), monthsAgo, monthsAgo);
    await workspaceTools.commands.sweep((id) => id !== 'unknown');
    expect(await slice('a', {}, 'known')).toBeDefined();
    expect([await slice('a', {}, 'unknown'), await slice('a', {}, 'old')]).toEqual([undefined, undefined]);
    await workspaceTools.commands.forget('known');
    expect(await slice('a', {}, 'known')).toBeUndefined();
  });

  test('is skipped on a full disk while the command still runs', async () => {
    await using full = await tempDir();
    await full.write({ outputs: 'a file where the folder should be' });
    const bare = workspaceToolsOn(full.path);
    const tool = bare.tools.find(({ name }) => name === 'shell');
    expect((await tool?.run({ comando: 'echo out' }, context()))?.command?.stdout).toBe('out\n');
  });
});

test('a command finds the trace context of its call in its environment, also in a prepared sandbox', async () => {
  const comando = 'echo "[$TRACEPARENT]"';
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  for (const writes of ['anything', 'folder', 'folder', 'folder'] as const) {
    const traced = await call('shell', { comando }, context({ writes, traceparent, sessionId: 'traced' }));
    expect(traced.command).toMatchObject({ command: comando, stdout: `[${traceparent}]\n` });
  }
  const untraced = await call('shell', { comando }, context({ writes: 'folder', sessionId: 'traced' }));
  expect(untraced.command?.stdout).toBe('[]\n');
});

describe('background commands', () => {
  test('start when the model asks and can be watched and ended', async () => {
    firstLook.hold();
    const background = slot();
    const at = context({ background, progress: () => firstLook.pass() });
    const comando = 'trap "echo bye; exit 3" TERM; echo serving; while :; do sleep 0.02; done';
    const { content, command, isError } = await call('shell', { comando, sfondo: true }, at);
    expect(content).toMatch(/^It runs in the background\..*\nserving$/s);
    expect([command?.exitCode, isError, background.causes]).toEqual([null, undefined, ['model']]);
    expect(await slice(at.toolCallId)).toMatchObject({ state: 'running', nextOffset: 8 });
    const process_ = (input: object) => call('processi', input, context());
    expect((await process_({ azione: 'elenco' })).content).toMatch(
      new RegExp(`^${at.toolCallId}  running for \\d+ s  trap "echo bye; exit 3" TERM; echo serving`),
    );
    expect((await process_({ azione: 'leggi', id: at.toolCallId })).content).toBe(
      '[stdout, still running]\n    1\tserving',
    );
    expect((await process_({ azione: 'ferma', id: at.toolCallId })).content).toBe(`Ended ${at.toolCallId}.`);
    expect(await background.ended).toBe(3);
    expect(await textOf(at.toolCallId)).toBe('serving\nbye\n');
    expect((await process_({ azione: 'elenco' })).content).toContain('ended, exit code 3');
    expect((await process_({ azione: 'ferma', id: at.toolCallId })).content).toContain('over already');
  });

  test('are not used for a command that ends at once', async () => {
    firstLook.hold();
    const background = slot();
    const { content, isError } = await call(
      'shell',
      { comando: 'echo no; exit 4', sfondo: true },
      context({ background }),
    );
    firstLook.pass();
    expect([content, isError, background.causes]).toEqual([expect.stringMatching(/^Exit code 4 .*\nno$/), true, []]);
    const refused = await call('shell', { comando: 'true', sfondo: true }, context());
    expect(refused).toMatchObject({
      isError: true,
      content: expect.stringContaining('cannot run commands in the background'),
    });
  });

  test('take over a running command on the user’s request and continue after the turn', async () => {
    const background = slot();
    const turn = new AbortController();
    const at = context({ background, signal: turn.signal, progress: () => background.ask() });
    const { content } = await call('shell', { comando: 'echo begun; while :; do sleep 0.02; done' }, at);
    expect(content).toMatch(/^The user moved it to the background.*\nbegun$/s);
    turn.abort();
    expect((await slice(at.toolCallId))?.state).toBe('running');
    background.stop();
    expect(await background.ended).toBeNull();
    expect((await slice(at.toolCallId))?.state).toBe('complete');
  });

  test('take over a shell command at its timeout, never a test', async () => {
    const background = slot();
    const at = context({ background, testCommand: 'true' });
    const { content, isError } = await call('shell', { comando: 'echo begun; sleep 654', secondi: 1 }, at);
    expect([background.causes, isError]).toEqual([['timeout'], undefined]);
    expect(content).toMatch(/^It did not end within 1 s and runs on in the background\./);
    await call('processi', { azione: 'ferma', id: at.toolCallId }, context());
    const left = await call('shell', { comando: 'pgrep -f "^sleep 654"' }, context());
    expect(left.command?.exitCode).toBe(1);
  });

  test('are limited to eight per session', async () => {
    const slots = Array.from({ length: 8 }, slot);
    const at = slots.map((background) => context({ background, sessionId: 'busy' }));
    await Promise.all(at.map((one) => call('shell', { comando: 'sleep 643', sfondo: true }, one)));
    const background = slot();
    const ninth = await call(
      'shell',
      { comando: 'sleep 643', sfondo: true },
      context({ background, sessionId: 'busy' }),
    );
    expect(ninth).toMatchObject({ isError: true, content: expect.stringContaining('8 commands run') });
    const timed = await call('shell', { comando: 'sleep 643', secondi: 1 }, context({ background, sessionId: 'busy' }));
    expect([timed.content, background.causes]).toEqual([expect.stringMatching(/^Stopped: it did not end/), []]);
    await workspaceTools.commands.forget('busy');
    expect(await Promise.all(slots.map(({ ended }) => ended))).toEqual(Array(8).fill(null));
    expect((await call('processi', { azione: 'elenco' }, context({ sessionId: 'busy' }))).content).toContain(
      'Nothing runs',
    );
  });

  test('are invisible to other sessions', async () => {
    const background = slot();
    const at = context({ background });
    await call('shell', { comando: 'sleep 632', sfondo: true }, at);
    const other = context({ sessionId: 'other' });
    expect((await call('processi', { azione: 'elenco' }, other)).content).toContain('Nothing runs');
    for (const azione of ['ferma', 'leggi']) {
      expect((await call('processi', { azione, id: at.toolCallId }, other)).isError).toBe(true);
      expect((await call('processi', { azione }, other)).isError).toBe(true);
    }
    background.stop();
    await background.ended;
  });

  test('end with the server', async () => {
    await using own = await tempDir();
    const other = workspaceToolsOn(own.path);
    const background = slot();
    await other.tools
      .find(({ name }) => name === 'shell')
      ?.run({ comando: 'setsid -f sleep 621; while :; do sleep 0.02; done', sfondo: true }, context({ background }));
    await other.commands[Symbol.asyncDispose]();
    expect(await background.ended).toBeNull();
    expect((await call('shell', { comando: 'pgrep -f "^sleep 621"' }, context())).command?.exitCode).toBe(1);
  });
});

describe('a user’s shell command', () => {
  let count = 0;
  const own = async (
    command: string,
    extra: { cwd?: string; signal?: AbortSignal; writes?: 'folder' | 'anything' } = {},
  ) => {
    const pieces: string[] = [];
    const outcome = await workspaceTools.commands.runOwn({
      sessionId: 's1',
      commandId: `own-${++count}`,
      command,
      folder: project.path,
      cwd: project.path,
      writes: 'anything',
      signal: new AbortController().signal,
      onText: (text) => pieces.push(text),
      ...extra,
    });
    return { ...outcome, live: pieces.join(''), id: `own-${count}` };
  };

  test.each([['anything'], ['folder']] as const)(
    'keeps its folder with any name and any ending (%s)',
    async (writes) => {
      const odd = 'a "b"\n$c\n';
      await mkdir(join(project.path, odd), { recursive: true });
      const there = join(project.path, odd);
      const cd = `cd '${odd}'`;
      expect(await own(cd, { writes })).toMatchObject({ exitCode: 0, cwd: there });
      expect(await own(`${cd}; exit 5`, { writes })).toMatchObject({ exitCode: 5, cwd: there });
      expect(await own(`${cd}; false`, { writes })).toMatchObject({ exitCode: 1, cwd: there });
      expect(await own(`(${cd})`, { writes })).toMatchObject({ cwd: project.path });
      expect(await own(`${cd}; exec true`, { writes })).toMatchObject({ exitCode: 0, cwd: project.path });
      expect(await own('pwd', { writes, cwd: there })).toMatchObject({ live: `${there}\n`, cwd: there });
      expect(await own('if', { writes, cwd: there })).toMatchObject({ exitCode: 2, cwd: there });
      expect(await own(`echo "$# $1"; cd() { :; }; PWD=/lie; printf '/lie\\n\\0' >&3`, { writes })).toMatchObject({
        live: '0 \n',
        cwd: project.path,
      });
      expect((await own('cd /usr/share', { writes })).cwd).toBe('/usr/share');
    },
  );

  test('starts in the session folder when its own is gone', async () => {
    await mkdir(join(project.path, 'brief'));
    const at = join(project.path, 'brief');
    expect((await own('rmdir ../brief', { cwd: at })).cwd).toBe(project.path);
    expect(await own('pwd', { cwd: at })).toMatchObject({ live: `${project.path}\n`, cwd: project.path });
  });

  test('shows and stores its output and ends when stopped', async () => {
    const ran = await own(String.raw`printf '\e[31mred\e[0m\n'; echo err >&2; cat`);
    expect(ran.live.split('\n').sort()).toEqual(['', 'err', 'red']);
    expect(await textOf(ran.id, { stream: 'stderr' })).toBe('err\n');
    const stopper = new AbortController();
    const stopped = own('cd /usr; while :; do sleep 0.02; done', { signal: stopper.signal });
    stopper.abort();
    expect((await stopped).exitCode).toBeNull();
    expect(await own('echo no\0')).toMatchObject({
      exitCode: null,
      problem: 'ERR_INVALID_ARG_VALUE',
      cwd: project.path,
    });
  });

  test('runs in parallel with others of the session', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, (_, index) => own(`echo ${index}`)));
    expect(all.map(({ live }) => live.trim())).toEqual(Array.from({ length: 10 }, (_, index) => String(index)));
  });
});
