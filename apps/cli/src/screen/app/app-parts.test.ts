import { PassThrough } from 'node:stream';
import { itemOf } from '@fucina/conversation/testing';
import { describe, expect, test } from '@jest/globals';
import { translatorFor } from '../../words/index.ts';
import type { CardLook } from '../cards/card.ts';
import { createItemDrawer } from '../cards/draw-item.ts';
import type { ScreenItem } from '../conversation/state.ts';
import { key } from '../input/input.ts';
import { createKeymap } from '../input/keymap.ts';
import type { Line } from '../line.ts';
import { createHighlighter } from '../render/highlight.ts';
import { appActions } from './app-actions.ts';
import { createFrameWriter } from './frame-writer.ts';
import { createFrames } from './frames.ts';
import { notification } from './notify.ts';
import { createPage } from './page.ts';
import { sideLines } from './side-lines.ts';
import type { ScreenContext } from './stage.ts';
import { createTranscript, type View } from './transcript.ts';

const say = translatorFor('en');
const plain = (lines: readonly Line[]): string[] =>
  lines.map((line) =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );

describe('the transcript', () => {
  const look: CardLook = {
    width: 40,
    proseWidth: 40,
    say,
    isMarkdown: false,
    highlighter: createHighlighter(() => undefined),
    showsReasoning: false,
    isUnfolded: false,
  };
  const answer = (at: number, rows = 1): ScreenItem =>
    itemOf('text', {
      key: `a${at}`,
      text: Array.from({ length: rows }, (_, row) => `${at}.${row}`).join('\n'),
    });
  const viewOf = (items: readonly ScreenItem[], more: Partial<View> = {}): View => ({
    items,
    look,
    isTurned: () => false,
    hidden: undefined,
    ...more,
  });
  const size = { width: 40, height: 5 };

  test('shows its top while it fits and its bottom once it is longer than the screen', () => {
    const transcript = createTranscript(createItemDrawer('en'));
    expect(plain(transcript.draw(viewOf([answer(1)]), size).lines)).toEqual(['1.0']);
    const items = [1, 2, 3, 4].map((at) => answer(at));
    expect(plain(transcript.draw(viewOf(items), size).lines)).toEqual(['2.0', '', '3.0', '', '4.0']);
  });

  test('keeps its scroll position while new rows arrive, counts them, and follows again at the bottom', () => {
    const transcript = createTranscript(createItemDrawer('en'));
    const items = [1, 2, 3, 4, 5].map((at) => answer(at));
    const draw = (all: readonly ScreenItem[]) => transcript.draw(viewOf(all), size);
    draw(items);
    transcript.scroll(-2);
    expect(plain(draw(items).lines)).toEqual(['2.0', '', '3.0', '', '4.0']);
    const more = [...items, answer(6, 3)];
    expect(plain(draw(more).lines)).toEqual(['2.0', '', '3.0', '', '4.0']);
    expect(draw(more).newBelow).toBe(4);
    transcript.scroll(100);
    expect(draw(more)).toMatchObject({ newBelow: undefined });
    expect(plain(draw(more).lines).at(-1)).toBe('6.2');
    transcript.toStart();
    expect(plain(draw(more).lines)[0]).toBe('1.0');
    transcript.scroll(-100);
    expect(plain(draw(more).lines)[0]).toBe('1.0');
    transcript.toEnd();
    expect(draw(more).newBelow).toBeUndefined();
  });

  test('scrolls a found row to a third of the height', () => {
    const transcript = createTranscript(createItemDrawer('en'));
    const items = Array.from({ length: 30 }, (_, at) => answer(at));
    transcript.draw(viewOf(items), { width: 40, height: 9 });
    const found = transcript.find('17.0');
    expect(found).toEqual([{ key: 'a17', row: 1 }]);
    transcript.reveal(found[0] as (typeof found)[0]);
    expect(plain(transcript.draw(viewOf(items), { width: 40, height: 9 }).lines)[3]).toBe('17.0');
    expect(transcript.find('NOTHING')).toEqual([]);
  });

  test('hides items shown elsewhere and empty items', () => {
    const transcript = createTranscript(createItemDrawer('en'));
    const items = [answer(1), { ...answer(2), text: '' } as ScreenItem, answer(3), answer(4)];
    const { lines, places } = transcript.draw(viewOf(items, { hidden: 'a3' }), size);
    expect(plain(lines)).toEqual(['1.0', '', '4.0']);
    expect(places.map((place) => place?.key)).toEqual(['a1', 'a4', 'a4']);
  });

  test('resets when the conversation changes', () => {
    const transcript = createTranscript(createItemDrawer('en'));
    const items = [1, 2, 3, 4, 5].map((at) => answer(at));
    transcript.draw(viewOf(items), size);
    transcript.scroll(-3);
    transcript.draw(viewOf(items), size);
    expect(plain(transcript.draw(viewOf([{ ...answer(9), key: 'z' }]), size).lines)).toEqual(['9.0']);
  });
});

describe('frames on a terminal', () => {
  const terminal = () => {
    const written: string[] = [];
    const output = Object.assign(new PassThrough(), { isTTY: true });
    output.on('data', (data: Buffer) => written.push(data.toString()));
    return { output, written };
  };

  test('writes only changed rows and places the cursor', () => {
    const { output, written } = terminal();
    const writer = createFrameWriter(output);
    writer.show({ rows: ['one', 'two', 'three'], cursor: { row: 1, column: 3 } });
    expect(written[0]).toContain('\x1b[2J');
    expect(written[0]).toContain('\x1b[2;4H\x1b[?25h');
    writer.show({ rows: ['one', 'TWO', 'three'], cursor: { row: 1, column: 3 } });
    expect(written[1]).toContain('\x1b[2;1H\x1b[0m\x1b[KTWO');
    expect(written[1]).not.toContain('one');
    writer.show({ rows: ['one', 'TWO', 'three'], cursor: { row: 1, column: 3 } });
    expect(written).toHaveLength(2);
    writer.show({ rows: ['one', 'TWO', 'three'], cursor: undefined });
    expect(written[2]).toBe('\x1b[?2026h\x1b[?25l\x1b[?2026l');
    writer.show({ rows: ['one'], cursor: undefined });
    expect(written[3]).toContain('\x1b[3;1H\x1b[0m\x1b[K');
    writer.forget();
    writer.show({ rows: ['one'], cursor: undefined });
    expect(written[4]).toContain('one');
  });

  test('sends only the latest frame to a terminal that cannot keep up', async () => {
    const output = Object.assign(new PassThrough({ highWaterMark: 8 }), { isTTY: true });
    const writer = createFrameWriter(output);
    writer.show({ rows: ['first frame'] });
    for (let at = 0; at < 50; at += 1) writer.show({ rows: [`frame ${at}`] });
    let seen = String(output.read());
    // Some versions of Node say only later that the stream takes more.
    await new Promise(setImmediate);
    seen += output.read() ?? '';
    expect(seen).toContain('frame 49');
    expect(seen).not.toContain('frame 48');
  });

  test('writes nothing after it is closed', () => {
    const output = Object.assign(new PassThrough(), { isTTY: true });
    const writer = createFrameWriter(output);
    writer.show({ rows: ['here'] });
    writer.close();
    writer.show({ rows: ['gone'] });
    const seen = String(output.read());
    expect(seen).toContain('here');
    expect(seen).not.toContain('gone');
  });
});

describe('when frames are drawn', () => {
  const clock = () => {
    let now = 0;
    let timers: { at: number; run: () => void }[] = [];
    return {
      ambient: {
        monotonic: () => now,
        timer(ms: number, run: () => void) {
          const timer = { at: now + ms, run };
          timers.push(timer);
          return () => {
            timers = timers.filter((one) => one !== timer);
          };
        },
      },
      pass(ms: number) {
        const end = now + ms;
        for (;;) {
          const [next] = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
          if (!next) break;
          timers = timers.filter((one) => one !== next);
          now = Math.max(now, next.at);
          next.run();
        }
        now = end;
      },
    };
  };

  test('batches changes into one frame, draws at once on a key, and repeats while something is animated', () => {
    const { ambient, pass } = clock();
    let count = 0;
    let again: number | undefined;
    const frames = createFrames({
      ambient,
      draw: () => {
        count += 1;
        return again;
      },
      failed: () => undefined,
    });
    expect(count).toBe(1);
    pass(100);
    for (let at = 0; at < 50; at += 1) frames.changed();
    pass(1);
    expect(count).toBe(2);
    frames.changed();
    frames.urgent();
    pass(5);
    expect(count).toBe(3);
    pass(100);
    expect(count).toBe(3);
    again = 50;
    frames.urgent();
    pass(210);
    expect(count).toBeGreaterThanOrEqual(6);
    frames.close();
    pass(500);
    const closed = count;
    frames.changed();
    pass(500);
    expect(count).toBe(closed);
  });

  test('reports a drawing error once and stops drawing', () => {
    const { ambient, pass } = clock();
    const failures: unknown[] = [];
    const frames = createFrames({
      ambient,
      draw: () => {
        throw new Error('bug');
      },
      failed: (error) => failures.push(error),
    });
    frames.urgent();
    pass(100);
    expect(failures).toHaveLength(1);
  });
});

test('a terminal notification suits the terminal and contains no control characters', () => {
  expect(notification('off', 'x', {})).toBe('');
  expect(notification('bell', 'x', { TERM_PROGRAM: 'WezTerm' })).toBe('\x07');
  expect(notification('auto', 'x', { TERM: 'xterm-256color' })).toBe('\x07');
  expect(notification('auto', 'done\x1b[2J;now', { TERM_PROGRAM: 'iTerm.app' })).toBe('\x1b]9;done␛[2J,now\x07');
  expect(notification('auto', 'done', { TERM: 'foot' })).toBe('\x1b]777;notify;Fucina;done\x07');
  expect(notification('auto', 'done', { TERM: 'foot', TMUX: 'x' })).toBe('\x07');
});

test('a page scrolls to its end and closes', () => {
  let isClosed = false;
  const page = createPage({
    title: 'Title',
    lines: () => Array.from({ length: 20 }, (_, at) => [{ text: `row ${at}` }]),
    keymap: createKeymap(),
    say,
    close: () => {
      isClosed = true;
    },
  });
  const rows = () => plain(page.draw({ width: 40, height: 7 }).lines);
  expect(rows()).toEqual([
    ' Title',
    'row 0',
    'row 1',
    'row 2',
    'row 3',
    'row 4',
    expect.stringContaining('15 more lines'),
  ]);
  page.take(key('pagedown'));
  expect(rows()[1]).toBe('row 5');
  page.take(key('end'));
  expect(rows().slice(-2)).toEqual(['row 19', ' Esc to close']);
  page.take(key('home'));
  page.take(key('up'));
  expect(rows()[1]).toBe('row 0');
  page.take(key('escape'));
  expect(isClosed).toBe(true);
});

test('the to-do list shows open tasks before finished ones when space is short', () => {
  const todo = Array.from({ length: 8 }, (_, at) => ({
    content: `task ${at}`,
    status: at < 5 ? ('completed' as const) : at === 5 ? ('in_progress' as const) : ('pending' as const),
  }));
  const agents = [
    { sessionId: 's', task: 'look', isRunning: true, tool: 'leggi' },
    { sessionId: 't', task: 'over', isRunning: false, tool: null },
  ];
  const lines = (height: number) => plain(sideLines({ todo, agents, say, isBusy: true }, { width: 40, height }));
  expect(lines(20)).toHaveLength(10);
  expect(lines(20).slice(0, 2)).toEqual([' ◇ look  Reading', ' To do: 5 of 8 done']);
  expect(lines(5)).toEqual([' ◇ look  Reading', ' To do: 5 of 8 done', ' ✓ task 4', ' ▸ task 5', ' ○ task 6']);
  const done = todo.map((entry) => ({ ...entry, status: 'completed' as const }));
  expect(sideLines({ todo: done, agents: [], say, isBusy: true }, { width: 40, height: 9 })).toEqual([]);
  const idle = sideLines({ todo, agents: [], say, isBusy: false }, { width: 40, height: 9 });
  expect(plain(idle)).toEqual([' To do: 5 of 8 done']);
});

test('stopping before a turn starts puts the prompt back into the composer', async () => {
  const written: string[] = [];
  const words: (string | undefined)[] = ['first', undefined];
  const composer = { giveBack: (text: string) => void written.push(text) };
  const act = appActions({ conversation: { stop: async () => words.shift() }, composer } as unknown as ScreenContext);
  expect([act('interrupt'), act('interrupt')]).toEqual([true, true]);
  await new Promise(setImmediate);
  expect(written).toEqual(['first']);
});
