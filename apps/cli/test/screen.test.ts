import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Reply, Script } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { MAIN } from './binary.ts';
import { type TestComputer, testComputer, withoutTitles } from './harness.ts';
import { hasTmux, openTerminal, type Terminal } from './terminal.ts';

const isRequired = process.env.FUCINA_TEST_REQUIRE === '1';
const shell = (comando: string): Reply => ({ toolCalls: [{ name: 'shell', arguments: { comando } }] });
const HANGS: Reply = { text: ['I begin. ', 'I go on.'], fault: { kind: 'hang-mid-stream' } };
/** While a turn runs. */
const BUSY = 'Esc to stop';
const RESTORED = { isAlternate: false, hasMouse: false, hasCursor: true, wraps: true };

interface Opening {
  args?: string;
  env?: Record<string, string>;
  size?: readonly [width: number, height: number];
}

/** The screen in a terminal; its process writes its id into `pid` of the home folder. */
async function open(
  computer: TestComputer,
  { args = '-m ollama:tiny', env = {}, size = [100, 30] }: Opening = {},
): Promise<Terminal> {
  const command = `sh -c 'echo $$ > "$HOME/pid"; exec "${process.execPath}" "${MAIN}" ${args}'`;
  const [width, height] = size;
  await withoutTitles(computer);
  return openTerminal(command, { env: { ...computer.env, ...env }, cwd: computer.project.path, width, height });
}

const pidOf = (computer: TestComputer): number => Number(readFileSync(join(computer.env.HOME ?? '', 'pid'), 'utf8'));

async function settings(computer: TestComputer, values: object): Promise<void> {
  await mkdir(computer.configDir, { recursive: true });
  await writeFile(join(computer.configDir, 'settings.json'), JSON.stringify({ version: 2, ...values }));
}

(hasTmux || isRequired ? describe : describe.skip)('the screen in a real terminal (skipped without tmux)', () => {
  test('shows the start screen and an answer, and leaves the conversation in the terminal after Ctrl+D', async () => {
    await using computer = await testComputer([{ text: 'Hello **back**.' }]);
    await using terminal = await open(computer);
    const first = await terminal.shows('Describe a task ·');
    expect(first).toContain('Model: ollama:tiny');
    expect(await terminal.state()).toMatchObject({ isAlternate: true, hasMouse: true });
    await terminal.type('hello', 'Enter');
    await terminal.shows('Hello back.');
    await terminal.hides(BUSY);
    await terminal.type('C-d');
    const left = await terminal.shows('[exit 0]');
    expect(left).toMatch(
      /▌ hello\n\nHello back\.\n\n[\d.]+ m?s · \d+ tokens\n\nContinue with: fucina --resume [\da-f-]{36}\n/,
    );
    expect(await terminal.state()).toEqual(RESTORED);
  });

  test('says why the model is asked again and when, and Enter asks at once', async () => {
    await using computer = await testComputer([
      { fault: { kind: 'status', status: 429, retryAfter: 600 } },
      { text: 'Here **again**.' },
    ]);
    await using terminal = await open(computer);
    await terminal.shows('Describe a task ·');
    await terminal.type('hello', 'Enter');
    expect(await terminal.shows('Enter to try now')).toMatch(/The provider is busy; try 2 of 10 in \d+ s/);
    await terminal.type('Enter');
    await terminal.shows('Here again.');
    await terminal.hides(BUSY);
  });

  test('the model names a new conversation after its first answer', async () => {
    await using computer = await testComputer((request) =>
      JSON.stringify(request.body).includes('You name conversations') ? { text: 'Greet the user' } : { text: 'Hello.' },
    );
    await settings(computer, { ui: { titles: true } });
    await using terminal = await open(computer);
    await terminal.shows('Describe a task ·');
    await terminal.type('hello', 'Enter');
    await terminal.shows('Hello.');
    const isNamed = async () => (await computer.run(['sessions'])).stdout.includes('Greet the user');
    // The scripted model answers in this process, between two looks.
    while (!(await isNamed())) await pause(20);
  });

  test('ui.exitOutput resume prints only the resume command, and nothing for an empty session', async () => {
    await using computer = await testComputer([{ text: 'Hello.' }]);
    await settings(computer, { ui: { exitOutput: 'resume' } });
    await using terminal = await open(computer);
    await terminal.shows('Describe a task ·');
    await terminal.type('hi', 'Enter');
    await terminal.shows('Hello.');
    await terminal.hides(BUSY);
    await terminal.type('C-d');
    expect((await terminal.shows('[exit 0]')).trim()).toMatch(/^Continue with: fucina --resume \S+\n\[exit 0\]$/);
    await using empty = await open(computer);
    await empty.shows('Describe a task ·');
    await empty.type('C-d');
    expect((await empty.shows('[exit 0]')).trim()).toBe('[exit 0]');
  });

  test('shows a running command, and Esc stops the turn', async () => {
    await using computer = await testComputer([shell('echo one; sleep 0.3; echo two; sleep 60'), { text: 'Never.' }]);
    await using terminal = await open(computer);
    await terminal.shows('Describe a task ·');
    await terminal.type('run it', 'Enter');
    const running = await terminal.shows('  two\n');
    expect(running).toMatch(/● Running {2}echo one; sleep/);
    expect(running).toContain('Esc to stop');
    await terminal.type('Escape');
    const stopped = await terminal.shows('■ Stopped.');
    expect(stopped).toMatch(/✗ Ran {2}echo one.* stopped/);
    await terminal.type('C-d');
    await terminal.shows('[exit 0]');
  });

  test('Ctrl+C stops the turn, and pressing it twice exits', async () => {
    await using computer = await testComputer([HANGS]);
    await using terminal = await open(computer);
    await terminal.shows('Describe a task ·');
    await terminal.type('go', 'Enter');
    await terminal.shows('I begin.');
    await terminal.type('C-c');
    await terminal.shows('Press Ctrl+C again to exit');
    await terminal.shows('■ Stopped.');
    // Sent together: a separate second one could arrive when the shell has the terminal again.
    await terminal.type('C-c', 'C-c');
    await terminal.shows('[exit 0]');
    expect(await terminal.state()).toEqual(RESTORED);
  });

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('%s restores the terminal and ends the turn', async (signal) => {
    await using computer = await testComputer([HANGS]);
    await using terminal = await open(computer);
    await terminal.shows('Describe a task ·');
    expect(await terminal.state()).toMatchObject({ isAlternate: true, hasMouse: true });
    await terminal.type('go', 'Enter');
    await terminal.shows('I begin.');
    process.kill(pidOf(computer), signal);
    await terminal.shows('[exit 130]');
    expect(await terminal.state()).toEqual(RESTORED);
    const { stdout } = await computer.run(['sessions', 'list']);
    expect(stdout).toMatch(/ stopped /);
  });

  test('a closed terminal ends the program', async () => {
    await using computer = await testComputer([HANGS]);
    const terminal = await open(computer);
    await terminal.shows('Describe a task ·');
    await terminal.type('go', 'Enter');
    await terminal.shows('I begin.');
    const pid = pidOf(computer);
    await terminal[Symbol.asyncDispose]();
    while (existsSync(`/proc/${pid}/stat`)) await pause(20);
    const { stdout } = await computer.run(['sessions', 'list']);
    expect(stdout).toMatch(/ stopped /);
  });

  test('adapts to the terminal size, even a very small one', async () => {
    await using computer = await testComputer([
      { text: 'A sentence that is quite a bit longer than forty columns are wide.' },
    ]);
    await using terminal = await open(computer);
    await terminal.shows('Describe a task ·');
    await terminal.type('go', 'Enter');
    await terminal.shows('columns are wide.');
    await terminal.resize(40, 10);
    const small = await terminal.shows('columns are wide.\n');
    expect(
      small
        .split('\n')
        .slice(0, 10)
        .every((line) => [...line].length <= 40),
    ).toBe(true);
    expect(small).toContain('› Describe');
    await terminal.resize(120, 40);
    await terminal.shows('quite a bit longer than forty columns are wide.');
    await terminal.resize(20, 4);
    await pause(200);
    await terminal.type('x');
    await terminal.shows('› x');
    await terminal.type('C-c', 'C-d');
    await terminal.shows('[exit 0]');
  });

  test('keeps its scroll position while the user reads above, and counts new rows', async () => {
    const lines = Array.from({ length: 80 }, (_, at) => `line ${at}`).join('\n\n');
    await using computer = await testComputer([{ text: lines }, { text: 'The end of it.' }]);
    await using terminal = await open(computer);
    await terminal.shows('Describe a task ·');
    await terminal.type('go', 'Enter');
    await terminal.shows('line 79');
    // The end of the turn is a new row, too.
    await terminal.hides(BUSY);
    await terminal.type('PPage');
    const above = await terminal.shows('↓ more below');
    expect(above).not.toContain('line 79');
    await terminal.type('again', 'Enter');
    const later = await terminal.shows('new lines below');
    expect(later.split('\n')[0]).toBe(above.split('\n')[0]);
    await terminal.type('NPage', 'NPage', 'NPage');
    await terminal.shows('The end of it.');
  });

  test('searches the conversation, shows sources, folds and unfolds', async () => {
    const script: Script = [shell('echo needle-one'), { text: '# Title\n\nSome **needle** here.' }];
    await using computer = await testComputer(script);
    await using terminal = await open(computer);
    await terminal.shows('Describe a task ·');
    await terminal.type('go', 'Enter');
    expect(await terminal.shows('Some needle here.')).not.toContain('  needle-one');
    await terminal.type('C-o');
    await terminal.shows('  needle-one');
    await terminal.type('M-t');
    await terminal.type('needle');
    await terminal.shows('3 of 3');
    await terminal.type('Enter');
    await terminal.shows('2 of 3');
    await terminal.type('Escape');
    await terminal.type('M-r');
    await terminal.shows('Some **needle** here.');
    await terminal.type('M-c');
    await terminal.shows('Last answer copied to the clipboard.');
  });

  test('the mouse wheel scrolls, and a click unfolds one tool call', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n\n');
    await using computer = await testComputer([shell('echo from-the-call'), { text: lines }]);
    await using terminal = await open(computer);
    await terminal.shows('Describe a task ·');
    await terminal.type('go', 'Enter');
    await terminal.shows('line 59');
    for (let turn = 0; turn < 40; turn += 1) await terminal.type('-l', '\x1b[<64;5;5M');
    const top = await terminal.shows('▌ go');
    expect(top).not.toContain('  from-the-call');
    const row = top.split('\n').findIndex((line) => line.startsWith('✓ Ran')) + 1;
    await terminal.type('-l', `\x1b[<0;3;${row}M`);
    await terminal.shows('  from-the-call');
    for (let turn = 0; turn < 60; turn += 1) await terminal.type('-l', '\x1b[<65;5;5M');
    await terminal.shows('line 59');
  });

  test('a program that borrows the terminal can be interrupted without closing the screen', async () => {
    await using computer = await testComputer([{ text: 'Hello.' }]);
    await using terminal = await open(computer, { env: { VISUAL: `sh -c 'echo in the editor; sleep 60'` } });
    await terminal.shows('Describe a task ·');
    await terminal.type('C-g');
    await terminal.shows('in the editor');
    await terminal.type('C-c');
    await terminal.shows('Describe a task ·');
    await terminal.type('still here', 'Enter');
    await terminal.shows('Hello.');
  });

  test('asks for approval above the composer and uses the answer', async () => {
    await using computer = await testComputer([shell('echo made > made.txt'), { text: 'Done.' }]);
    await using terminal = await open(computer, { args: '-m ollama:tiny --permissions on-request' });
    await terminal.shows('Describe a task ·');
    await terminal.type('go', 'Enter');
    await terminal.shows('Yes, once');
    expect(existsSync(join(computer.project.path, 'made.txt'))).toBe(false);
    await pause(500);
    await terminal.type('1');
    await terminal.shows('Done.');
    expect(existsSync(join(computer.project.path, 'made.txt'))).toBe(true);
  });

  test('a prompt given as an argument is sent at once, and --continue reopens the session', async () => {
    await using computer = await testComputer([{ text: 'First answer.' }, { text: 'Second answer.' }]);
    await using terminal = await open(computer, { args: '-m ollama:tiny "say something"' });
    await terminal.shows('First answer.');
    await terminal.hides(BUSY);
    await terminal.type('C-d');
    await terminal.shows('[exit 0]');
    await using again = await open(computer, { args: '--continue' });
    expect(await again.shows('First answer.')).toContain('▌ say something');
    await again.type('more', 'Enter');
    await again.shows('Second answer.');
  });

  test('a session whose process was killed during a turn can be resumed', async () => {
    await using computer = await testComputer([HANGS, { text: 'Going on.' }]);
    await using terminal = await open(computer);
    await terminal.shows('Describe a task ·');
    await terminal.type('go', 'Enter');
    await terminal.shows('I begin.');
    process.kill(pidOf(computer), 'SIGKILL');
    await terminal.shows('[exit 137]');
    await using again = await open(computer, { args: '--continue' });
    expect(await again.shows('The turn was interrupted.')).toContain('I begin.');
    await again.type('go on', 'Enter');
    await again.shows('Going on.');
  });

  test('a startup error is printed without opening the screen, with its exit code', async () => {
    await using computer = await testComputer([]);
    await using unknown = await open(computer, { args: '--resume 00000000-0000-4000-8000-000000000000' });
    await unknown.shows('[exit 1]');
    expect(await unknown.state()).toEqual(RESTORED);
    await mkdir(computer.configDir, { recursive: true });
    writeFileSync(join(computer.configDir, 'settings.json'), '{ nonsense');
    await using broken = await open(computer);
    expect(await broken.shows('[exit 78]')).toContain('CONFIG_INVALID');
  });

  test('explains how to add a model when there is none', async () => {
    await using computer = await testComputer([]);
    await computer.leaveNoDefaultModel();
    await using terminal = await open(computer, { args: '' });
    expect(await terminal.shows('No model yet.')).toContain('fucina provider set-key');
    await terminal.type('hello', 'Enter');
    expect(await terminal.shows('No model selected.')).toContain('› hello');
  });

  test('animates nothing when reduced motion is set', async () => {
    await using computer = await testComputer([HANGS]);
    await using terminal = await open(computer, { env: { FUCINA_REDUCED_MOTION: '1' } });
    await terminal.shows('Describe a task ·');
    await terminal.type('go', 'Enter');
    expect(await terminal.shows('● Writing')).toContain('Esc to stop');
  });
});
