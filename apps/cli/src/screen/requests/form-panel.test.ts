import { describe, expect, test } from '@jest/globals';
import { requestFixture } from '../../../test/request-fixture.ts';
import { lineWidth } from '../render/width.ts';
import type { OpenRequest } from '../workbench.ts';

const asks = (form: Record<string, unknown>, message = 'Who are you?'): OpenRequest => ({
  kind: 'elicitation',
  requestId: 'r',
  server: 'crm',
  message,
  form,
});
const FORM = {
  properties: {
    name: { type: 'string', title: 'Name', description: 'As on the door', maxLength: 8 },
    sure: { type: 'boolean', title: 'Sure' },
    colour: { type: 'string', title: 'Colour', enum: ['red', 'green'], default: 'green' },
    tools: { type: 'array', title: 'Tools', items: { type: 'string', enum: ['saw', 'nail', 'glue'] }, minItems: 1 },
  },
  required: ['name', 'tools'],
};

describe('a form', () => {
  test('shows its fields, their values and the description of the selected one', async () => {
    expect(
      (await requestFixture(asks(FORM))).screen(60, 16),
    ).toBe(`╭─ The server crm asks you ────────────────────────────────╮
│ Who are you?                                             │
│ This text comes from the server, not from Fucina. Do not │
│ enter anything you would not share with a stranger.      │
│ ▸ 1 Name *  —                                            │
│     As on the door                                       │
│     Required. At most 8 characters.                      │
│   2 Sure  —                                              │
│   3 Colour  green                                        │
│   4 Tools *  —                                           │
│                                                          │
│   5 Send                                                 │
│   6 Decline                                              │
│ ↑↓ Enter or a number · v show all · Esc dismiss          │
╰──────────────────────────────────────────────────────────╯`);
  });

  test('is filled in field by field and sent', async () => {
    const { press, answers, screen } = await requestFixture(asks(FORM));
    press('enter', ...'Ada', 'enter');
    expect(screen(60, 20)).toContain('1 Name *  Ada');
    press('space', 'down', 'enter', '1');
    expect(screen(60, 20)).toContain('3 Colour  red');
    press('enter', 'space', 'down', 'down', 'space', 'enter');
    expect(screen(60, 20)).toContain('4 Tools *  saw, glue');
    expect(screen(60, 20)).toContain('▸ 5 Send');
    press('enter');
    const content = { name: 'Ada', sure: true, colour: 'red', tools: ['saw', 'glue'] };
    expect(answers).toEqual([{ kind: 'elicitation', answer: { action: 'accept', content } }]);
  });

  test('is not sent with an invalid value and shows the error at the field', async () => {
    const { press, answers, screen } = await requestFixture(asks(FORM));
    press('1', ...'Ada Lovelace', 'enter');
    expect(screen(60, 20)).toContain('│     ✗ At most 8 characters.');
    expect(screen(60, 20)).toContain('▸ 1 Name *  Ada Lovelace');
    press('1', 'backspace', 'backspace', 'backspace', 'backspace', 'enter');
    expect(screen(60, 20)).toContain('1 Name *  Ada Love');
    press('5');
    expect(answers).toEqual([]);
    expect(screen(60, 20)).toContain('▸ 4 Tools *  —');
    expect(screen(60, 20)).toContain('│     ✗ Required.');
    press('4', '2', 'enter', 'enter');
    expect(answers).toMatchObject([{ answer: { content: { name: 'Ada Love', tools: ['nail'] } } }]);
  });

  test('Esc goes back and then cancels, and declining is a separate choice', async () => {
    const dropped = await requestFixture(asks(FORM));
    dropped.press('1', 'x', 'escape', '3', 'escape');
    expect(dropped.answers).toEqual([]);
    dropped.press('escape');
    expect(dropped.answers).toEqual([{ kind: 'elicitation', answer: { action: 'cancel' } }]);
    const declined = await requestFixture(asks(FORM));
    declined.press('6');
    expect(declined.answers).toEqual([{ kind: 'elicitation', answer: { action: 'decline' } }]);
  });

  test('keeps its values when the answer could not be sent', async () => {
    const { press, answers, screen, wait } = await requestFixture(asks(FORM), { fails: true });
    press('1', ...'Ada', 'enter', '4', '1', 'enter', '5');
    await wait(0);
    expect(screen(60, 20)).toContain('1 Name *  Ada');
    press('5');
    expect(answers).toHaveLength(2);
  });

  test('does not take over keys while the user is typing in the composer', async () => {
    const { press, composer, answers } = await requestFixture(asks(FORM));
    composer.text = 'half a sentence';
    expect(press('1', 'enter', 'escape')).toEqual([false, false, false]);
    press('tab', '6');
    expect(answers).toHaveLength(1);
  });

  test('without fields asks for confirmation', async () => {
    const { press, answers } = await requestFixture(asks({}));
    press('enter');
    expect(answers).toEqual([{ kind: 'elicitation', answer: { action: 'accept', content: {} } }]);
  });

  test('scrolls to the selected field on a small screen', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_item, at) => [
        `f${at}`,
        {
          type: 'string',
          title: `Field ${at}`,
          description: 'for this',
          enum: Array.from({ length: 40 }, (_one, place) => `${place}`),
        },
      ]),
    );
    const { panel, press, screen } = await requestFixture(asks({ properties: many }));
    press(...Array.from({ length: 17 }, () => 'down'));
    expect(screen(60, 12)).toContain('▸   Field 17');
    expect(screen(60, 12)).toContain('for this');
    press(...Array.from({ length: 9 }, () => 'up'));
    expect(screen(60, 12)).toContain('▸ 9 Field 8');
    press('enter', ...Array.from({ length: 25 }, () => 'down'));
    expect(screen(60, 12)).toMatch(/▸ {3}25/);
    press('enter');
    expect(screen(60, 14)).toContain('9 Field 8  25');
    for (let height = 1; height < 20; height += 1) {
      for (const width of [8, 20, 38, 80]) {
        const { lines } = panel.draw({ width, height });
        expect(lines.length).toBeLessThanOrEqual(height);
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
      }
    }
  });

  test('v shows the full request, with control characters escaped', async () => {
    const hostile = 'a\x1b[2J\u202e\x07b';
    const form = {
      properties: {
        x: { type: 'string', title: hostile, description: hostile, default: hostile },
        y: { type: 'string', title: hostile, enum: [hostile, 'z'], default: hostile },
      },
    };
    const { press, pages, screen } = await requestFixture({ ...asks(form, hostile), server: hostile } as OpenRequest);
    press('v');
    press('2');
    for (const text of [pages.join('\n'), screen(60, 20)]) {
      expect(text).toContain('a␛[2J<U+202E>␇b');
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    }
  });
});

describe('a page to open in the browser', () => {
  const page: OpenRequest = {
    kind: 'elicitation',
    requestId: 'r',
    server: 'bank',
    message: 'Sign in to go on.',
    url: 'https://bank.example@xn--evil.example/sign-in?x=1',
  };

  test('shows the whole address and its host', async () => {
    expect(
      (await requestFixture(page)).screen(60, 14),
    ).toBe(`╭─ The server bank asks you ───────────────────────────────╮
│ The server asks you to open a page on xn--evil.example   │
│ https://bank.example@xn--evil.example/sign-in?x=1        │
│ Sign in to go on.                                        │
│ This text comes from the server, not from Fucina. Do not │
│ enter anything you would not share with a stranger.      │
│                                                          │
│ ▸ 1 Copy address                                         │
│   2 I opened it                                          │
│   3 Decline                                              │
│ ↑↓ Enter or a number · v show all · Esc dismiss          │
╰──────────────────────────────────────────────────────────╯`);
  });

  test('is not confirmed by Enter or Space', async () => {
    const { press, answers, written, screen } = await requestFixture(page);
    press('enter', 'enter');
    expect(answers).toEqual([]);
    expect(written[0]).toBe(
      `\x1b]52;c;${Buffer.from(page.kind === 'elicitation' ? (page.url ?? '') : '').toString('base64')}\x07`,
    );
    expect(screen(60, 14)).toContain('1 Copied');
    press('2');
    expect(answers).toEqual([{ kind: 'elicitation', answer: { action: 'accept' } }]);
  });

  test.each([
    ['3', 'decline'],
    ['escape', 'cancel'],
  ])('key %s answers %s', async (name, action) => {
    const { press, answers } = await requestFixture(page);
    press(name);
    expect(answers).toEqual([{ kind: 'elicitation', answer: { action } }]);
  });
});
