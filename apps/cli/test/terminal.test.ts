import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createModelServer, type ModelServer, type Reply } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { MAIN } from './binary.ts';
import { type TestComputer, testComputer } from './harness.ts';
import { hasTmux, openTerminal } from './terminal.ts';

const isRequired = process.env.FUCINA_TEST_REQUIRE === '1';
const hasKeyring = existsSync('/usr/bin/dbus-run-session') && existsSync('/usr/bin/gnome-keyring-daemon');
const shell = (comando: string): Reply => ({ toolCalls: [{ name: 'shell', arguments: { comando } }] });
const fucina = (words: string): string => `'${process.execPath}' '${MAIN}' ${words}`;
const onTerminal = (computer: TestComputer, words: string) =>
  openTerminal(fucina(words), { env: computer.env, cwd: computer.project.path });

(hasTmux || isRequired ? describe : describe.skip)('on a real terminal (skipped without tmux)', () => {
  test('shows the command, runs it after approval, and prints the result below', async () => {
    await using computer = await testComputer([
      { text: 'First I look.', ...shell('echo hello > made.txt') },
      { text: 'Made.' },
    ]);
    await using terminal = await onTerminal(computer, '-p go -m ollama:tiny --permissions "On request"');
    const asked = await terminal.shows('n deny ›');
    expect(asked).toContain('First I look.\n\n? Run this command?\n    echo hello > made.txt\n    in ');
    expect(existsSync(join(computer.project.path, 'made.txt'))).toBe(false);
    await terminal.type('y', 'Enter');
    const ended = await terminal.shows('[exit 0]');
    expect(ended).toMatch(
      /n deny › y\n {2}✓ Ran {2}echo hello > made\.txt {2}\d\.\d s\n\nMade\.\n\n1 file changed · \d+ tokens · /,
    );
    expect(existsSync(join(computer.project.path, 'made.txt'))).toBe(true);
  });

  test('Ctrl+C at a question stops the turn', async () => {
    await using computer = await testComputer([shell('echo hello > made.txt'), { text: 'Made.' }]);
    await using terminal = await onTerminal(computer, '-p go -m ollama:tiny --permissions "On request"');
    await terminal.shows('n deny ›');
    await terminal.type('C-c');
    expect(await terminal.shows('[exit 130]')).toContain('Stopping… (Ctrl+C again to quit at once)');
    expect(existsSync(join(computer.project.path, 'made.txt'))).toBe(false);
  });

  test('Ctrl+D at a question denies the call', async () => {
    await using computer = await testComputer([shell('true'), { text: 'No then.' }]);
    await using terminal = await onTerminal(computer, '-p go -m ollama:tiny --permissions "On request"');
    await terminal.shows('n deny ›');
    await terminal.type('C-d');
    expect(await terminal.shows('[exit 3]')).toContain('No then.');
  });
});

((hasTmux && hasKeyring) || isRequired ? describe : describe.skip)(
  'keys and headers (skipped without tmux and a key ring)',
  () => {
    test('reads a key without echo and stores it only in the key store', async () => {
      await using computer = await testComputer([]);
      await using terminal = await withKeyRing(computer, [fucina('provider set-key openai'), fucina('providers')]);
      await terminal.shows('Key for OpenAI (not shown):');
      await terminal.type('sk-test-0123456789abcdef', 'Enter');
      const ended = await terminal.shows('[exit 0]');
      // The line is wider than the terminal.
      expect(ended.replaceAll('\n', '')).toContain('for OpenAI saved in the key store');
      expect(ended).toMatch(/^openai +OpenAI +ready /m);
      expect(ended).not.toContain('sk-test');
      expect(filesWith(computer.dataDir, 'sk-test')).toEqual([]);
    });

    test('reads the value of an extra header without echo, and a one-shot run sends it to its own address only', async () => {
      await using computer = await testComputer([{ text: 'Hello.' }]);
      await using elsewhere = await createModelServer({ script: [{ text: 'Hello.' }] });
      const run = fucina('-p go -m ollama:tiny');
      await using terminal = await withKeyRing(computer, [
        fucina('provider set-header ollama X-Team'),
        fucina('provider headers ollama'),
        run,
        fucina(`provider set-address ollama ${elsewhere.url}`),
        fucina('provider headers ollama'),
        run,
      ]);
      await terminal.shows('Value of X-Team (not shown):');
      await terminal.type('team-0123456789abcdef', 'Enter');
      await terminal.shows('Hello.');
      const ended = await terminal.shows('[exit 0]');
      expect(ended).toContain('Header X-Team saved.');
      expect(ended).toMatch(/^x-team$/m);
      expect(ended).toMatch(/^x-team {2}\S/m);
      expect(ended).not.toContain('team-0123');
      expect(teamsOf(computer.model)).toEqual(['team-0123456789abcdef']);
      expect(teamsOf(elsewhere)).toEqual([undefined]);
      expect(filesWith(computer.dataDir, 'team-0123')).toEqual([]);
    });

    test('replaces one header of several with a value from standard input', async () => {
      await using computer = await testComputer([{ text: 'Hello.' }]);
      const set = (name: string, value: string): string =>
        `printf ${value} | ${fucina(`provider set-header ollama ${name}`)}`;
      await using terminal = await withKeyRing(computer, [
        set('X-Team', 'one'),
        set('X-Region', 'north'),
        set('x-team', 'two'),
        fucina('-p go -m ollama:tiny'),
      ]);
      await terminal.shows('Header X-Region saved.');
      await terminal.shows('[exit 0]');
      const [request] = answeredBy(computer.model);
      expect(request?.headers).toMatchObject({ 'x-team': 'two', 'x-region': 'north' });
    });
  },
);

/** Runs the commands one after the other beside an unlocked key ring of their own. */
function withKeyRing(computer: TestComputer, steps: readonly string[]): ReturnType<typeof openTerminal> {
  const { FUCINA_KEY_STORE: _memory, ...env } = computer.env;
  const ring = 'printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null';
  const home = String(env.HOME);
  return openTerminal(`dbus-run-session -- bash -c "${[ring, ...steps].join('; ')}"`, {
    env: {
      ...env,
      XDG_DATA_HOME: join(home, 'ring'),
      XDG_RUNTIME_DIR: home,
      XDG_CONFIG_HOME: home,
      XDG_CACHE_HOME: home,
    },
    cwd: computer.project.path,
  });
}

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path, 'latin1').includes(text));
}

/** The requests that asked for an answer, not for a list of models. */
const answeredBy = ({ requests }: ModelServer) => requests.filter(({ method }) => method === 'POST');
const teamsOf = (server: ModelServer) => answeredBy(server).map(({ headers }) => headers['x-team']);
