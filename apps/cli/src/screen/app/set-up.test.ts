import { PassThrough } from 'node:stream';
import { systemAmbient } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import type { Io } from '../../io.ts';
import { createTerminal } from '../../terminal.ts';
import { openTerminalScreen } from './set-up.ts';
import type { ScreenStart } from './stage.ts';

test('keys are read raw before anything is written, so that Enter is never a line feed', () => {
  const order: string[] = [];
  const note = (what: string): void => {
    if (order.at(-1) !== what) order.push(what);
  };
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => note(`raw ${isRaw}`) });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  stdout.write = () => {
    note('written');
    return true;
  };
  const nothing = () => () => undefined;
  const io = { env: {}, cwd: '/', home: '/', stdin, stdout, stderr: stdout, onInterrupt: nothing, onEnd: nothing };
  const start = {
    config: { values: new Map(), keymap: {} },
    choices: { dir: '/sample', host: {} },
    terminal: createTerminal(io as unknown as Io),
  };
  const stage = openTerminalScreen(start as unknown as ScreenStart, systemAmbient('silent'));
  stage.strike();
  expect(order.slice(0, 2)).toEqual(['raw true', 'written']);
});
