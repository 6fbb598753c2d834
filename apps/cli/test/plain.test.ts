import { describe, expect, test } from '@jest/globals';
import { ASKS_FORM, asksFor, FORM } from './asking.ts';
import { MAIN } from './binary.ts';
import { type TestComputer, testComputer } from './harness.ts';
import { hasTmux, openTerminal } from './terminal.ts';

const isRequired = process.env.FUCINA_TEST_REQUIRE === '1';
const fucina = (computer: TestComputer, words: string, variables = '') =>
  openTerminal(`${variables} '${process.execPath}' '${MAIN}' -m ollama:tiny ${words}`, {
    env: computer.env,
    cwd: computer.project.path,
  });

(hasTmux || isRequired ? describe : describe.skip)('a conversation by lines (skipped without tmux)', () => {
  test('continues one session turn by turn and exits on /exit', async () => {
    await using computer = await testComputer([{ text: 'First answer.' }, { text: 'Second answer.' }]);
    await using terminal = await fucina(computer, '--plain');
    expect(await terminal.shows('›')).toContain('Describe a task.');
    await terminal.type('one', 'Enter');
    await terminal.shows('First answer.');
    await terminal.type('two \\', 'Enter');
    await terminal.shows('…');
    await terminal.type('lines', 'Enter');
    await terminal.shows('Second answer.');
    await terminal.type('/exit', 'Enter');
    const ended = await terminal.shows('[exit 0]');
    expect(ended).not.toContain('\x1b[?1049h');
    expect(computer.model.requests).toHaveLength(2);
    expect(computer.model.requests[1]?.lastText).toBe('two \nlines');
    expect(JSON.parse((await computer.run(['sessions', 'list', '--json'])).stdout).sessions).toHaveLength(1);
  });

  test('Ctrl+C stops a turn and keeps the conversation, Ctrl+D exits', async () => {
    let count = 0;
    await using computer = await testComputer(() =>
      count++ === 0 ? { text: 'half', fault: { kind: 'hang-mid-stream', after: 1 } } : { text: 'Again.' },
    );
    await using terminal = await fucina(computer, '', 'FUCINA_PLAIN=1');
    await terminal.shows('›');
    await terminal.type('one', 'Enter');
    await terminal.shows('half');
    await terminal.type('C-c');
    await terminal.shows('Stopp');
    await terminal.type('two', 'Enter');
    await terminal.shows('Again.');
    await terminal.type('C-d');
    await terminal.shows('[exit 0]');
  });

  test('asks for approval in text on a basic terminal', async () => {
    const call = { toolCalls: [{ name: 'shell', arguments: { comando: 'echo made' } }] };
    await using computer = await testComputer([call, { text: 'Done.' }]);
    await using terminal = await fucina(computer, '--permissions "On request" "run it now"', 'TERM=dumb');
    await terminal.shows('n deny ›');
    await terminal.type('y', 'Enter');
    await terminal.shows('\n›');
    await terminal.type('C-c');
    await terminal.shows('[exit 0]');
  });

  test('fills in a form of an MCP server line by line', async () => {
    await using computer = await testComputer([ASKS_FORM, { text: 'Done.' }]);
    await asksFor(computer, FORM);
    await using terminal = await fucina(computer, '--plain "run it now"');
    await terminal.shows('y fill in · n decline ›');
    await terminal.type('y', 'Enter');
    await terminal.shows('your answer ›');
    await terminal.type('Enter');
    await terminal.shows('Required.\n');
    await terminal.type('Ada', 'Enter');
    await terminal.shows('a number; leave empty for small ›');
    await terminal.type('2', 'Enter');
    await terminal.shows('leave empty to skip ›');
    await terminal.type('Enter');
    await terminal.shows('y send · n decline ›');
    await terminal.type('y', 'Enter');
    await terminal.shows('Done.');
    expect(JSON.stringify(computer.model.requests.at(-1)?.body)).toMatch(/accept.*Ada.*large/);
    await terminal.type('C-d');
    await terminal.shows('[exit 0]');
  });
});
