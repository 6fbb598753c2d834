import { describe, expect, test } from '@jest/globals';
import { plain, testComputer } from './harness.ts';

const say = () => ({ text: 'Hello.' });

describe('sessions', () => {
  test('lists sessions newest first, and shows, renames, exports and deletes them', async () => {
    await using computer = await testComputer([
      { text: 'Yes.', toolCalls: [{ name: 'leggi', arguments: { percorso: 'README.md' } }] },
      { text: 'Read.' },
    ]);
    const { sessionId } = JSON.parse((await computer.go(['--json'])).stdout);

    const list = await computer.run(['sessions']);
    expect(list.stdout).toMatch(new RegExp(`^${sessionId} {2}\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d {2}done {2}go {2}`));
    const { sessions } = JSON.parse((await computer.run(['sessions', 'list', '--json'])).stdout);
    expect(sessions).toMatchObject([
      { sessionId, state: 'finished', name: 'go', folder: computer.project.path, usage: { steps: 2 } },
    ]);

    expect((await computer.run(['sessions', 'search', 'go'])).stdout).toMatch(new RegExp(`^${sessionId}  .*\\n  .*go`));
    expect((await computer.run(['sessions', 'search', 'heron', 'eats'])).stdout).toBe('No matches in any session.\n');
    expect((await computer.run(['sessions', 'search'])).exit).toBe(2);
    expect(await computer.run(['sessions', 'rename', sessionId, 'Reading'])).toMatchObject({
      exit: 0,
      stdout: 'Renamed.\n',
    });
    const shown = (await computer.run(['sessions', 'show', sessionId])).stdout;
    expect(shown).toMatch(/^Reading\ndone · ollama:tiny · Workspace write · /);
    expect(shown).toMatch(/\n> go\n\nYes\.\n {2}✓ Read {2}README\.md {2}\d\.\d s\nRead\.\n$/);

    const exported = JSON.parse((await computer.run(['sessions', 'export', sessionId])).stdout);
    expect(exported.session).toMatchObject({ name: 'Reading' });
    expect(exported.events.at(-1)).toMatchObject({ type: 'RunFinished' });
    const markdown = (await computer.run(['sessions', 'export', sessionId, '--format', 'md'])).stdout;
    expect(markdown).toMatch(/^# Reading\n\n## User\n\ngo\n\n## Agent\n\nYes\.\n\n\*\*Read\*\* `README\.md`/);
    const page = (await computer.run(['sessions', 'export', sessionId, '--format', 'html'])).stdout;
    expect(page).toMatch(/^<!doctype html>[^]*<h1>Reading<\/h1>[^]*<\/html>\n$/);

    expect(await computer.run(['sessions', 'delete', sessionId])).toMatchObject({ exit: 0, stdout: 'Deleted.\n' });
    expect((await computer.run(['sessions'])).stdout).toBe('No sessions yet.\n');
  });

  test('an unknown session or a name that is too long fails with its error code', async () => {
    await using computer = await testComputer(say);
    const gone = await computer.run(['sessions', 'show', 'nobody']);
    expect(gone).toMatchObject({ exit: 1, stdout: '' });
    expect(gone.stderr).toContain('[NOT_FOUND]');
    const { sessionId } = JSON.parse((await computer.go(['--json'])).stdout);
    expect((await computer.run(['sessions', 'rename', sessionId, 'x'.repeat(81)])).exit).toBe(1);
    expect((await computer.run(['sessions', 'show'])).exit).toBe(2);
    const misspelt = await computer.run(['sessions', 'delet', sessionId]);
    expect(misspelt).toMatchObject({ exit: 2, stderr: "error: unknown command 'delet'\n" });
  });
});

describe('doctor', () => {
  test('lists the worst result first with its next step', async () => {
    await using computer = await testComputer(say);
    const { exit, stdout } = await computer.run(['doctor']);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^warning {2}/);
    expect(stdout).toContain('  → To save them, start without FUCINA_KEY_STORE=memory.');
    expect(stdout).toContain('Usable, with warnings.');
    const report = JSON.parse((await computer.run(['doctor', '--json'], { env: { LANG: 'it_IT.UTF-8' } })).stdout);
    expect(report).toMatchObject({ state: 'attention', version: '0.1.25' });
    expect(report.rows).toContainEqual(
      expect.objectContaining({ id: 'runtime', state: 'ok', title: 'Motore dell’agente' }),
    );
  });
});

describe('providers and models', () => {
  test('lists ready providers and what the others need', async () => {
    await using computer = await testComputer(say);
    const { stdout } = await computer.run(['providers']);
    expect(stdout).toMatch(new RegExp(`^ollama .* ready +${computer.model.url}$`, 'm'));
    expect(stdout).toMatch(/^anthropic .* no key /m);
    const { providers } = JSON.parse((await computer.run(['providers', '--json'])).stdout);
    expect(providers).toHaveLength(29);
    expect(providers.find(({ id }: { id: string }) => id === 'ollama')).toMatchObject({
      state: 'ready',
      endpoint: computer.model.url,
    });
  });

  test('prints model ids in the form that --model accepts', async () => {
    await using computer = await testComputer(say);
    expect((await computer.run(['models'])).stdout).toMatch(/^ollama:scripted-1/m);
    const { models } = JSON.parse((await computer.run(['models', '--json'])).stdout);
    expect(models).toContainEqual(expect.objectContaining({ model: 'ollama:scripted-1', provider: 'ollama' }));
  });

  test('shows what a model gets by default, and who stated it', async () => {
    await using computer = await testComputer(say);
    const set = JSON.stringify({ 'ollama:tiny': { contextWindow: 4_096 } });
    await computer.run(['config', 'set', '--scope', 'user', 'models', set]);
    expect((await computer.run(['model', 'show', 'ollama:tiny'])).stdout).toBe(
      [
        'ollama:tiny',
        'Context size          4096 tokens (your settings)',
        'Max output            unknown',
        'Tool names            default (its family)',
        'Reasoning by default  the provider’s own',
        'Reasoning levels      none known',
        '',
      ].join('\n'),
    );
    const { profile } = JSON.parse((await computer.run(['model', 'show', 'openai:gpt-5.1', '--json'])).stdout);
    expect(profile.effort.default).toBe('medium');
    expect((await computer.run(['model', 'show', 'no model'])).stderr).toMatch(/^fucina: /);
  });

  test('tests a provider without a paid request and reports the result', async () => {
    await using computer = await testComputer(say);
    expect((await computer.run(['provider', 'test', 'ollama'])).stdout).toMatch(
      /^✓ The provider responds\. · 2 models · \d+ ms\n$/,
    );
    expect(computer.model.requests.every(({ method }) => method === 'GET')).toBe(true);
    const missing = await computer.run(['provider', 'test', 'openai', '--json']);
    expect(missing.exit).toBe(1);
    expect(JSON.parse(missing.stdout)).toMatchObject({ outcome: 'to-configure', detail: 'key-missing' });
  });

  test('rejects a key that could not be stored', async () => {
    await using computer = await testComputer(say);
    const { exit, stdout, stderr } = await computer.run(['provider', 'set-key', 'openai'], {
      input: 'sk-not-a-real-key-0123456789',
    });
    expect({ exit, stdout }).toEqual({ exit: 78, stdout: '' });
    expect(stderr).toContain('would be lost');
  });

  test('sets an address without a key store', async () => {
    await using computer = await testComputer(say);
    const { exit, stdout } = await computer.run([
      'provider',
      'set-address',
      'ollama',
      computer.model.url,
      '--key-store',
      'system',
    ]);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: `Address of Ollama set to ${computer.model.url}.\n` });
  });

  test('sets an address where the provider has a fixed one', async () => {
    await using computer = await testComputer(say);
    const { stdout } = await computer.run(['provider', 'set-address', 'anthropic', `${computer.model.url}/v1`]);
    expect(stdout).toBe(`Address of Anthropic set to ${computer.model.url}/v1.\n`);
  });

  test('lists the headers of a provider, and stores none that would be lost', async () => {
    await using computer = await testComputer(say);
    expect((await computer.run(['provider', 'headers', 'ollama'])).stdout).toBe('No extra headers.\n');
    const given = await computer.run(['provider', 'set-header', 'ollama', 'X-Team'], { input: 'value' });
    expect({ exit: given.exit, stdout: given.stdout }).toEqual({ exit: 78, stdout: '' });
    const { exit, stderr } = await computer.run(['provider', 'remove-header', 'ollama', 'X-Team']);
    expect({ exit, stderr }).toEqual({ exit: 78, stderr: 'fucina: This provider has no header X-Team.\n' });
  });

  test('an unknown provider and an invalid address are errors', async () => {
    await using computer = await testComputer(say);
    expect((await computer.run(['provider', 'test', 'nobody'])).stderr).toContain('[PROVIDER_INVALID]');
    expect((await computer.run(['provider', 'set-address', 'ollama', 'ftp://x'])).stderr).toContain(
      '[PROVIDER_RUNTIME_INVALID]',
    );
  });
});

describe('help and version', () => {
  test('the help lists every exit code', async () => {
    await using computer = await testComputer(say);
    const { exit, stdout } = await computer.run(['--help']);
    expect(exit).toBe(0);
    for (const code of [0, 1, 2, 3, 4, 75, 78, 130]) expect(stdout).toMatch(new RegExp(`(^|\\s)${code} `, 'm'));
    expect((await computer.run(['serve', '--help'])).stdout).toContain('run the server');
    expect((await computer.run(['--help'], { env: { LANG: 'it' } })).stdout).toMatch(/^Uso: fucina/);
  });

  test('--version prints only the version', async () => {
    await using computer = await testComputer(say);
    for (const flag of ['--version', '-V'])
      expect(await computer.run([flag])).toEqual({ exit: 0, stdout: '0.1.25\n', stderr: '' });
  });
});

describe('colours', () => {
  test('are used on a terminal and can be turned off', async () => {
    await using computer = await testComputer(say);
    const coloured = await computer.run(['sessions'], { answers: [] });
    await computer.go();
    const [shown, refused, flag] = [
      await computer.run(['sessions'], { answers: [], env: { COLORTERM: 'truecolor' } }),
      await computer.run(['sessions'], { answers: [], env: { NO_COLOR: '1' } }),
      await computer.run(['sessions', '--no-color'], { answers: [] }),
    ];
    expect(coloured.exit).toBe(0);
    expect(shown.stdout).toContain('\x1b[38;2;');
    expect(refused.stdout).toBe(plain(shown.stdout));
    expect(flag.stdout).toBe(refused.stdout);
  });
});

test('a model is called 1 to 10 times for an answer; another number is reported', async () => {
  await using computer = await testComputer(say);
  const sessions = (tries: string) => computer.run(['sessions'], { env: { FUCINA_MODEL_TRIES: tries } });
  for (const tries of ['0', '11', '2.5', 'many']) {
    const { exit, stderr } = await sessions(tries);
    expect([tries, exit, stderr]).toEqual([tries, 78, expect.stringContaining('model-tries')]);
  }
  for (const tries of ['1', '10']) expect([tries, (await sessions(tries)).exit]).toEqual([tries, 0]);
});

test('an unusable data folder is reported with a sentence', async () => {
  await using computer = await testComputer(say);
  const { exit, stderr } = await computer.run(['sessions'], { env: { FUCINA_KEY_STORE: 'file' } });
  expect(exit).toBe(78);
  expect(stderr).toContain('(key-store (system, memory)) [CONFIG_INVALID]');
});
