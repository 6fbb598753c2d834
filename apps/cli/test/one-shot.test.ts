import { type Reply, SCENARIOS, type Scenario, scriptOf } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { plain, testComputer } from './harness.ts';

const toolTurn = () => scriptOf(SCENARIOS['tool-turn'] as Scenario);
const write = (percorso: string, contenuto: string): Reply => ({
  toolCalls: [{ name: 'scrivi', arguments: { percorso, contenuto } }],
});

describe('text', () => {
  test('prints the answer on standard output and one line per tool call on standard error', async () => {
    await using computer = await testComputer(toolTurn());
    const { exit, stdout, stderr } = await computer.go();
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'Done.\n' });
    expect(stderr).toMatch(/^ {2}✓ Ran {2}echo bench {2}\d\.\d s\n21 tokens · \d\.\d s · continue with: /);
    expect(stderr).toMatch(/continue with: fucina --resume [0-9a-f-]{36}/);
  });

  test('prints only the last message on standard output when it is not a terminal', async () => {
    await using computer = await testComputer([
      { text: 'Looking first.', ...write('a.txt', 'x\n') },
      { text: ['The ', 'answer.'] },
    ]);
    const { stdout, stderr } = await computer.go();
    expect(stdout).toBe('The answer.\n');
    expect(stderr).toContain('Looking first.\n');
    expect(stderr).toContain('1 file changed');
  });

  test('prints every message on a terminal as it arrives', async () => {
    await using computer = await testComputer([
      { text: 'Looking first.', ...write('a.txt', 'x\n') },
      { text: 'The answer.' },
    ]);
    const { stdout } = await computer.go([], { answers: [] });
    expect(stdout).toBe('Looking first.\n\nThe answer.\n');
  });

  test('--quiet prints only the answer', async () => {
    await using computer = await testComputer(toolTurn());
    expect(await computer.go(['--quiet'])).toEqual({ exit: 0, stdout: 'Done.\n', stderr: '' });
  });

  test('escapes control characters of the model', async () => {
    await using computer = await testComputer([{ text: 'a\x1b[2Jb\x07\u202e' }]);
    const { stdout } = await computer.go([], { answers: [] });
    expect(stdout).toBe('a␛[2Jb␇<U+202E>\n');
  });

  test('marks a failed command and an edit without changes', async () => {
    await using computer = await testComputer([
      { toolCalls: [{ name: 'shell', arguments: { comando: 'exit 3' } }] },
      { toolCalls: [{ name: 'file_edit', arguments: { percorso: 'README.md', vecchio: 'nowhere', nuovo: 'x' } }] },
      { text: 'ok' },
    ]);
    const { stderr } = await computer.go();
    expect(stderr).toMatch(/✗ Ran {2}exit 3 {2}exit 3 {2}\d/);
    expect(stderr).toMatch(/✗ Editing {2}README\.md {2}\d\.\d s {2}Nothing was changed: the old text does not occur/);
  });
});

describe('the network of commands', () => {
  test('without a terminal blocks a host that no rule allows and names the rule that would allow it', async () => {
    const curl = { toolCalls: [{ name: 'shell', arguments: { comando: 'curl -sS -i http://unlisted.example/' } }] };
    await using computer = await testComputer([curl, { text: 'ok' }]);
    const { stderr } = await computer.go();
    expect(stderr).toContain('curl wants to reach unlisted.example:80');
    expect(stderr).toContain('add the permission rule Network(unlisted.example)');
    const [, second] = computer.model.requests;
    expect(JSON.stringify(second?.body)).toContain('Fucina blocks unlisted.example for this session.');
  });
});

describe('machine formats', () => {
  test('json prints one object with the result of the turn', async () => {
    await using computer = await testComputer([write('src/a.txt', 'x\n'), { text: 'Made it.' }]);
    const { exit, stdout, stderr } = await computer.go(['--json']);
    expect(exit).toBe(0);
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toEqual({
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      outcome: 'finished',
      text: 'Made it.',
      usage: { promptTokens: 20, completionTokens: 1, cachedTokens: 0 },
      turns: 2,
      changes: ['src/a.txt'],
      denials: 0,
      durationMs: expect.any(Number),
    });
  });

  test('stream-json prints every stored event, then the result', async () => {
    await using computer = await testComputer(toolTurn());
    const { stdout } = await computer.go(['--output-format', 'stream-json']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const result = lines.pop();
    expect(result).toMatchObject({ type: 'result', outcome: 'finished', text: 'Done.' });
    expect(lines.at(0)).toMatchObject({ type: 'RunStarted', _sequenza: 1, input: { consegna: 'go' } });
    expect(lines.at(-1)).toMatchObject({ type: 'RunFinished' });
    const stored = JSON.parse((await computer.run(['sessions', 'export', String(result?.sessionId)])).stdout);
    expect(
      lines.every((line) => stored.events.some((event: unknown) => JSON.stringify(event) === JSON.stringify(line))),
    ).toBe(true);
  });

  test('a session that cannot start prints one error object', async () => {
    await using computer = await testComputer([]);
    // Without a ready provider, whose first model would be used.
    const { exit, stdout } = await computer.run(['-p', 'go', '--json'], {
      env: { FUCINA_DATA_DIR: `${computer.dataDir}-new` },
    });
    expect(exit).toBe(78);
    expect(JSON.parse(stdout)).toMatchObject({
      sessionId: null,
      outcome: 'error',
      error: { code: 'MODEL_ID_INVALID', reason: 'no-default-model', message: 'No model selected.' },
    });
  });
});

describe('the prompt', () => {
  test.each([
    ['a pipe', ['--model', 'ollama:tiny']],
    ['-p -', ['-p', '-', '--model', 'ollama:tiny']],
  ])('is read from standard input with %s', async (_name, args) => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    expect((await computer.run(args, { input: 'fix it\nall\n' })).exit).toBe(0);
    expect(computer.model.requests[0]?.lastText).toContain('fix it\nall');
  });

  test('uses the named folder, model, reasoning and test command', async () => {
    await using computer = await testComputer([{ toolCalls: [{ name: 'prova', arguments: {} }] }, { text: 'ok' }]);
    await computer.project.write({ 'deep/here.txt': '' });
    const args = ['-d', 'deep', '--test-command', 'ls', '--reasoning', 'low', '--json'];
    const { sessionId } = JSON.parse((await computer.go(args)).stdout);
    const shown = JSON.parse((await computer.run(['sessions', 'show', sessionId, '--json'])).stdout);
    expect(shown).toMatchObject({ folder: `${computer.project.path}/deep`, model: 'ollama:tiny', testCommand: 'ls' });
    expect(JSON.stringify(computer.model.requests.at(-1)?.body)).toContain('here.txt');
  });

  test.each([
    ['no assignment', ['--model', 'x:y']],
    ['a folder that is not there', ['-p', 'x', '-d', 'nowhere']],
    ['an unknown flag', ['-p', 'x', '--nonsense']],
    ['an unknown level', ['-p', 'x', '--permissions', 'All']],
    ['an unknown mode', ['-p', 'x', '--permission-mode', 'yolo']],
    ['two ways to say one thing', ['-p', 'x', '--permission-mode', 'plan', '--permissions', 'Read only']],
    ['an unknown effort', ['-p', 'x', '--reasoning', 'huge']],
    ['a folder for a session that has one', ['-p', 'x', '--resume', 'x', '--dir', '.']],
    ['an unknown command', ['nonsense']],
  ])('%s is a usage error', async (_name, args) => {
    await using computer = await testComputer([]);
    const { exit, stdout, stderr } = await computer.run(args);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });
});

describe('how a turn ends', () => {
  test('a provider error exits with 1 and the shared sentence', async () => {
    await using computer = await testComputer(() => ({
      fault: { kind: 'status', status: 400, message: 'no such thing' },
    }));
    const { exit, stderr } = await computer.go();
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^fucina: .+ \[[A-Z_]+\]$/m);
  });

  test('prints the provider’s message below the sentence, in text and in JSON', async () => {
    const message = 'tool schema 3 is not valid';
    await using computer = await testComputer(() => ({ fault: { kind: 'status', status: 400, message } }));
    const { stderr } = await computer.go();
    expect(stderr).toContain(
      `fucina: The provider rejected the request. [MODEL_CALL_FAILED]\n        Provider response: ${message}\n`,
    );
    const { error } = JSON.parse((await computer.go(['--json'])).stdout);
    expect(error).toMatchObject({ message: 'The provider rejected the request.', providerMessage: message });
  });

  test('a failed tool call prints its error', async () => {
    await using computer = await testComputer(() => ({ fault: { kind: 'credit' } }));
    expect((await computer.go()).stderr).toContain('no credit left. [MODEL_CALL_FAILED]');
    const italian = await computer.go(['--json'], { env: { LANG: 'it_IT.UTF-8' } });
    expect(JSON.parse(italian.stdout).error.message).toBe('L’account presso il provider non ha più credito.');
  });

  test('a provider without configuration is a configuration error', async () => {
    await using computer = await testComputer([]);
    const { exit, stdout } = await computer.run(['-p', 'go', '--model', 'openai:gpt-5', '--json']);
    expect(exit).toBe(78);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'error', error: { code: expect.any(String) } });
  });

  test.each([['a key that the provider refuses', { kind: 'status', status: 401, message: 'bad key' }]] as const)(
    '%s is a configuration error',
    async (_name, fault) => {
      await using computer = await testComputer(() => ({ fault }));
      const { exit, stdout } = await computer.go(['--json']);
      expect(exit).toBe(78);
      expect(JSON.parse(stdout)).toMatchObject({
        outcome: 'error',
        error: { message: 'The provider rejected the key.' },
      });
    },
  );

  test.each([['nonsense'], ['nobody:tiny'], ['a model with spaces']])(
    'an invalid model id (%s) is a configuration error',
    async (model) => {
      await using computer = await testComputer([]);
      const { exit, stderr } = await computer.run(['-p', 'go', '--model', model]);
      expect(exit).toBe(78);
      expect(stderr).toContain('[MODEL_ID_INVALID]');
    },
  );

  test('a stopped turn and an exhausted one are reported in English without wire words', async () => {
    await using computer = await testComputer(() => ({ toolCalls: [{ name: 'elenca', arguments: {} }] }));
    const { exit, stderr } = await computer.go(['--max-turns', '1']);
    expect(exit).toBe(4);
    expect(stderr).toContain('[steps-used-up]');
    expect(stderr).not.toMatch(/giri|fermato|elenca/);
  });

  test('exhausted model calls exit with 4', async () => {
    await using computer = await testComputer(() => ({ toolCalls: [{ name: 'elenca', arguments: {} }] }));
    const { exit, stdout } = await computer.go(['--json']);
    expect(exit).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'steps-used-up',
      turns: 200,
      error: { code: 'steps-used-up' },
    });
  });

  test('Ctrl+C stops the turn and keeps the session', async () => {
    await using computer = await testComputer([
      { text: 'half', fault: { kind: 'hang-mid-stream', after: 1 } },
      { text: 'whole' },
    ]);
    let isDone = false;
    const ended = await computer.go(['--output-format', 'stream-json'], {
      watch({ stdout }, interrupt) {
        if (!stdout.includes('half') || isDone) return;
        isDone = true;
        interrupt();
      },
    });
    expect(ended.exit).toBe(130);
    const result = JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '');
    expect(result).toMatchObject({ outcome: 'stopped', text: 'half', error: { code: 'stopped' } });
    const again = await computer.run(['-p', 'go on', '--resume', result.sessionId]);
    expect(again).toMatchObject({ exit: 0, stdout: 'whole\n' });
  });
});

describe('resuming', () => {
  test('continues the same session with its model and permissions', async () => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    const first = JSON.parse((await computer.go(['--json', '--permissions', 'read-only'])).stdout);
    const second = JSON.parse((await computer.run(['-p', 'and now', '--resume', first.sessionId, '--json'])).stdout);
    expect(second).toMatchObject({ sessionId: first.sessionId, outcome: 'finished', turns: 1 });
    const shown = JSON.parse((await computer.run(['sessions', 'show', first.sessionId, '--json'])).stdout);
    expect(shown).toMatchObject({ permissions: 'Read only', model: 'ollama:tiny' });
    expect(computer.model.requests.at(-1)?.body).toMatchObject({ model: 'tiny' });
  });

  test('a flag changes the session', async () => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    const { sessionId } = JSON.parse((await computer.go(['--json'])).stdout);
    await computer.run(['-p', 'more', '--resume', sessionId, '--permission-mode', 'plan', '--model', 'ollama:big']);
    const shown = JSON.parse((await computer.run(['sessions', 'show', sessionId, '--json'])).stdout);
    expect(shown).toMatchObject({ mode: 'plan', model: 'ollama:big' });
  });

  test('an unknown session and one that cannot be resumed are errors', async () => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    const unknown = await computer.run(['-p', 'x', '--resume', 'zzz']);
    expect(unknown.exit).toBe(1);
    expect(unknown.stderr).toBe(
      'fucina: Session zzz not found. [NOT_FOUND]\n        Run fucina sessions list to see all sessions and their ids.\n',
    );
    const { sessionId } = JSON.parse((await computer.go(['--json'])).stdout);
    const { exit, stderr } = await computer.run(['--resume', sessionId]);
    expect(exit).toBe(1);
    expect(stderr).toContain('[SESSION_NOT_READY]');
  });
});

test('prints Italian when the locale is Italian', async () => {
  await using computer = await testComputer(() => ({ text: 'ok' }));
  const { stderr } = await computer.go([], { env: { LANG: 'en_GB.UTF-8', LC_ALL: 'it_IT.UTF-8' } });
  expect(plain(stderr)).toContain('continua con: fucina --resume');
});
