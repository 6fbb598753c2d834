import { readdir, readFile } from 'node:fs/promises';
import { systemAmbient } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ControlEvent, Viewer } from './flow.ts';
import type { Attachment } from './terminal.ts';
import { createTerminals, type Terminals } from './terminals.ts';

let folder: TempDir;
beforeAll(async () => {
  folder = await tempDir();
});
afterAll(async () => folder[Symbol.asyncDispose]());

/** Real time for programs, a manual clock for everything that is scheduled. */
function fixture(environment: Record<string, string | undefined> = {}) {
  const clock = fakeAmbient();
  const ambient = { ...systemAmbient('silent'), timer: clock.timer };
  const terminals = createTerminals({
    ambient,
    environment: { PATH: process.env.PATH, HOME: folder.path, SHELL: '/bin/bash', ...environment },
  });
  return { clock, terminals };
}

interface Seen extends Viewer {
  text: string;
  events: ControlEvent[];
  ended: string[];
  holds: boolean[];
}

function viewer(): Seen {
  const seen: Seen = {
    text: '',
    events: [],
    ended: [],
    holds: [],
    print(frame, taken) {
      seen.text = (seen.text + Buffer.from(frame.subarray(1)).toString()).slice(-2_000_000);
      taken();
    },
    tell: (event) => void seen.events.push(event),
    hold: (isHeld) => void seen.holds.push(isHeld),
    end: (reason) => void seen.ended.push(reason),
  };
  return seen;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function until<Value>(look: () => Value | undefined | false): Promise<Value> {
  for (;;) {
    const value = look();
    if (value) return value;
    await turn();
  }
}

async function opened(terminals: Terminals, sessionId = 's'): Promise<{ seen: Seen; hold: Attachment; id: string }> {
  const { terminalId: id } = await terminals.open({ sessionId, folder: folder.path });
  const seen = viewer();
  return { id, seen, hold: await terminals.attach(id, seen) };
}

const type = (hold: Attachment, line: string): void => hold.write(Buffer.from(`${line}\r`));

test('names the first after its session, allows eight, and frees a place on close', async () => {
  const { terminals } = fixture();
  const place = { sessionId: 's', folder: folder.path };
  const first = await terminals.open(place);
  expect(first).toMatchObject({ terminalId: 's', origin: 'first-tab', isActive: false, folder: folder.path });
  for (let count = 1; count < 8; count += 1) await terminals.open(place);
  await expect(terminals.open(place)).rejects.toMatchObject({ code: 'TERMINAL_LIMIT_REACHED' });
  expect((await terminals.open({ ...place, sessionId: 'other' })).terminalId).toBe('other');
  const items = await terminals.list('s');
  expect(items.map(({ origin }) => origin)).toEqual(['first-tab', ...Array<string>(7).fill('opened')]);
  await terminals.close('s', 's');
  expect((await terminals.open(place)).terminalId).toBe('s');
  await expect(terminals.close('other', 's')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(terminals.attach('nobody', viewer())).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('runs a shell in the folder, shows its output, and reports its exit', async () => {
  const { terminals } = fixture();
  const { seen, hold } = await opened(terminals);
  expect(seen.events).toEqual([
    { evento: 'agganciato', ripreso: false, shell: 'posix-shell', comando: '/bin/bash -l' },
  ]);
  type(hold, 'echo "in [$PWD] $TERM ☕"');
  await until(() => seen.text.includes(`in [${folder.path}] xterm-256color ☕`));
  expect((await terminals.list('s'))[0]?.isActive).toBe(true);
  type(hold, 'exit 7');
  await until(() => seen.ended.length > 0);
  expect([seen.events.at(-1), seen.ended]).toEqual([{ evento: 'uscita', codice: 7 }, ['exit']]);
  expect((await terminals.list('s'))[0]?.isActive).toBe(false);

  const again = viewer();
  await terminals.attach('s', again);
  expect(again.events[0]).toMatchObject({ evento: 'agganciato', ripreso: false });
  await terminals[Symbol.asyncDispose]();
  expect(again.ended).toEqual(['shutdown']);
});

test('reports a signal as 128 plus its number', async () => {
  const { terminals } = fixture();
  const { seen, hold } = await opened(terminals);
  type(hold, 'kill -9 $$');
  await until(() => seen.ended.length > 0);
  expect(seen.events.at(-1)).toEqual({ evento: 'uscita', codice: 137 });
});

test('replays output to new viewers and streams to all', async () => {
  const { terminals } = fixture();
  const { seen, hold, id } = await opened(terminals);
  type(hold, "printf 'é%.0s' {1..150000}; echo; echo fir''st");
  await until(() => seen.text.includes('first'));
  const second = viewer();
  await terminals.attach(id, second);
  expect(second.events).toMatchObject([{ evento: 'agganciato', ripreso: true }]);
  expect(second.text).toContain('first');
  expect(second.text).not.toContain('\ufffd');
  expect(Buffer.byteLength(second.text)).toBeGreaterThan(199_000);
  expect(Buffer.byteLength(second.text)).toBeLessThanOrEqual(200_000);
  type(hold, "echo bo''th");
  await until(() => seen.text.includes('both') && second.text.includes('both'));
  await terminals[Symbol.asyncDispose]();
});

test('uses the last requested size and ignores invalid ones', async () => {
  const { terminals } = fixture();
  const { seen, hold } = await opened(terminals);
  type(hold, 'stty size');
  await until(() => seen.text.includes('24 80'));
  hold.resize({ cols: 132, rows: 43 });
  for (const size of [0, -1, 1.5, Number.NaN, 1e9]) hold.resize({ cols: size, rows: 24 });
  type(hold, 'stty size');
  await until(() => seen.text.includes('43 132'));
  await terminals[Symbol.asyncDispose]();
});

test('the shell gets a UTF-8 locale and no secret of the server', async () => {
  const secrets = { FUCINA_TOKEN: 'hush-1', OPENAI_API_KEY: 'hush-2', HTTP_PROXY: 'http://me:hush-3@proxy' };
  const { terminals } = fixture({ ...secrets, SSH_AUTH_SOCK: '/tmp/agent' });
  const { seen, hold } = await opened(terminals);
  type(hold, "env; echo en''d");
  await until(() => /^end/m.test(seen.text));
  expect(seen.text).not.toContain('hush');
  expect(seen.text).toContain('SSH_AUTH_SOCK=/tmp/agent');
  expect(seen.text).toContain('LANG=C.UTF-8');
  await terminals[Symbol.asyncDispose]();
});

test('closing ends every process, even one that ignores signals or changed its session', async () => {
  const { terminals } = fixture();
  const { seen, hold, id } = await opened(terminals);
  type(hold, "trap '' HUP TERM; (setsid nohup sleep 1002 &); setsid sleep 1001 & nohup sleep 1000 & echo rea''dy");
  // At any position of its line: the shell writes the line break and the word separately, and output of `nohup` may
  // come in between.
  await until(() => seen.text.includes('ready'));
  expect((await programsOf(folder.path)).length).toBeGreaterThanOrEqual(3);
  await terminals.close('s', id);
  expect(await programsOf(folder.path)).toEqual([]);
  expect(seen.ended).toEqual(['closed']);
});

test('ends leftover processes with the shell', async () => {
  const { terminals } = fixture();
  const { seen, hold } = await opened(terminals);
  type(hold, 'setsid nohup sleep 1003 & exit');
  await until(() => seen.ended.length > 0);
  while ((await programsOf(folder.path)).length > 0) await turn();
});

test('deleting a session closes its terminals', async () => {
  const { terminals } = fixture();
  const { seen } = await opened(terminals);
  await terminals.forget('s');
  expect([seen.ended, terminals.has('s'), await terminals.list('s')]).toEqual([['closed'], false, []]);
});

test('ends a shell ten minutes after the last viewer left unless one returns', async () => {
  const { clock, terminals } = fixture();
  const { seen, hold, id } = await opened(terminals);
  type(hold, 'echo $((40 + 2))');
  await until(() => seen.text.includes('42'));
  hold.detach();
  await clock.advance(9 * 60_000);
  const back = await terminals.attach(id, viewer());
  await clock.advance(9 * 60_000);
  expect((await terminals.list('s'))[0]?.isActive).toBe(true);
  back.detach();
  await clock.advance(10 * 60_000);
  while ((await terminals.list('s'))[0]?.isActive) await turn();
  expect(terminals.has(id)).toBe(true);
});

test('a stalled viewer stops output and memory stays bounded', async () => {
  const { terminals } = fixture();
  const { hold, seen, id } = await opened(terminals);
  hold.detach();
  let bytes = 0;
  let release: (() => void)[] = [];
  const stuck = await terminals.attach(id, {
    ...seen,
    print(frame, taken) {
      bytes += frame.length - 1;
      release.push(taken);
    },
  });
  type(stuck, 'yes');
  await until(() => bytes > 512 * 1024);
  const before = bytes;
  for (let count = 0; count < 2_000; count += 1) await turn();
  expect(bytes).toBeLessThan(before + 512 * 1024);
  for (const taken of release) taken();
  release = [];
  const after = bytes;
  await until(() => bytes > after + 100_000);
  await terminals[Symbol.asyncDispose]();
});

test('buffers input for a program that does not read', async () => {
  const { clock, terminals } = fixture();
  const { seen, hold } = await opened(terminals);
  type(hold, "stty raw -echo; echo go''ing; sleep 0.5; head -c 3000000 | wc -c; stty sane");
  await until(() => seen.text.includes('going'));
  hold.write(Buffer.alloc(3_000_000, 'x'));
  expect(seen.holds).toEqual([true]);
  // The last write may be acknowledged after the program has read it and answered.
  while (!seen.text.includes('3000000\n') || seen.holds.length < 2) {
    await clock.advance(10);
    await turn();
  }
  expect(seen.holds).toEqual([true, false]);
  await terminals[Symbol.asyncDispose]();
});

test('refuses a shell for a missing folder with a reason', async () => {
  const { terminals } = fixture();
  const { terminalId } = await terminals.open({ sessionId: 's', folder: `${folder.path}/gone` });
  const seen = viewer();
  await terminals.attach(terminalId, seen);
  expect(seen.events).toEqual([
    { evento: 'agganciato', ripreso: false, shell: null, comando: '' },
    { evento: 'uscita', codice: null },
  ]);
  expect(seen.ended).toEqual(['exit']);
});

test('without the native module nothing is listed, opened or closed', async () => {
  const loadPty = () => Promise.reject(new Error('not built for this system'));
  const terminals = createTerminals({ ambient: systemAmbient('silent'), environment: {}, loadPty });
  const unavailable = { code: 'TERMINAL_STORE_UNAVAILABLE' };
  await expect(terminals.list('s')).rejects.toMatchObject(unavailable);
  await expect(terminals.open({ sessionId: 's', folder: folder.path })).rejects.toMatchObject(unavailable);
  await expect(terminals.close('s', 's')).rejects.toMatchObject(unavailable);
});

/** Running programs of the shells of these tests, by their home. */
async function programsOf(home: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    if (environment.includes(`HOME=${home}\0`))
      found.push(await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => ''));
  }
  return found.filter(Boolean);
}
