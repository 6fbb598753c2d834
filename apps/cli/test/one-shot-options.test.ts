import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { ModelServerRequest, Reply } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { type TestComputer, testComputer } from './harness.ts';

const write = (percorso: string, contenuto: string): Reply => ({
  toolCalls: [{ name: 'scrivi', arguments: { percorso, contenuto } }],
});
const shell = (comando: string): Reply => ({ toolCalls: [{ name: 'shell', arguments: { comando } }] });
const tool = (name: string, given: Record<string, unknown>): Reply => ({ toolCalls: [{ name, arguments: given }] });

/** The text of a model request. */
const bodyOf = (request: ModelServerRequest | undefined): string => JSON.stringify(request?.body);
const jsonOf = (stdout: string): any => JSON.parse(stdout);
const lastCall = ({ model }: TestComputer): string => bodyOf(model.requests.at(-1));

describe('standard input with a prompt', () => {
  test('is sent to the model after the prompt', async () => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    const { exit, stderr } = await computer.go([], { input: 'first line\nsecond line\n' });
    expect(exit).toBe(0);
    expect(stderr).not.toContain('standard input');
    expect(lastCall(computer)).toContain('go\\n\\nStandard input:\\n```\\nfirst line\\nsecond line\\n');
  });

  test('is ignored when it is empty', async () => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    expect((await computer.go([], { input: ' \n' })).exit).toBe(0);
    expect(lastCall(computer)).not.toContain('Standard input');
  });

  test.each([
    ['x'.repeat(256 * 1024 + 1), 'Standard input is larger than 256 kB'],
    ['a\0b', 'Standard input is not text in UTF-8'],
  ])('is a usage error when it is too large or not text', async (input, sentence) => {
    await using computer = await testComputer([]);
    const { exit, stderr } = await computer.go([], { input });
    expect(exit).toBe(2);
    expect(stderr).toContain(sentence);
    expect(computer.model.requests).toEqual([]);
  });

  test.each([
    ['that has begun', [], 'first '],
    ['that is silent but expected with --stdin', ['--stdin'], ''],
  ])('is read to the end of a pipe %s', async (_name, flags, begun) => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    const stream = new PassThrough();
    if (begun) stream.write(begun);
    const watch = ({ stderr }: { stderr: string }): void => {
      if (stderr.includes('Reading standard input') && !stream.writableEnded) stream.end('late words');
    };
    const { exit, stderr } = await computer.go(flags, { stream, watch });
    expect([exit, stderr]).toEqual([0, expect.not.stringContaining('continuing without it')]);
    expect(lastCall(computer)).toContain(`${begun}late words`);
  });

  test('is left with a line on standard error when an open pipe says nothing for 3 seconds', async () => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    const stream = new PassThrough();
    const { exit, stderr } = await computer.go([], { stream });
    expect(exit).toBe(0);
    expect(stderr).toContain('fucina: Nothing came on standard input for 3 seconds: continuing without it.');
    expect(lastCall(computer)).not.toContain('Standard input');
    // Whoever writes to it later meets no error.
    expect(stream.destroyed).toBe(false);
  });
});

describe('continuing a session', () => {
  test('--continue uses the newest session of the folder, --resume the named one', async () => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    const first = jsonOf((await computer.go(['--json'])).stdout).sessionId;
    const second = jsonOf((await computer.run(['-p', 'two', '--model', 'ollama:tiny', '--json'])).stdout).sessionId;
    const third = await computer.run(['--continue', '-p', 'and three', '--json']);
    expect(jsonOf(third.stdout).sessionId).toBe(second);
    expect(lastCall(computer)).toContain('two');
    expect(jsonOf((await computer.run(['-r', first, '-p', 'x', '--json'])).stdout).sessionId).toBe(first);
    expect(jsonOf((await computer.run(['-c', '-p', 'y', '--json'])).stdout).sessionId).toBe(first);
  });

  test('--continue without a session is an error', async () => {
    await using computer = await testComputer([]);
    const { exit, stderr } = await computer.run(['-c', '-p', 'go']);
    expect(exit).toBe(1);
    expect(stderr).toContain('No session to continue in this folder');
  });

  test('--fork continues in a copy with the same history', async () => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    const first = jsonOf(
      (await computer.run(['-p', 'remember heron', '--model', 'ollama:tiny', '--json'])).stdout,
    ).sessionId;
    const fork = jsonOf((await computer.run(['-c', '--fork', '-p', 'go on', '--json'])).stdout).sessionId;
    expect(fork).not.toBe(first);
    expect(lastCall(computer)).toContain('heron');
    const { events } = jsonOf((await computer.run(['sessions', 'export', first])).stdout);
    expect(JSON.stringify(events)).not.toContain('go on');
  });

  test.each([
    [['--fork', '-p', 'x'], '--fork copies a session'],
    [['--resume', 'a', '--continue', '-p', 'x'], 'cannot be used with option'],
    [['--resume', 'a', '--cwd', '/', '-p', 'x'], 'a session keeps its folder'],
    [['-p', 'x', '--max-turns', '0'], '--max-turns'],
    [['-p', 'x', '--input-format', 'stream-json', '--json'], 'requires --output-format stream-json'],
    [['-p', 'x', '--json-schema', '{"type":7}'], '--json-schema is not a valid JSON Schema'],
    [['-p', 'x', '--json-schema', 'nowhere.json'], '--json-schema is not a valid JSON Schema'],
    [['-p', 'x', '--add-file', 'nowhere.txt'], 'nowhere.txt does not exist'],
  ])('%j is a usage error', async (args, sentence) => {
    await using computer = await testComputer([]);
    const { exit, stderr, stdout } = await computer.run(args);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(computer.model.requests).toEqual([]);
  });
});

test('--max-turns ends the turn after that many model calls with exit code 4', async () => {
  await using computer = await testComputer(() => shell('true'));
  const { exit, stdout } = await computer.go(['--max-turns', '3', '--json']);
  expect(exit).toBe(4);
  expect(jsonOf(stdout)).toMatchObject({ outcome: 'steps-used-up', turns: 3 });
  expect((await computer.run(['-c', '-p', 'more', '--max-turns', '1'])).exit).toBe(4);
  expect(computer.model.requests).toHaveLength(4);
});

test('--cwd sets the folder of the agent', async () => {
  await using computer = await testComputer([write('made.txt', 'x'), { text: 'ok' }]);
  const { exit } = await computer.run(['-p', 'go', '--model', 'ollama:tiny', '--cwd', computer.project.path], {
    cwd: '/',
  });
  expect(exit).toBe(0);
  expect(readFileSync(join(computer.project.path, 'made.txt'), 'utf8')).toBe('x');
});

describe('--add-file', () => {
  test('sends text files in full and images as attachments', async () => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    writeFileSync(join(computer.project.path, 'dot.png'), picture);
    await computer.project.write({ 'notes.md': 'The heron ```eats``` fish.\n' });
    const { exit } = await computer.go(['--add-file', 'notes.md', '--add-file', 'dot.png']);
    expect(exit).toBe(0);
    expect(lastCall(computer)).toContain('The heron ```eats``` fish.');
    expect(lastCall(computer)).toContain('notes.md');
    expect(lastCall(computer)).toContain(picture.toString('base64').slice(0, 40));
  });

  test('rejects unsupported files', async () => {
    await using computer = await testComputer([]);
    await computer.project.write({ 'big.txt': 'x'.repeat(300 * 1024), 'bytes.bin': 'a\0b' });
    expect((await computer.go(['--add-file', 'big.txt'])).stderr).toContain('too large');
    expect((await computer.go(['--add-file', 'bytes.bin'])).stderr).toContain('neither text nor an image');
  });
});

describe('--json-schema', () => {
  const schema = JSON.stringify({
    type: 'object',
    properties: { count: { type: 'integer' } },
    required: ['count'],
    additionalProperties: false,
  });

  test('prints only the JSON value', async () => {
    await using computer = await testComputer([{ text: '```json\n{"count": 3}\n```' }]);
    const { exit, stdout } = await computer.go(['--json-schema', schema]);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ count: 3 });
    expect(bodyOf(computer.model.requests[0])).toContain('JSON Schema');
  });

  test('sends an invalid answer back with the validation errors', async () => {
    await using computer = await testComputer([{ text: 'Three.' }, { text: '{"count":"3"}' }, { text: '{"count":3}' }]);
    await computer.project.write({ 'schema.json': schema });
    const { exit, stdout } = await computer.go(['--json-schema', 'schema.json', '--json']);
    expect(exit).toBe(0);
    expect(jsonOf(stdout)).toMatchObject({ outcome: 'finished', structured: { count: 3 } });
    expect(bodyOf(computer.model.requests[1])).toContain('is no JSON value');
    expect(bodyOf(computer.model.requests[2])).toContain('/count must be integer');
  });

  test('keeps the events before a correction in the output', async () => {
    await using computer = await testComputer([
      write('made.txt', 'x'),
      shell('rm made.txt'),
      { text: 'Three.', usage: { promptTokens: 10, completionTokens: 1 } },
      { text: '{"count":3}', usage: { promptTokens: 20, completionTokens: 2 } },
    ]);
    const rules = ['--permissions', 'Workspace write'];
    await computer.run(['config', 'set', 'permissions.ask', '["Bash(rm *)"]']);
    const { exit, stdout } = await computer.go(['--json-schema', schema, '--json', ...rules]);
    expect(exit).toBe(3);
    const result = jsonOf(stdout);
    expect(result).toMatchObject({ structured: { count: 3 }, changes: ['made.txt'], denials: 1, turns: 4 });
    expect(result.usage.promptTokens).toBeGreaterThanOrEqual(30);
  });

  test('fails after two corrections and prints nothing', async () => {
    await using computer = await testComputer(() => ({ text: 'Three.' }));
    const { exit, stdout, stderr } = await computer.go(['--json-schema', schema]);
    expect([exit, stdout]).toEqual([1, '']);
    expect(stderr).toContain('does not match the requested schema');
    expect(computer.model.requests).toHaveLength(3);
  });
});

describe('--input-format stream-json', () => {
  const lines = (...records: unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const resultsOf = (stdout: string): any[] =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === 'result');

  test('each user record is one turn of the session', async () => {
    await using computer = await testComputer([{ text: 'one' }, { text: 'two' }]);
    const input = lines(
      { type: 'user', message: 'first' },
      { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'second' }] } },
    );
    const { exit, stdout } = await computer.run(['--input-format', 'stream-json', '--model', 'ollama:tiny'], { input });
    expect(exit).toBe(0);
    const results = resultsOf(stdout);
    expect(results.map(({ text }) => text)).toEqual(['one', 'two']);
    expect(results[0].sessionId).toBe(results[1].sessionId);
  });

  test('an empty input is a usage error and starts no session', async () => {
    await using computer = await testComputer([]);
    const { exit, stderr } = await computer.run(['--input-format', 'stream-json', '--model', 'ollama:tiny'], {
      input: '\n',
    });
    expect(exit).toBe(2);
    expect(stderr).toContain('-p');
    expect(jsonOf((await computer.run(['sessions', 'list', '--json'])).stdout)).toMatchObject({ sessions: [] });
  });

  test('a line that is not a record is reported with its number and skipped', async () => {
    await using computer = await testComputer([{ text: 'one' }]);
    const input = `nonsense\n{"type":"odd"}\n${lines({ type: 'user', message: 'first' })}`;
    const ended = await computer.run(['--input-format', 'stream-json', '--model', 'ollama:tiny'], { input });
    expect(ended.exit).toBe(0);
    expect(ended.stderr).toContain('line 1 of standard input');
    expect(ended.stderr).toContain('line 2 of standard input');
  });

  test('unanswered requests are denied or skipped, or stop the turn', async () => {
    await using computer = await testComputer([shell('true'), { text: 'denied then' }]);
    const args = ['--input-format', 'stream-json', '--model', 'ollama:tiny', '--permissions', 'On request'];
    const { exit, stdout } = await computer.run(args, { input: lines({ type: 'user', message: 'go' }) });
    expect(exit).toBe(3);
    expect(resultsOf(stdout)).toMatchObject([{ denials: 1, text: 'denied then' }]);
  });
});

describe('questions and plans without a terminal', () => {
  const question = {
    id: 'colour',
    question: 'Which colour?',
    why: 'It is seen.',
    options: [{ label: 'Red' }, { label: 'Blue' }],
  };

  test('a question is left to the agent', async () => {
    await using computer = await testComputer([tool('ask_user', { questions: [question] }), { text: 'Red it is.' }]);
    const { exit, stdout, stderr } = await computer.go();
    expect([exit, stdout]).toEqual([0, 'Red it is.\n']);
    expect(stderr).toContain('The agent decides, because there is no terminal to ask on: Which colour?');
  });

  test('the user answers by number on a terminal', async () => {
    await using computer = await testComputer([tool('ask_user', { questions: [question] }), { text: 'ok' }]);
    const { exit, stderr } = await computer.go([], { answers: ['2'] });
    expect(exit).toBe(0);
    expect(stderr).toContain('Which colour?');
    expect(lastCall(computer)).toContain('Blue');
  });

  test('prints the plan in plan mode, and a later run can carry it out', async () => {
    const plan = tool('present_plan', { plan: '# Plan\n\n1. Write it.' });
    await using computer = await testComputer([plan, write('a.txt', 'x'), { text: 'Done.' }]);
    const planned = await computer.go(['--permission-mode', 'plan', '--json']);
    expect(planned.exit).toBe(0);
    expect(jsonOf(planned.stdout)).toMatchObject({ outcome: 'finished', plan: true, text: '# Plan\n\n1. Write it.' });
    const done = await computer.run(['-c', '-p', 'carry it out', '--permission-mode', 'default']);
    expect([done.exit, done.stdout]).toEqual([0, 'Done.\n']);
    expect(readFileSync(join(computer.project.path, 'a.txt'), 'utf8')).toBe('x');
  });

  test('the user reads and approves the plan on a terminal', async () => {
    const plan = tool('present_plan', { plan: '1. Write it.' });
    await using computer = await testComputer([plan, write('a.txt', 'x'), { text: 'Done.' }]);
    const { exit, stderr } = await computer.go(['--permission-mode', 'plan'], { answers: ['y'] });
    expect(exit).toBe(0);
    expect(stderr).toContain('1. Write it.');
    expect(readFileSync(join(computer.project.path, 'a.txt'), 'utf8')).toBe('x');
  });
});
