import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { composerFixture, KEYS } from '../../../test/composer-fixture.ts';
import { lineWidth, textWidth } from '../render/width.ts';

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await systemAmbient('silent').sleep(10);
}

describe('sending', () => {
  test('Enter without a text, blank text included, is offered as it is and sends nothing', async () => {
    const { press, sent, nothing } = composerFixture({ takesNothing: true });
    expect(await press('\r')).toBe(true);
    await press(' ', '\r');
    expect([nothing.count, sent]).toEqual([2, []]);
    await press('x', '\r');
    expect([nothing.count, sent.length]).toEqual([2, 1]);
  });

  test('Enter sends the text and clears the composer', async () => {
    const { press, sent, composer } = composerFixture();
    await press('hello', KEYS.enter);
    expect(sent).toEqual([{ text: 'hello', images: [], how: undefined }]);
    expect(composer.isEmpty()).toBe(true);
    expect(await press(KEYS.enter)).toBe(false);
  });

  test.each([
    ['Shift+Enter', '\x1b[13;2u'],
    ['Ctrl+J', '\n'],
    ['Alt+Enter', '\x1b\r'],
    ['a backslash and Enter', '\\\r'],
  ])('%s inserts a new line', async (_name, bytes) => {
    const { press, sent, text } = composerFixture();
    await press('one', bytes, 'two');
    expect(text()).toBe('one\ntwo|');
    await press(KEYS.enter);
    expect(sent[0]?.text).toBe('one\ntwo');
  });

  test('Alt+S steers the running turn and sends between turns', async () => {
    const busy = composerFixture({ isBusy: true });
    await busy.press('left', '\x1bs');
    const idle = composerFixture();
    await idle.press('right', '\x1bs');
    expect([busy.sent[0]?.how, idle.sent[0]?.how]).toEqual(['steer', undefined]);
  });

  test('collapses a long paste to a chip and sends it in full', async () => {
    const { press, sent, text } = composerFixture();
    const long = Array.from({ length: 120 }, (_, at) => `line ${at}`).join('\n');
    await press('see ', `\x1b[200~${long}\x1b[201~`, KEYS.enter);
    expect(sent[0]?.text).toBe(`see ${long}`);
    await press(`\x1b[200~${long}\x1b[201~`);
    expect(text()).toBe('[pasted 120 lines]|');
  });

  test('pasted control characters cannot move the cursor or look like interface elements', async () => {
    const { press, rows } = composerFixture();
    await press('\x1b[200~a\x1b]0;title\x07b\u202ec\x1b[201~');
    expect(rows().join('')).not.toMatch(/\p{Cc}|\u202e/u);
  });

  test('copies the selection to the clipboard through the terminal', async () => {
    const { press, written } = composerFixture();
    await press('hey', KEYS['shift+left'], KEYS['shift+left'], '\x1bw');
    expect(written()).toBe(`\x1b]52;c;${Buffer.from('ey').toString('base64')}\x07`);
  });

  test('leaves app shortcuts to the app', async () => {
    const { press } = composerFixture();
    for (const bytes of ['\x14', '\x0f', '\x1b[5~', '\x1bt', '\x1b[Z', KEYS.esc, '\x04', '\x03'])
      expect(await press(bytes)).toBe(false);
  });

  test('Ctrl+C clears the text between turns, undo restores it, Ctrl+D deletes a character', async () => {
    const { press, composer, text } = composerFixture();
    await press('words');
    expect(await press('\x03')).toBe(true);
    expect(composer.isEmpty()).toBe(true);
    await press('\x1f');
    expect(text()).toBe('words|');
    expect(await press('\x01', '\x04')).toBe(true);
    expect(text()).toBe('|ords');
    const busy = composerFixture({ isBusy: true });
    await busy.press('words');
    expect(await busy.press('\x03')).toBe(false);
  });

  test('? opens help in an empty composer and is a character otherwise', async () => {
    const { press, sent, text } = composerFixture();
    await press('?');
    expect(sent[0]?.text).toBe('/help');
    await press('why?');
    expect(text()).toBe('why?|');
  });
});

describe('the composer', () => {
  test('grows to a third of the height, then scrolls with the cursor', async () => {
    const { press, rows } = composerFixture();
    await press(...Array.from({ length: 20 }, (_, at) => `${at}\n`));
    expect(rows(60, 24)).toHaveLength(8);
    expect(rows(60, 24)[0]).toContain('↑ 15');
    await press(...Array.from({ length: 20 }, () => KEYS.up));
    expect(rows(60, 24).at(-1)).toContain('↓ 15');
  });

  test('never exceeds its width and places the cursor after wide characters', async () => {
    const { press, composer, rows } = composerFixture();
    await press('日本語 text 👨‍👩‍👧');
    expect(composer.draw({ width: 60, height: 40 }).cursor).toEqual({ row: 1, column: 4 + 6 + 6 + 2 });
    for (const width of [8, 20, 40]) {
      for (const row of rows(width)) expect(textWidth(row)).toBeLessThanOrEqual(width);
    }
  });

  test('highlights commands, files and other special text', async () => {
    const shell = composerFixture();
    await shell.press('!ls');
    expect(shell.rows().at(-1)).toContain('shell command');
    expect(
      composerFixture({ choice: { mode: 'plan' } })
        .rows()
        .at(-1),
    ).toContain('Plan');
    expect(
      composerFixture({ choice: { level: 'Full access' } })
        .rows()
        .at(-1),
    ).toContain('Full access');
    const vim = composerFixture();
    await vim.press(KEYS['alt+v'], 'text', KEYS.esc);
    expect(vim.rows().at(-1)).toContain('NORMAL');
  });
});

describe('history', () => {
  const said = ['first', 'second\nhas lines', 'third'];

  test('Up and Down browse it and return to the draft', async () => {
    const { press, text } = composerFixture({ said });
    await press('draft', KEYS.up);
    expect(text()).toBe('third|');
    await press(KEYS.up);
    expect(text()).toBe('|second\nhas lines');
    await press(KEYS.up, KEYS.up);
    expect(text()).toBe('first|');
    await press(KEYS.down, KEYS.down);
    expect(text()).toBe('third|');
    await press(KEYS.down);
    expect(text()).toBe('draft|');
  });

  test('Ctrl+R searches it and inserts a match', async () => {
    const { press, rows, text, sent } = composerFixture({ said });
    await press('draft', KEYS['ctrl+r'], 'ir');
    expect(rows().join('\n')).toMatch(/search: ir +1\/2[^]*› third/);
    await press(KEYS['ctrl+r']);
    expect(rows().join('\n')).toMatch(/2\/2[^]*› first/);
    await press(KEYS.enter);
    expect(text()).toBe('first|');
    expect(sent).toEqual([]);
    await press(KEYS['ctrl+r'], 'zzz');
    expect(rows().join('\n')).toContain('No matches');
    await press(KEYS.esc);
    expect(text()).toBe('first|');
  });
});

describe('completion', () => {
  test('lists matching commands while typing and runs the selected one on Enter', async () => {
    const { press, rows, sent } = composerFixture();
    await press('/m');
    expect(rows().slice(0, 3)).toEqual([
      expect.stringContaining('▸ /mcp'),
      expect.stringContaining('/model'),
      expect.stringContaining('/memory'),
    ]);
    await press(KEYS.down, KEYS.enter);
    expect(sent).toEqual([{ text: '/model', images: [], how: undefined }]);
  });

  test.each(['/m', '/cost', '/modle'])('sends %s as typed on Enter instead of a similar command', async (typed) => {
    const { press, sent } = composerFixture();
    await press(typed, KEYS.enter);
    expect(sent).toEqual([{ text: typed, images: [], how: undefined }]);
  });

  test('Enter after a lone slash inserts the first command without running it', async () => {
    const { press, text, sent } = composerFixture();
    await press('/', KEYS.enter);
    expect(sent).toEqual([]);
    expect(text()).toBe('/help|');
  });

  test('a fully typed command wins over the selection in the list', async () => {
    const { press, sent } = composerFixture();
    await press('/help\r');
    expect(sent[0]?.text).toBe('/help');
  });

  test('Tab inserts the selection with a space and then completes its arguments', async () => {
    const { press, text, rows, sent } = composerFixture();
    await press('/mo', KEYS.tab);
    expect(text()).toBe('/model |');
    expect(rows()[0]).toContain('▸ show');
    await press('cl', KEYS.enter);
    expect(sent[0]?.text).toBe('/model clear');
  });

  test('completes files anywhere in the text and stays closed after Esc until the next word', async () => {
    const { press, text, rows, sent } = composerFixture({ files: ['src/a.ts', 'src/b.ts'] });
    await press('read @b');
    expect(rows()[0]).toContain('▸ src/b.ts');
    await press(KEYS.esc);
    expect(rows()[0]).toMatch(/^╭/);
    await press('.');
    expect(rows()[0]).toMatch(/^╭/);
    await press(KEYS.backspace, ' and @a', KEYS.enter);
    expect(text()).toBe('read @b and @src/a.ts |');
    expect(sent).toEqual([]);
  });
});

test('vim mode edits and sends, and reaches the history past the first line', async () => {
  const { press, text, sent } = composerFixture({ said: ['before'] });
  await press(KEYS['alt+v'], 'one two', KEYS.esc, 'b', 'cwthree', KEYS.esc);
  expect(text()).toBe('one thre|e');
  expect(await press('k')).toBe(true);
  expect(text()).toBe('before|');
  await press('j', KEYS.enter);
  expect(sent[0]?.text).toBe('one three');
});

test('a dropped image becomes a chip, and a path without an image stays text', async () => {
  await using dir = await tempDir();
  await dir.write({ 'shot one.png': 'not really' });
  const { press, text } = composerFixture();
  await press(`\x1b[200~'${dir.path}/shot one.png'\x1b[201~`);
  await until(() => text().includes(']'));
  expect(text()).toBe('[shot one.png]|');
  await press('\x15', `\x1b[200~/no/such.png\x1b[201~`);
  await until(() => text().includes('such'));
  expect(text()).toBe('/no/such.png|');
});

test('random input never throws and always fits the screen', async () => {
  const bytes = fc.oneof(
    fc.constantFrom(
      ...Object.values(KEYS),
      '\x0e',
      '\x10',
      '\x15',
      '\x19',
      '\x1a',
      '\x17',
      '\x1b[1;2A',
      '\x1b[6~',
      '/m',
      '@',
      'x',
      'dw',
    ),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.string({ unit: 'binary', maxLength: 30 }).map((text) => `\x1b[200~${text}\x1b[201~`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 25 }), fc.integer({ min: 8, max: 70 }), async (typed, width) => {
      const { press, composer } = composerFixture({ said: ['one', 'two\nlines 日本'], files: ['a b.ts'] });
      await press(...typed);
      const height = 12;
      const { lines, cursor } = composer.draw({ width, height });
      expect(lines.length).toBeLessThanOrEqual(height);
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
      expect(lines.map((line) => line.map(({ text }) => text).join('')).join('')).not.toMatch(/\p{Cc}/u);
      expect(cursor && cursor.row >= 0 && cursor.row < lines.length && cursor.column < width).toBe(true);
    }),
  );
});

test('restores a cancelled message before a draft started later', async () => {
  const { composer, text, press } = composerFixture();
  composer.giveBack('first');
  expect(text()).toBe('first|');
  await press('!');
  composer.giveBack('sooner');
  expect(text()).toBe('sooner\nfirst!|');
});
