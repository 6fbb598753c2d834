import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { MAIN } from './binary.ts';
import { type TestComputer, testComputer, withoutTitles } from './harness.ts';
import { hasTmux, openTerminal, type Terminal } from './terminal.ts';

const isRequired = process.env.FUCINA_TEST_REQUIRE === '1';
const ok = () => ({ text: 'Understood.' });
const PLACEHOLDER = 'Describe a task ·';

async function open(computer: TestComputer, env: Record<string, string> = {}): Promise<Terminal> {
  const command = `'${process.execPath}' '${MAIN}' -m ollama:tiny`;
  await withoutTitles(computer);
  const terminal = await openTerminal(command, { env: { ...computer.env, ...env }, cwd: computer.project.path });
  await terminal.shows(PLACEHOLDER);
  return terminal;
}

/** The last user message in each request to the model, in order. */
function heard(computer: TestComputer): string[] {
  return computer.model.requests.flatMap(({ body }) => {
    const { messages = [] } = (body ?? {}) as { messages?: { role: string; content: unknown }[] };
    const last = messages.filter(({ role }) => role === 'user').at(-1);
    return last ? [typeof last.content === 'string' ? last.content : JSON.stringify(last.content)] : [];
  });
}

(hasTmux || isRequired ? describe : describe.skip)('writing in a real terminal (skipped without tmux)', () => {
  test('sends the typed text with its line breaks', async () => {
    await using computer = await testComputer(ok);
    await using terminal = await open(computer);
    await terminal.type('first lime', 'BSpace', 'BSpace', 'ne', 'C-j', 'second line');
    await terminal.shows('second line');
    await terminal.type('Enter');
    await terminal.shows('Understood.');
    expect(heard(computer).at(-1)).toContain('first line\nsecond line');
  });

  test('Shift+Enter, Ctrl+_ and Ctrl+Shift+Z work on terminals with extended keys', async () => {
    await using computer = await testComputer(ok);
    await using terminal = await open(computer);
    const raw = (bytes: string): Promise<void> =>
      terminal.type('-H', ...[...Buffer.from(bytes)].map((one) => one.toString(16)));
    await terminal.type('one');
    await raw('\x1b[13;2u');
    await terminal.type('two');
    await terminal.shows('│   two');
    await raw('\x1b[45;6u');
    await raw('\x1b[27;6;95~');
    await terminal.shows('› one  ');
    await raw('\x1b[122;6u');
    await raw('\x1b[27;6;90~');
    await terminal.shows('│   two');
  });

  test('a long paste is a chip and sent in full, a short one is text', async () => {
    await using computer = await testComputer(ok);
    await using terminal = await open(computer);
    const long = Array.from({ length: 120 }, (_, at) => `pasted line ${at}`).join('\n');
    await terminal.type('look at ');
    await terminal.paste(long);
    await terminal.shows('look at [pasted 120 lines]');
    await terminal.paste(' and\nthat');
    await terminal.shows('│   that');
    await terminal.type('Enter');
    await terminal.shows('Understood.');
    expect(heard(computer).at(-1)).toContain(`look at ${long} and\nthat`);
  });

  test('the history keeps prompts for the next session except those that begin with a space', async () => {
    await using computer = await testComputer(ok);
    {
      await using terminal = await open(computer);
      for (const words of ['fix the parser', ' a secret', 'write the docs']) {
        await terminal.type(words, 'Enter');
        await terminal.shows(PLACEHOLDER);
      }
      await terminal.type('/exit', 'Enter');
      await terminal.shows('[exit 0]');
    }
    await using terminal = await open(computer);
    await terminal.type('Up');
    await terminal.shows('› /exit');
    await terminal.type('C-r', 'pars');
    await terminal.shows('search: pars');
    await terminal.shows('› fix the parser');
    await terminal.type('Enter', '!');
    await terminal.shows('› fix the parser!');
    const kept = await readFile(join(computer.dataDir, 'prompt-history.jsonl'), 'utf8');
    expect(kept.split('\n')).toEqual(['"fix the parser"', '"write the docs"', '"/exit"', '']);
  });

  test('key bindings and prompt history can be configured', async () => {
    await using computer = await testComputer(ok);
    await computer.run(['config', 'set', 'ui.keymap', '{"newline":["alt+n"],"submit":["f5"],"vim":[]}']);
    await computer.run(['config', 'set', 'ui.history.persist', 'false']);
    await using terminal = await open(computer);
    await terminal.type('one', 'M-n', 'two');
    await terminal.shows('│   two');
    await terminal.type('Enter', 'F5');
    await terminal.shows('Understood.');
    expect(heard(computer).at(-1)).toContain('one\ntwo');
    await terminal.type('Up');
    await terminal.shows('│   two');
    expect(existsSync(join(computer.dataDir, 'prompt-history.jsonl'))).toBe(false);
  });

  test('attaches the image on the clipboard', async () => {
    await using computer = await testComputer(ok);
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await writeFile(join(computer.project.path, 'wl-paste'), `#!/bin/sh\nprintf %s ${dot} | base64 -d\n`);
    await chmod(join(computer.project.path, 'wl-paste'), 0o755);
    await using terminal = await open(computer, { PATH: `${computer.project.path}:${computer.env.PATH}` });
    await terminal.type('see ', 'C-v');
    await terminal.shows('see [clipboard.png]');
    await terminal.type('Enter');
    await terminal.shows('Understood.');
    expect(heard(computer).at(-1)).toContain('image');
  });

  test('Tab completes commands, files and models', async () => {
    await using computer = await testComputer(ok, { 'src/parser.ts': '', 'README.md': '' });
    await using terminal = await open(computer);
    await terminal.type('/stat');
    await terminal.shows('▸ /status');
    await terminal.type('Tab', 'Enter');
    await terminal.shows('starts with the first message');
    await terminal.type('fix @pars');
    await terminal.shows('▸ src/parser.ts');
    await terminal.type('Tab', 'now');
    await terminal.shows('› fix @src/parser.ts now');
    await terminal.type('C-u', '/model ');
    await terminal.shows('▸ ollama:');
  });

  test('opens the user’s editor for the message', async () => {
    await using computer = await testComputer(ok);
    const editor = join(computer.project.path, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\nprintf \'%s, edited\\n\' "$(cat "$1")" > "$1"\n');
    await chmod(editor, 0o755);
    await using terminal = await open(computer, { VISUAL: editor });
    await terminal.type('a draft', 'C-g');
    await terminal.shows('› a draft, edited');
    await terminal.type(' twice', 'Enter');
    await terminal.shows('Understood.');
    expect(heard(computer).at(-1)).toContain('a draft, edited twice');
  });

  test('vim keys edit the message', async () => {
    await using computer = await testComputer(ok);
    await using terminal = await open(computer);
    await terminal.type('M-v', 'one two three');
    await terminal.shows('INSERT');
    await terminal.type('Escape');
    await terminal.shows('NORMAL');
    await terminal.type('0', 'w', 'ciw', 'five');
    await terminal.shows('one five three');
    await terminal.type('Escape');
    await terminal.shows('NORMAL');
    await terminal.type('d', 'd', 'p', 'u', 'u');
    await terminal.shows('one five three');
    await terminal.type('Enter');
    await terminal.shows('Understood.');
    expect(heard(computer).at(-1)).toContain('one five three');
  });

  test('a provider key is entered without echo, and the provider can be used at once', async () => {
    await using computer = await testComputer(ok);
    await computer.run(['provider', 'set-address', 'openai', computer.model.url]);
    await using terminal = await open(computer);
    await terminal.type('M-p');
    await terminal.shows('▸ Ollama');
    await terminal.type('openai');
    await terminal.shows('▸ OpenAI');
    await terminal.type('Enter');
    await terminal.shows('Key for OpenAI (not shown):');
    await terminal.type('sk-test-0123456789abcdef', 'Enter');
    await terminal.shows('▸ openai:');
    expect(await terminal.screen()).not.toContain('sk-test');
    await terminal.type('Enter');
    await terminal.shows('New sessions in this folder will use it.');
    await terminal.type('hello', 'Enter');
    await terminal.shows('Understood.');
    expect(await readFile(join(computer.dataDir, 'prompt-history.jsonl'), 'utf8')).toBe('"hello"\n');
  });

  test('shows help, pickers, modes and a suggestion for a typo', async () => {
    await using computer = await testComputer(ok);
    await using terminal = await open(computer);
    await terminal.type('?');
    await terminal.shows('Start a new conversation');
    await terminal.type('Escape');
    await terminal.shows(PLACEHOLDER);
    await terminal.type('/modle', 'Enter');
    await terminal.shows('Did you mean /model?');
    await terminal.shows('› /modle');
    await terminal.type('C-u', 'C-l');
    await terminal.shows('▸ ollama:');
    await terminal.type('olla');
    await terminal.shows('› olla');
    await terminal.type('Enter');
    await terminal.shows('New sessions in this folder will use it.');
    await terminal.type('BTab');
    await terminal.shows('Ask every time: asks before');
    await terminal.type('BTab');
    await terminal.shows('Plan: the agent explores');
    await terminal.type('BTab', 'BTab');
    await terminal.shows('Let the agent do everything without asking?');
    await terminal.type('Down', 'Enter');
    await terminal.shows('Full access: everything on this computer');
  });
});
