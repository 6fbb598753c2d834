import { expect, test } from '@jest/globals';
import { plain, type TestComputer, testComputer } from './harness.ts';

const said = async (computer: TestComputer, ...args: string[]): Promise<string> =>
  plain((await computer.run(args)).stdout);
const json = async (computer: TestComputer, ...args: string[]): Promise<any> =>
  JSON.parse((await computer.run([...args, '--json'])).stdout);
const ANSWER = { text: 'Done.', usage: { promptTokens: 1_000, completionTokens: 200 } };

test('fucina usage shows what was used, with a price that is entered, and as CSV', async () => {
  await using computer = await testComputer([ANSWER]);
  expect(await said(computer, 'usage')).toBe('No model calls in the last 30 days.\n');
  await computer.run(['-p', 'hello', '--model', 'ollama:tiny']);
  expect(await said(computer, 'usage', '--by', 'model')).toMatch(/^ollama:tiny {2}1 calls {2}1000 in, 200 out {2}/);
  expect(await said(computer, 'usage', 'price', 'ollama:tiny', '1', '10')).toBe('Price saved: ollama:tiny\n');
  expect((await json(computer, 'usage')).usage).toMatchObject([{ calls: 1, usd: 0.003, callsWithoutCost: 0 }]);
  expect((await computer.run(['usage', '--csv'])).stdout).toMatch(/^day,project,model,[^]*,ollama:tiny,1,1000,200,/);
  expect(await said(computer, 'usage', 'price', 'ollama:tiny')).toBe('Price removed: ollama:tiny\n');
  for (const wrong of [['1'], ['x', '1']]) {
    expect((await computer.run(['usage', 'price', 'ollama:tiny', ...wrong])).exit).toBe(2);
  }
});

test('a budget stops the next turn with its reason, until it is allowed or raised', async () => {
  await using computer = await testComputer([ANSWER, ANSWER, ANSWER]);
  await computer.run(['-p', 'hello', '--model', 'ollama:tiny']);
  expect(await said(computer, 'usage', 'budget', '--day-tokens', '100')).toContain('Today: 1200 of 100 (tokens)');
  const stopped = await computer.run(['-p', 'more', '--model', 'ollama:tiny']);
  expect(stopped.exit).not.toBe(0);
  expect(stopped.stderr).toContain('The budget that you set for today is used up');
  expect(await said(computer, 'usage')).toContain('Budget reached: today 1200 of 100.');
  expect(await said(computer, 'usage', 'allow')).toBe('Turns start beyond the budget until the end of the day.\n');
  expect((await computer.run(['-p', 'more', '--model', 'ollama:tiny'])).exit).toBe(0);
  expect((await json(computer, 'usage', 'budget', '--day-tokens', '0')).limits.dayTokens).toBeNull();
  expect((await computer.run(['usage', 'budget', '--day-usd', 'much'])).exit).toBe(2);
});
