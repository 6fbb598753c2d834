import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Reply } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { MAIN } from './binary.ts';
import { type TestComputer, testComputer, withoutTitles } from './harness.ts';
import { hasTmux, openTerminal, type Terminal } from './terminal.ts';

const isRequired = process.env.FUCINA_TEST_REQUIRE === '1';
const PROMPT = 'at-the-shell$';
const RESTORED = { isAlternate: false, hasMouse: false, hasCursor: true, wraps: true };
const TAKEN = { isAlternate: true, hasMouse: true, wraps: false };
const ok = (): Reply => ({ text: 'Understood.' });

const fucina = `sh -c 'echo $$ > "$HOME/pid"; exec "${process.execPath}" "${MAIN}" -m ollama:tiny'`;
const pidOf = (computer: TestComputer): number => Number(readFileSync(join(computer.env.HOME ?? '', 'pid'), 'utf8'));

/** The screen, started in an interactive shell. */
async function openInShell(computer: TestComputer, env: Record<string, string> = {}): Promise<Terminal> {
  await withoutTitles(computer);
  const start = join(computer.env.HOME ?? '', 'start.sh');
  await writeFile(start, `${fucina.replace("sh -c '", '').replace(/'$/, '')}\n`);
  const terminal = await openTerminal(`PS1='${PROMPT}' bash --norc --noprofile -i`, {
    env: { ...computer.env, ...env },
    cwd: computer.project.path,
  });
  await terminal.shows(PROMPT);
  await terminal.type(`sh ${start}`, 'Enter');
  await terminal.shows('Describe a task ·');
  return terminal;
}

/** The screen has the whole terminal: size, modes, keys, pastes and title. */
async function expectScreen(terminal: Terminal): Promise<void> {
  expect(await terminal.state()).toMatchObject(TAKEN);
  expect(await terminal.title()).toContain('fucina');
  await terminal.paste('pasted one\npasted two');
  await terminal.shows('│   pasted two');
  await terminal.type('C-_');
  await terminal.hides('pasted two');
}

(hasTmux || isRequired ? describe : describe.skip)('job control (skipped without tmux)', () => {
  test('Ctrl+Z gives the terminal back to the shell, and fg restores the screen in its new size', async () => {
    await using computer = await testComputer(ok);
    await using terminal = await openInShell(computer);
    const before = await terminal.title();
    await terminal.type('a draft');
    await terminal.shows('› a draft');
    await terminal.type('C-z');
    const stopped = await terminal.shows('Stopped');
    expect(stopped).not.toContain('a draft');
    expect(await terminal.state()).toEqual(RESTORED);
    expect(await terminal.title()).not.toBe(before);
    await terminal.type('echo in-$((20+2))', 'Enter');
    await terminal.shows('in-22');
    await terminal.resize(60, 20);
    await terminal.type('fg', 'Enter');
    const back = await terminal.shows('› a draft');
    expect(back).not.toContain(PROMPT);
    expect(back.split('\n').findIndex((line) => line.includes('› a draft'))).toBeLessThan(20);
    await expectScreen(terminal);
    await terminal.type(' sent', 'Enter');
    await terminal.shows('Understood.');
    await terminal.type('C-d');
    await terminal.shows('Continue with:');
    expect(await terminal.state()).toEqual(RESTORED);
  });

  test('a stop from elsewhere restores the terminal too, and one without warning is made good', async () => {
    await using computer = await testComputer(ok);
    await using terminal = await openInShell(computer);
    process.kill(pidOf(computer), 'SIGTSTP');
    await terminal.shows('Stopped');
    expect(await terminal.state()).toEqual(RESTORED);
    await terminal.type('fg', 'Enter');
    await terminal.hides(PROMPT);
    await terminal.shows('Describe a task ·');
    await expectScreen(terminal);
    process.kill(pidOf(computer), 'SIGSTOP');
    await terminal.shows('Stopped');
    await terminal.type('fg', 'Enter');
    await terminal.hides(PROMPT);
    await terminal.shows('Describe a task ·');
    await expectScreen(terminal);
  });

  test('in the background it stops again before it writes, and fg shows the screen', async () => {
    await using computer = await testComputer(ok);
    await using terminal = await openInShell(computer);
    await terminal.type('C-z');
    await terminal.shows('Stopped');
    await terminal.type('clear; bg; sleep 1; jobs', 'Enter');
    await terminal.shows('Stopped');
    expect(await terminal.state()).toEqual(RESTORED);
    await terminal.type('fg', 'Enter');
    await terminal.shows('Describe a task ·');
    await expectScreen(terminal);
  });

  test('an editor that is stopped stops the screen with it, and nothing is painted over the editor', async () => {
    await using computer = await testComputer(ok);
    const editor = join(computer.project.path, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\nclear; echo in the editor\nread line; printf "%s" "$line" > "$1"\n');
    await chmod(editor, 0o755);
    await using terminal = await openInShell(computer, { VISUAL: editor });
    await terminal.type('C-g');
    await terminal.shows('in the editor');
    await terminal.type('C-z');
    await terminal.shows('Stopped');
    await terminal.type('clear; fg', 'Enter');
    await terminal.hides(PROMPT);
    expect(await terminal.state()).toMatchObject({ isAlternate: false, hasMouse: false });
    await terminal.type('written there', 'Enter');
    await terminal.shows('› written there');
    await expectScreen(terminal);
  });

  test('Ctrl+Z leaves the screen where no shell could continue it', async () => {
    await using computer = await testComputer(ok);
    await withoutTitles(computer);
    await using terminal = await openTerminal(fucina, { env: computer.env, cwd: computer.project.path });
    await terminal.shows('Describe a task ·');
    await terminal.type('C-z', 'still here');
    await terminal.shows('› still here');
    expect(await terminal.state()).toMatchObject(TAKEN);
  });

  test('a user who undoes with Ctrl+Z keeps it', async () => {
    await using computer = await testComputer(ok);
    await computer.run(['config', 'set', 'ui.keymap', '{"undo":["ctrl+z"]}']);
    await using terminal = await openInShell(computer);
    await terminal.type('one', 'C-z');
    await terminal.hides('› one');
    expect(await terminal.state()).toMatchObject(TAKEN);
  });
});

async function chooseOpenAi(terminal: Terminal): Promise<void> {
  await terminal.type('M-p');
  await terminal.shows('▸ Ollama');
  await terminal.type('openai');
  await terminal.shows('▸ OpenAI');
  await terminal.type('Enter');
}

(hasTmux || isRequired ? describe : describe.skip)('while the screen is lent (skipped without tmux)', () => {
  test.each(['an editor', 'the prompt for a key'] as const)('%s stays alone on it', async (borrower) => {
    let answer = (_reply: Reply): void => undefined;
    const answered = new Promise<Reply>((resolve) => (answer = resolve));
    await using computer = await testComputer(() => answered);
    await computer.run(['provider', 'set-address', 'openai', computer.model.url]);
    await withoutTitles(computer);
    const VISUAL = `sh -c 'clear; echo shown alone; read line'`;
    await using terminal = await openTerminal(fucina, {
      env: { ...computer.env, VISUAL },
      cwd: computer.project.path,
    });
    await terminal.shows('Describe a task ·');
    await terminal.type('go', 'Enter');
    await terminal.shows('Esc to stop');
    if (borrower === 'an editor') await terminal.type('C-g');
    else await chooseOpenAi(terminal);
    const shown = borrower === 'an editor' ? 'shown alone' : 'Key for OpenAI (not shown):';
    const before = await terminal.shows(shown);
    answer({ text: 'The answer came meanwhile.' });
    const isOver = async () => (await computer.run(['sessions', 'list'])).stdout.includes(' done ');
    // The scripted model answers in this process, between two looks.
    while (!(await isOver())) await pause(20);
    expect(await terminal.screen()).toBe(before);
    await terminal.type('sk-test-0123456789', 'Enter');
    await terminal.shows('The answer came meanwhile.');
  });
});
