import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createLending } from './lending.ts';

interface Heard {
  stop?: () => void;
  continued?: () => void;
}

/** The terminal's parts as a list of what happened to them. */
function open({ hasJobs = true } = {}) {
  const order: string[] = [];
  const heard: Heard = {};
  const sleeps: (() => void)[] = [];
  const note = (what: string) => (): void => void order.push(what);
  const jobs = {
    onStop(listener: () => void) {
      heard.stop = listener;
      return () => void delete heard.stop;
    },
    onContinue(listener: () => void) {
      heard.continued = listener;
      return () => void delete heard.continued;
    },
    stop: (who: string) => void order.push(`stop ${who}`),
    readSize: note('size'),
  };
  const lending = createLending({
    ambient: { sleep: () => new Promise<void>((awake) => sleeps.push(awake)) },
    terminal: { io: { jobs: hasJobs ? jobs : undefined } },
    app: { changed: note('draw') },
    hold: { release: note('release'), take: note('take') },
    input: { pause: note('pause'), resume: note('resume') },
    writer: { close: note('close'), open: note('open') },
  });
  const since = (): string[] => order.splice(0);
  return { lending, heard, sleeps, order, since };
}

const RELEASED = ['close', 'pause', 'release'];
const TAKEN = ['resume', 'take', 'size', 'open', 'draw'];

test('one program has the terminal at a time, and each gets it from the screen', async () => {
  const { lending, order, since } = open();
  const ends: (() => void)[] = [];
  const first = lending.lend(() => new Promise<void>((end) => ends.push(end)));
  const second = lending.lend(async () => void order.push('second'));
  await turn();
  expect([since(), lending.isLent()]).toEqual([RELEASED, true]);
  ends[0]?.();
  await Promise.all([first, second]);
  expect(since()).toEqual([...TAKEN, ...RELEASED, 'second', ...TAKEN]);
  expect(lending.isLent()).toBe(false);
});

test('the screen returns after a program that failed', async () => {
  const { lending, since } = open();
  await expect(lending.lend(() => Promise.reject(new Error('no such editor')))).rejects.toThrow('no such editor');
  expect(since()).toEqual([...RELEASED, ...TAKEN]);
  await lending.lend(async () => undefined);
  expect(since()).toEqual([...RELEASED, ...TAKEN]);
});

test('a stop while a program has the terminal is left to the system, and the screen stays away', async () => {
  const { lending, heard, since } = open();
  let end = (): void => undefined;
  const lent = lending.lend(() => new Promise<void>((ended) => (end = ended)));
  await turn();
  expect(heard.stop).toBeUndefined();
  heard.continued?.();
  expect([since(), lending.suspend(), since()]).toEqual([RELEASED, true, []]);
  end();
  await lent;
  expect([since(), typeof heard.stop]).toEqual([TAKEN, 'function']);
});

test('Ctrl+Z releases the terminal before the stop and takes it once after', async () => {
  const { lending, heard, sleeps, since } = open();
  expect(lending.suspend()).toBe(true);
  expect([since(), heard.stop]).toEqual([[...RELEASED, 'stop group'], undefined]);
  sleeps.shift()?.();
  await turn();
  heard.continued?.();
  expect(since()).toEqual(TAKEN);
  sleeps.shift()?.();
  await turn();
  expect(since()).toEqual([]);
  heard.stop?.();
  expect(since()).toEqual([...RELEASED, 'stop process']);
});

test('the screen returns where the system refuses the stop', async () => {
  const { lending, sleeps, since } = open();
  lending.suspend();
  sleeps.shift()?.();
  await turn();
  expect(since()).toEqual([...RELEASED, 'stop group']);
  sleeps.shift()?.();
  await turn();
  expect([since(), lending.isLent()]).toEqual([TAKEN, false]);
});

test('a stop that left no time is made good when the process continues', () => {
  const { heard, since } = open();
  heard.continued?.();
  expect(since()).toEqual([...RELEASED, ...TAKEN]);
});

test('nothing is taken after the end, and without job control the key does nothing', async () => {
  const { lending, heard, since } = open();
  await lending.lend(async () => lending.close());
  expect([since(), heard]).toEqual([RELEASED, {}]);
  const without = open({ hasJobs: false });
  expect([without.lending.suspend(), without.since()]).toEqual([false, []]);
});
