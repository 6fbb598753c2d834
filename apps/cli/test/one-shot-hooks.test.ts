import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type TestComputer, testComputer } from './harness.ts';

/** A hook of every project that writes its event and its session into a file, half a second after it started. */
async function addSlowHook({ dataDir }: TestComputer): Promise<string> {
  const folder = join(dataDir, 'extensions', 'hooks', 'everywhere');
  const [script, output] = [join(dataDir, 'slow-hook.cjs'), join(dataDir, 'hook-output')];
  await mkdir(folder, { recursive: true });
  await writeFile(
    script,
    `const { evento, sessionId } = JSON.parse(process.env.SVC_HOOK_EVENTO);
     setTimeout(() => require('node:fs').appendFileSync(${JSON.stringify(output)}, evento + ' ' + sessionId + '\\n'), 500);`,
  );
  const definition = { events: ['session_end'], command: `node ${script}` };
  await writeFile(join(folder, 'slow.json'), JSON.stringify({ version: 1, folder: null, definition }));
  return output;
}

test('a one-shot prints its answer and ends after the hooks of its turn', async () => {
  await using computer = await testComputer([{ text: 'ok' }]);
  const output = await addSlowHook(computer);
  const { exit, stdout } = await computer.go(['--json']);
  expect(exit).toBe(0);
  const { sessionId } = JSON.parse(stdout);
  expect(await readFile(output, 'utf8')).toBe(`session_end ${sessionId}\n`);
});

test('a conversation by lines ends after the hooks of all its turns', async () => {
  await using computer = await testComputer(() => ({ text: 'ok' }));
  const output = await addSlowHook(computer);
  await computer.run(['--plain', '--model', 'ollama:tiny'], { answers: ['one', 'two', '/exit'] });
  expect((await readFile(output, 'utf8')).split('\n').filter(Boolean)).toHaveLength(2);
});
