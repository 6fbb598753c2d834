import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { AppError } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import type { Io } from '../../io.ts';
import { createTerminal } from '../../terminal.ts';
import { createKeymap } from '../input/keymap.ts';
import { createDecoder } from '../input/keys.ts';
import { textWidth } from '../render/width.ts';
import type { PickerRow } from '../workbench.ts';
import { createPicker } from './picker.ts';

const UP = '\x1b[A';
const DOWN = '\x1b[B';
const PAGE_DOWN = '\x1b[6~';
const ESC = '\x1b';
const ENTER = '\r';

function open(
  rows: Promise<readonly PickerRow<string>[]>,
  choose: (value: string) => void | Promise<void> = () => undefined,
) {
  const stream = Object.assign(Readable.from([]), { isTTY: true });
  const io = { env: {}, cwd: '/', home: '/', stdin: stream, stdout: { isTTY: true }, stderr: {} } as unknown as Io;
  const seen: string[] = [];
  const picker = createPicker(
    {
      title: 'Model',
      rows,
      choose: (value) => {
        seen.push(value);
        return choose(value);
      },
    },
    {
      terminal: createTerminal(io),
      keymap: createKeymap(),
      changed: () => undefined,
      close: () => void seen.push('closed'),
      failed: (error) => void seen.push((error as Error).message),
    },
  );
  const decoder = createDecoder();
  const draw = (width = 50, height = 12): string[] =>
    picker.draw({ width, height }).lines.map((line) =>
      line
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    );
  return {
    picker,
    seen,
    draw,
    async press(...bytes: string[]) {
      for (const one of bytes) {
        const inputs = decoder.push(Buffer.from(one));
        for (const input of decoder.waits() ? [...inputs, ...decoder.settle()] : inputs) picker.take(input);
        await turn();
      }
    },
  };
}

const models: PickerRow<string>[] = Array.from({ length: 30 }, (_, at) => ({
  value: `m${at}`,
  label: `provider:model-${at}`,
  detail: `${at}k tokens`,
  isCurrent: at === 3,
}));

describe('a picker', () => {
  test('shows that it is loading, then selects the current value', async () => {
    let ready: (rows: PickerRow<string>[]) => void = () => undefined;
    const { draw } = open(new Promise((resolve) => (ready = resolve)));
    expect(draw().join('\n')).toContain('Loading…');
    ready(models);
    await turn();
    expect(draw().find((line) => line.includes('▸'))).toMatch(/▸ provider:model-3 ● +3k tokens/);
    expect(draw()[1]).toMatch(/Model › +4\/30$/);
  });

  test('arrow and page keys move the selection, and Enter closes and chooses', async () => {
    const { press, draw, seen } = open(Promise.resolve(models));
    await turn();
    draw();
    await press(DOWN, DOWN, UP, PAGE_DOWN);
    expect(draw().find((line) => line.includes('▸'))).toContain('model-12');
    await press(ENTER);
    expect(seen).toEqual(['closed', 'm12']);
  });

  test('typing filters with the best match first, and Esc closes', async () => {
    const { press, draw, seen } = open(Promise.resolve(models));
    await turn();
    await press('-2');
    expect(draw().filter((line) => line.includes('provider:')).length).toBe(8);
    expect(draw().find((line) => line.includes('▸'))).toContain('model-2 ');
    await press('\x7f', 'zzz');
    expect(draw().join('\n')).toContain('No matches.');
    await press(ENTER);
    expect(seen).toEqual([]);
    await press(ESC);
    expect(seen).toEqual(['closed']);
  });

  test('shows an empty list and a failed one with its error', async () => {
    const empty = open(Promise.resolve([]));
    const failed = open(Promise.reject(new AppError('PROVIDER_STORE_UNAVAILABLE')));
    await turn();
    expect(empty.draw().join('\n')).toContain('Nothing to choose from');
    expect(failed.draw(100).join('\n')).toContain('key store cannot be opened');
  });

  test('reports the result of a choice', async () => {
    const { press, seen } = open(Promise.resolve(models), () => Promise.reject(new Error('no such model')));
    await turn();
    await press(ENTER);
    expect(seen).toEqual(['closed', 'm3', 'no such model']);
  });

  test('fits any screen with hostile names and wide characters', async () => {
    const rows = [{ value: 'x', label: 'bad\x1b[31m\nname 日本語日本語日本語', detail: 'also\u202e long '.repeat(9) }];
    const { draw, picker } = open(Promise.resolve(rows));
    await turn();
    for (const width of [10, 24, 40, 120]) {
      for (const row of draw(width, 6)) {
        expect(textWidth(row)).toBeLessThanOrEqual(width);
        expect(row).not.toMatch(/\p{Cc}|\u202e/u);
      }
      expect(picker.draw({ width, height: 4 }).lines.length).toBeLessThanOrEqual(4);
    }
  });
});
