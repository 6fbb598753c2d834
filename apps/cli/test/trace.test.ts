import { expect, test } from '@jest/globals';
import { plain, testComputer } from './harness.ts';

const usage = { promptTokens: 1_000, completionTokens: 200 };
const STEPS = [
  { toolCalls: [{ name: 'leggi', arguments: { percorso: 'missing' } }], usage },
  { text: 'Done.', usage },
];

test('fucina sessions trace shows a turn as a waterfall, by its number, and as JSON', async () => {
  await using computer = await testComputer(STEPS);
  const { stdout } = await computer.run(['-p', 'look', '--model', 'ollama:tiny', '--output-format', 'json']);
  const id = JSON.parse(stdout).session_id ?? JSON.parse(stdout).sessionId;
  const shown = plain((await computer.run(['sessions', 'trace', id])).stdout);
  expect(shown).toMatch(/^\d+(\.\d)? m?s done\n/);
  expect(shown.match(/ollama:tiny +1000 in, 200 out\n/g)).toHaveLength(2);
  expect(shown).toMatch(/█ +leggi +failed\n/);
  expect(plain((await computer.run(['sessions', 'trace', id, '--turn', '1'])).stdout)).toBe(shown);
  const { trace } = JSON.parse((await computer.run(['sessions', 'trace', id, '--json'])).stdout);
  expect(trace.steps.map(({ kind }: any) => kind)).toEqual(['model', 'tool', 'model']);
  const missing = await computer.run(['sessions', 'trace', id, '--turn', '9']);
  expect(missing).toMatchObject({ exit: 2, stderr: expect.stringContaining('no such turn') });
});
