import { PassThrough } from 'node:stream';
import type { Script } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { ASKS_EVERYTHING, ASKS_FORM, asksFor, declareEverything, FORM } from './asking.ts';
import { answers, ofKind, open } from './conversation-fixture.ts';
import { plain, type TestComputer, testComputer } from './harness.ts';

/** The tool's result for the model. */
const seenByModel = (computer: TestComputer): string => JSON.stringify(computer.model.requests.at(-1)?.body);
const accepted = (content: object): string =>
  JSON.stringify(JSON.stringify({ action: 'accept', content })).slice(1, -1);
const forms = (s: Awaited<ReturnType<typeof open>>) => ofKind(s, 'elicitation').map(({ state }) => state);

describe('a form of an MCP server on the screen', () => {
  test('shows every field type and sends the entered values', async () => {
    await using s = await open([ASKS_EVERYTHING, { text: 'Done.' }]);
    await declareEverything(s.computer);
    await s.say('go');
    await s.until(() => s.conversation.request() !== undefined);
    const request = s.conversation.request();
    expect(request).toMatchObject({ kind: 'elicitation', server: 'all', form: { required: ['name'] } });
    expect(s.called).toEqual(['request']);
    expect(forms(s)).toEqual(['waiting']);
    const wrong = { action: 'accept', content: { name: 3 } } as const;
    await expect(s.conversation.respond({ kind: 'elicitation', answer: wrong })).rejects.toMatchObject({
      code: 'ELICITATION_ANSWER_INVALID',
    });
    await s.until(() => s.conversation.request() !== undefined);
    // The same object: text typed in its card is still there.
    expect(s.conversation.request()).toBe(request);
    const content = { name: 'Ada', integer: 7, check: true };
    await s.conversation.respond({ kind: 'elicitation', answer: { action: 'accept', content } });
    await s.idle();
    expect(seenByModel(s.computer)).toContain('- Name: Ada');
    expect(seenByModel(s.computer)).toContain('- Favorite Integer: 7');
    expect(forms(s)).toEqual(['accept']);
    expect(s.failures).toEqual([]);
  });

  test('closes when the turn stops', async () => {
    await using s = await open([ASKS_FORM, { text: 'Done.' }]);
    await asksFor(s.computer, FORM);
    await s.say('go');
    await s.until(() => s.conversation.request() !== undefined);
    await s.conversation.stop();
    await s.idle();
    expect(s.conversation.request()).toBeUndefined();
    expect(forms(s)).toEqual(['cancel']);
  });

  test('is declined in dontAsk mode', async () => {
    await using s = await open([ASKS_FORM, { text: 'Done.' }], { isUnattended: true });
    await asksFor(s.computer, FORM);
    await s.say('go');
    await s.until(() => answers(s).length === 1);
    await s.idle();
    expect(seenByModel(s.computer)).toContain('decline');
    expect(s.called).toEqual(['turn-over']);
  });

  test('is shown when a sub-agent called the server', async () => {
    const script: Script = ({ body }) => {
      const text = JSON.stringify((body as { messages: unknown[] }).messages);
      if (text.includes('"role":"tool"')) return { text: 'Done.' };
      if (text.includes('look around')) return ASKS_FORM;
      return { toolCalls: [{ name: 'delega_sottotask', arguments: { task: 'look around' } }] };
    };
    await using s = await open(script);
    await asksFor(s.computer, FORM);
    await s.say('go');
    await s.until(() => s.conversation.request() !== undefined);
    expect(s.conversation.request()).toMatchObject({ kind: 'elicitation', server: 'crm', message: FORM.message });
    await s.conversation.respond({ kind: 'elicitation', answer: { action: 'accept', content: { name: 'Ada' } } });
    await s.idle();
    expect(JSON.stringify(s.computer.model.requests.map(({ body }) => body))).toContain(
      accepted({ name: 'Ada', size: 'small' }),
    );
  });
});

describe('a form of an MCP server in one-shot mode', () => {
  test('is declined at once without a terminal, and reported', async () => {
    await using computer = await testComputer([ASKS_FORM, { text: 'ok' }]);
    await asksFor(computer, { ...FORM, message: 'Who?\x1b[2J' });
    const { exit, stdout, stderr } = await computer.go();
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'ok\n' });
    expect(plain(stderr)).toContain(
      'Declined, because there is no terminal to ask on: the server crm asked “Who?␛[2J”.',
    );
    expect(seenByModel(computer)).toContain('decline');
  });

  test('is asked line by line on a terminal and validates each answer', async () => {
    await using computer = await testComputer([ASKS_FORM, { text: 'ok' }]);
    await asksFor(computer, FORM);
    const typed = ['y', '', 'A name that is much too long', 'Ada', '2', '31.1.2026', '2026-01-31', 'y'];
    const { exit, stderr } = await computer.go([], { answers: typed });
    const shown = plain(stderr);
    expect(exit).toBe(0);
    expect(shown).toContain('? The server crm asks you\n    Who is the customer?\n');
    expect(shown).toContain('    Name *\n      As on the invoice\n      Required. At most 20 characters.\n');
    expect(shown).toContain('      1 small\n      2 large\n');
    expect(shown).toContain('a number; leave empty for small ›');
    expect(shown.match(/› {5}(Required|At most 20 characters|Enter a date, such as 2026-01-31)\.$/gm)).toHaveLength(3);
    expect(seenByModel(computer)).toContain(accepted({ name: 'Ada', size: 'large', since: '2026-01-31' }));
  });

  test.each([
    [['n'], 'decline'],
    [['y', 'Ada', '', '', 'n'], 'decline'],
  ])('typing %j answers %s', async (typed, action) => {
    await using computer = await testComputer([ASKS_FORM, { text: 'ok' }]);
    await asksFor(computer, FORM);
    expect((await computer.go([], { answers: typed })).exit).toBe(0);
    expect(seenByModel(computer)).toContain(action);
  });

  test('shows the whole address of a page and opens nothing by itself', async () => {
    await using computer = await testComputer([ASKS_FORM, { text: 'ok' }]);
    const url = 'https://bank.example@evil.example/sign-in';
    await asksFor(computer, { mode: 'url', elicitationId: 'e', message: 'Sign in.', url });
    const { stderr } = await computer.go([], { answers: ['y'] });
    expect(plain(stderr)).toContain(`    The server asks you to open a page on evil.example\n    ${url}\n`);
    expect(seenByModel(computer)).toContain('accept');
  });

  test.each([
    ['answers it by its record', { name: 'Ada' }, accepted({ name: 'Ada', size: 'small' })],
    ['that answers what does not fit has declined', { name: 3 }, 'decline'],
  ])('a stream-json client %s', async (_title, content, outcome) => {
    await using computer = await testComputer([ASKS_FORM, { text: 'ok' }]);
    await asksFor(computer, FORM);
    const input = new PassThrough();
    input.write(`${JSON.stringify({ type: 'user', message: 'go' })}\n`);
    const { exit } = await computer.run(['--input-format', 'stream-json', '--model', 'ollama:tiny'], {
      stream: input,
      watch({ stdout }) {
        const requestId = /"requestId":"([\w-]+)","stato":"in-attesa"/.exec(stdout)?.[1];
        if (!requestId || input.writableEnded) return;
        input.end(`${JSON.stringify({ type: 'elicitation', requestId, action: 'accept', content })}\n`);
      },
    });
    expect(exit).toBe(0);
    expect(seenByModel(computer)).toContain(outcome);
  });
});
