import type { Question } from '@fucina/conversation';
import { describe, expect, test } from '@jest/globals';
import { requestFixture, shown } from '../../../test/request-fixture.ts';
import type { AskedAction } from '../../asked-action.ts';
import { createTerminal } from '../../terminal.ts';
import { lineWidth } from '../render/width.ts';
import type { OpenRequest } from '../workbench.ts';
import { actionLines } from './action-lines.ts';

const approval = (action: AskedAction, before?: string | null): OpenRequest => ({
  kind: 'approval',
  requestId: 'r',
  action,
  folder: '/work',
  before,
});
const command = approval({ kind: 'shell', command: 'npm test', prefixes: ['npm test'] });

describe('an approval card', () => {
  test('shows the command, the answers and the rule that a permanent answer adds', async () => {
    expect((await requestFixture(command)).screen()).toBe(`╭─ Run this command? ──────────────────────────────────────╮
│ npm test                                                 │
│ in /work                                                 │
│                                                          │
│ ▸ 1 Yes, once                                            │
│   2 Yes, for this session  npm test …                    │
│   3 Yes, always  Bash(npm test)                          │
│   4 No                                                   │
│   5 No, never  Bash(npm test)                            │
│ ↑↓ Enter or a number · v show all · Esc deny             │
╰──────────────────────────────────────────────────────────╯`);
  });

  test.each([
    ['1', 'once'],
    ['2', 'session'],
    ['3', 'always'],
    ['4', 'deny-once'],
    ['5', 'deny-always'],
    ['escape', 'deny-once'],
    ['enter', 'once'],
  ])('key %s answers %s', async (name, choice) => {
    const { press, answers } = await requestFixture(command);
    expect(press(name)).toEqual([true]);
    expect(answers).toEqual([{ kind: 'approval', choice }]);
  });

  test('arrow keys choose, Enter answers, and a second answer is ignored', async () => {
    const { press, answers } = await requestFixture(command);
    press('down', 'down', 'down', 'up', 'enter', '1', 'enter');
    expect(answers).toEqual([{ kind: 'approval', choice: 'always' }]);
  });

  test('can be answered again when the answer could not be sent', async () => {
    const { press, answers, wait } = await requestFixture(command, { fails: true });
    press('1');
    await wait(0);
    press('4');
    expect(answers.map((answer) => answer.kind === 'approval' && answer.choice)).toEqual(['once', 'deny-once']);
  });

  test('for a file that can run code explains why and offers a rule of the project, but not the session', async () => {
    const { screen, press, answers } = await requestFixture(
      approval({ kind: 'scrivi', path: '.npmrc', content: 'a=1\n', reason: 'control-file' }, null),
    );
    expect(screen()).toContain('Create this file?');
    expect(screen()).toContain('This file can run code or grant more permissions later.');
    expect(screen()).not.toContain('2 Yes');
    expect(screen()).toContain('3 Yes, for this project  Write(.npmrc)');
    expect(press('2')).toEqual([true]);
    expect(answers).toEqual([]);
    press('3');
    expect(answers).toEqual([{ kind: 'approval', choice: 'always' }]);
  });

  test('offers no rule for a file that git runs', async () => {
    const action = { kind: 'scrivi', path: '.git/hooks/pre-commit', content: 'x', reason: 'control-file' };
    const { screen, press, answers } = await requestFixture(approval(action, null));
    expect(screen()).not.toContain('3 Yes');
    expect(press('3')).toEqual([true]);
    expect(answers).toEqual([]);
  });

  test('for a file that the sandbox hid offers the session and the project', async () => {
    const action = { kind: 'hidden-read', path: '/home/u/.config/foo', command: 'npm ci' };
    const { screen, press, answers } = await requestFixture(approval(action));
    expect(screen()).toContain('A command wanted to read this');
    expect(screen()).toContain('/home/u/.config/foo');
    expect(screen()).not.toContain('1 Yes');
    expect(screen()).toContain('2 Yes, for this session');
    expect(screen()).toContain('3 Yes, for this project  Read(/home/u/.config/foo)');
    expect(screen()).not.toContain('never');
    press('1', '5');
    expect(answers).toEqual([]);
    press('2');
    expect(answers).toEqual([{ kind: 'approval', choice: 'session' }]);
  });

  test('says that an answer for the session covers a command without a prefix as it is', async () => {
    const { screen, press, answers } = await requestFixture(
      approval({ kind: 'shell', command: 'npm test > out', prefixes: [] }),
    );
    expect(screen()).toContain('2 Yes, for this session  this exact command');
    press('2');
    expect(answers).toEqual([{ kind: 'approval', choice: 'session' }]);
  });

  test('offers no permanent answer when no rule can express it', async () => {
    const { screen } = await requestFixture(command, { rules: [] });
    expect(screen()).not.toMatch(/always|never/);
  });

  test('v shows the full request', async () => {
    const long = Array.from({ length: 60 }, (_item, index) => `line ${index + 1}`).join('\n');
    const { screen, press, pages } = await requestFixture(
      approval({ kind: 'scrivi', path: 'a.txt', content: long }, null),
    );
    expect(screen()).toContain('more lines (v to show all)');
    press('v');
    expect(pages[0]).toContain('60 + line 60');
  });

  test.each([
    ['long', Array.from({ length: 60 }, (_item, index) => `echo ${index + 1}`).join('\n')],
    ['blank-lined', `echo safe${'\n'.repeat(60)}`],
    ['wide', `echo safe ${'x '.repeat(2_000)};`],
  ])('shows the end of a %s command, also beside a long description of the model', async (_what, start) => {
    const description = 'Lists files.\n'.repeat(20);
    const action = { kind: 'shell', command: `${start}\nrm -rf ~`, description, prefixes: [] };
    for (const size of [
      [58, 24],
      [38, 12],
      [58, 10],
    ] as const) {
      const { screen, press, answers } = await requestFixture(approval(action));
      expect(screen(...size)).toContain('rm -rf ~');
      expect(screen(...size)).toMatch(/… \d+ more lines/);
      press('1');
      expect(answers).toEqual([{ kind: 'approval', choice: 'once' }]);
    }
  });

  test('shows all of a command before it is allowed where its end has no room, and can be denied at once', async () => {
    const action = { kind: 'shell', command: `echo safe${'\n'.repeat(60)}rm -rf ~`, prefixes: [] };
    const { screen, press, answers, pages } = await requestFixture(approval(action));
    expect(screen(38, 3)).not.toContain('rm -rf');
    press('1');
    expect(answers).toEqual([]);
    expect(pages[0]).toContain('rm -rf ~');
    press('1');
    expect(answers).toEqual([{ kind: 'approval', choice: 'once' }]);
    const other = await requestFixture(approval(action));
    other.screen(38, 3);
    other.press('4');
    expect(other.answers).toEqual([{ kind: 'approval', choice: 'deny-once' }]);
  });

  test('marks what the model says about a command as its words, on one line', async () => {
    const description = 'Lists files\nin /home';
    const { screen } = await requestFixture(approval({ kind: 'shell', command: 'rm x', description }));
    expect(screen()).toContain('│ The model says: “Lists files in /home”');
  });

  test('keeps the answers visible on a small screen', async () => {
    const { screen, panel } = await requestFixture(command);
    expect(screen(38, 8)).toBe(`╭─ Run this command? ────────────────╮
│ npm test                           │
│ in /work                           │
│ 1 Yes, once                        │
│ 2 Yes, for this session            │
│ 3 Yes, always  4 No  5 No, never   │
│ ↑↓ Enter or a number · v show all… │
╰────────────────────────────────────╯`);
    for (let height = 1; height < 20; height += 1) {
      for (const width of [8, 20, 38, 80]) {
        const { lines } = panel.draw({ width, height });
        expect(lines.length).toBeLessThanOrEqual(height);
        for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width);
      }
    }
  });

  test('of a command that wants to reach a host names program and host', async () => {
    const action = { kind: 'network', host: 'example.org', port: 443, program: 'npm', command: 'npm ci' };
    const rules = ['Network(example.org)'];
    expect(
      (await requestFixture(approval(action), { rules })).screen(),
    ).toBe(`╭─ npm wants to reach example.org:443 ─────────────────────╮
│ npm ci                                                   │
│ in /work                                                 │
│                                                          │
│ ▸ 1 Yes, once                                            │
│   2 Yes, for this session  example.org:443               │
│   3 Yes, for this project  Network(example.org)          │
│   6 Yes, for all projects  Network(example.org)          │
│   4 No                                                   │
│   5 No, never  Network(example.org)                      │
│ ↑↓ Enter or a number · v show all · Esc deny             │
╰──────────────────────────────────────────────────────────╯`);
    const { program: _programma, ...unnamed } = action;
    const italian = await requestFixture(approval(unnamed), { rules, language: 'it' });
    expect(italian.screen()).toContain('Un comando vuole connettersi a example.org:443');
  });

  test('names the sub-agent that asks', async () => {
    const { screen, panel } = await requestFixture({ ...command, agentTask: 'look\naround' });
    expect(screen().split('\n').slice(0, 3)).toEqual([
      'Requested by the agent working on: look around',
      '╭─ Run this command? ──────────────────────────────────────╮',
      '│ npm test                                                 │',
    ]);
    for (let height = 1; height < 20; height += 1)
      expect(panel.draw({ width: 38, height }).lines.length).toBeLessThanOrEqual(height);
    expect(screen(38, 7)).not.toContain('Asked by');
  });

  test('uses the keys set by the user', async () => {
    const { screen, press, answers } = await requestFixture(command, { keys: { 'approve-once': ['y'] } });
    expect(screen()).toContain('y Yes, once');
    press('y');
    expect(answers).toHaveLength(1);
  });

  test('is shown in Italian', async () => {
    expect((await requestFixture(command, { language: 'it_IT' })).screen()).toContain('Eseguire questo comando?');
  });
});

describe('a card that appears while the user types', () => {
  test('takes no key until typing pauses', async () => {
    const { press, answers, wait } = await requestFixture(command, { isFresh: true });
    await wait(200);
    // Neither an answer nor the start of a message.
    expect(press('1')).toEqual([true]);
    expect(press('h')).toEqual([false]);
    await wait(200);
    expect(press('enter')).toEqual([false]);
    await wait(350);
    expect(answers).toEqual([]);
    expect(press('1')).toEqual([true]);
    expect(answers).toHaveLength(1);
  });

  test('does not take over a draft', async () => {
    const { press, composer, answers } = await requestFixture(command, { isFresh: true });
    composer.text = 'version ';
    expect(press('1', '2')).toEqual([false, false]);
    expect(answers).toEqual([]);
  });

  test('takes no key while the composer has text, until Tab moves the focus', async () => {
    const { press, answers, composer, screen } = await requestFixture(command);
    composer.text = 'half a sentence';
    expect(press('1', 'enter', 'escape')).toEqual([false, false, false]);
    expect(screen()).toContain('Tab to answer here');
    expect(press('tab', '1')).toEqual([true, true]);
    expect(answers).toHaveLength(1);
  });

  test('passes other keys and the focus to the composer', async () => {
    const { press, composer, answers } = await requestFixture(command);
    expect(press('h')).toEqual([false]);
    composer.text = 'h';
    expect(press('1')).toEqual([false]);
    expect(answers).toEqual([]);
  });
});

const question = (over: Partial<Question> = {}): Question => ({
  id: 'q1',
  question: 'Which database?',
  why: 'The schema depends on it.',
  options: [{ label: 'Postgres' }, { label: 'SQLite', description: 'one file', recommended: true }],
  ...over,
});
const asked = (...questions: Question[]): OpenRequest => ({ kind: 'questions', requestId: 'r', questions });

describe('questions', () => {
  test('show why they are asked, the recommended option first, and a free-text answer', async () => {
    expect(
      (await requestFixture(asked(question()))).screen(52),
    ).toBe(`╭─ A question for you ─────────────────────────────╮
│ Which database?                                  │
│ The schema depends on it.                        │
│                                                  │
│ ▸ 1 SQLite  recommended · one file               │
│   2 Postgres                                     │
│   3 Something else…                              │
│ ↑↓ Enter or a number · Esc lets the agent decide │
╰──────────────────────────────────────────────────╯`);
  });

  test('are shown one at a time and can be revisited', async () => {
    const { press, answers, screen } = await requestFixture(
      asked(question(), question({ id: 'q2', question: 'Which port?' })),
    );
    expect(screen()).toContain('Question 1 of 2');
    press('1');
    expect(screen()).toContain('Which port?');
    press('left');
    expect(screen()).toContain('▸ 1 ● SQLite');
    press('2', 'enter');
    expect(answers).toEqual([{ kind: 'questions', answers: { q1: 'Postgres', q2: 'SQLite' } }]);
  });

  test('with several answers use check boxes', async () => {
    const { press, answers, screen } = await requestFixture(asked(question({ multiSelect: true })));
    press('space', 'down', 'space');
    expect(screen()).toContain('[x] Postgres');
    press('1', 'enter');
    expect(answers).toEqual([{ kind: 'questions', answers: { q1: ['Postgres'] } }]);
  });

  test('accept a free-text answer', async () => {
    const { press, answers, panel, screen } = await requestFixture(asked(question()));
    press('3', ...'My Own', 'backspace', 'n');
    expect(screen()).toContain('› My Own');
    expect(panel.draw({ width: 60, height: 14 }).cursor).toEqual({ row: 7, column: 10 });
    press('enter');
    expect(answers).toEqual([{ kind: 'questions', answers: { q1: 'My Own' } }]);
  });

  test('without options accept text at once, digits included', async () => {
    const { press, panel, answers } = await requestFixture(asked(question({ options: undefined })));
    press(...'v2?');
    panel.take({ kind: 'paste', text: ' pasted' });
    press('enter');
    expect(answers).toEqual([{ kind: 'questions', answers: { q1: 'v2? pasted' } }]);
  });

  test('Esc leaves the text field and then skips the question', async () => {
    const { press, answers } = await requestFixture(asked(question()));
    press('3', 'a', 'escape');
    expect(answers).toEqual([]);
    press('escape');
    expect(answers).toEqual([{ kind: 'questions', answers: undefined }]);
  });

  test('without an answer are left to the agent', async () => {
    const { press, answers } = await requestFixture(asked(question({ options: undefined })));
    press('enter');
    expect(answers).toEqual([{ kind: 'questions', answers: undefined }]);
  });
});

describe('a plan', () => {
  const plan: OpenRequest = { kind: 'plan', requestId: 'r', hash: 'h', content: '# Plan\n\n1. one\n2. two' };

  test('is shown as Markdown with its possible decisions', async () => {
    expect((await requestFixture(plan)).screen(50)).toBe(`╭─ Approve this plan? ───────────────────────────╮
│ Plan                                           │
│                                                │
│ 1. one                                         │
│ 2. two                                         │
│                                                │
│ ▸ 1 Approve, ask before edits                  │
│   2 Approve, auto-accept edits                 │
│   3 Request changes…                           │
│ ↑↓ Enter or a number · PgUp PgDn scroll · v s… │
╰────────────────────────────────────────────────╯`);
  });

  test.each([
    [['1'], { decision: 'procedi-con-conferma' }],
    [['2'], { decision: 'procedi-accetta-modifiche' }],
    [['down', 'enter'], { decision: 'procedi-accetta-modifiche' }],
    [['3', 'n', 'o', 'enter'], { decision: 'continua-a-pianificare', feedback: 'no' }],
    [['escape'], undefined],
    [['3', 'escape', '1'], { decision: 'procedi-con-conferma' }],
  ])('key %j decides %j', async (names, choice) => {
    const { press, answers } = await requestFixture(plan);
    press(...names);
    expect(answers).toEqual([{ kind: 'plan', choice }]);
  });

  test('scrolls when it is long, and v shows it in full', async () => {
    const content = Array.from({ length: 40 }, (_item, index) => `${index + 1}. step ${index + 1}`).join('\n');
    const { screen, press, pages } = await requestFixture({ ...plan, content });
    expect(screen()).toContain('1. step 1');
    press('pagedown');
    expect(screen()).not.toContain('step 1\n');
    press(...Array.from({ length: 20 }, () => 'pagedown'));
    expect(screen()).toContain('40. step 40');
    press('v');
    expect(pages[0]).toContain('40. step 40');
  });
});

test('control characters in an action cannot redraw its card', () => {
  const { say } = createTerminal({ env: {}, stdout: {}, stderr: {} } as never);
  const lines = actionLines(
    { kind: 'x\x1b[2J', command: 'a\x1b[1A\u202e', path: 'b\n\x07c', altro: 'd\x9b31m', ['n\x1bame']: 'e' },
    { say, folder: '/f\x1b', before: undefined, width: 40 },
  );
  expect(shown(lines)).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
});
