import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Input } from './input.ts';
import { openInput } from './source.ts';

function open() {
  const raw: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => raw.push(isRaw) });
  const timers = new Map<() => void, number>();
  const timer = (ms: number, callback: () => void): (() => void) => {
    timers.set(callback, ms);
    return () => void timers.delete(callback);
  };
  const source = openInput(stdin, { ambient: { timer } });
  const heard: Input[] = [];
  const forget = source.listen((input) => void heard.push(input));
  return {
    source,
    raw,
    heard,
    forget,
    waits: () => [...timers.values()],
    /** Waits until no more input could follow. */
    pass() {
      const due = [...timers.keys()];
      timers.clear();
      for (const callback of due) callback();
    },
    async send(text: string) {
      stdin.write(text);
      await turn();
    },
  };
}

const names = (inputs: readonly Input[]): string[] =>
  inputs.map((input) => (input.kind === 'key' ? input.name : input.kind));

test('Esc is a key when nothing follows in time and starts a sequence otherwise', async () => {
  const { send, heard, waits, pass } = open();
  await send('\x1b');
  expect([heard, waits()]).toEqual([[], [50]]);
  pass();
  expect(names(heard)).toEqual(['escape']);
  await send('\x1b');
  await send('[A');
  expect([names(heard), waits()]).toEqual([['escape', 'up'], []]);
});

test('an unfinished paste is abandoned after a pause', async () => {
  const { send, heard, waits, pass } = open();
  await send('\x1b[200~words');
  expect(waits()).toEqual([2_000]);
  pass();
  expect(heard).toEqual([{ kind: 'paste', text: 'words' }]);
});

test('lends the terminal to another reader, takes it back, and restores it at the end', async () => {
  const { source, send, heard, raw } = open();
  source.pause();
  await send('theirs');
  expect([heard, raw]).toEqual([[], [true, false]]);
  source.resume();
  await turn();
  heard.length = 0;
  await send('m');
  expect(names(heard)).toEqual(['m']);
  source.close();
  await send('x');
  expect([names(heard), raw]).toEqual([['m'], [true, false, true, false]]);
});

test('a removed listener receives nothing', async () => {
  const { send, heard, forget } = open();
  forget();
  await send('x');
  expect(heard).toEqual([]);
});
