import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createModelServer, type ScriptedToolCall, sampleProject, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { startChild } from './child-server.ts';
import { until } from './harness.ts';

/** Notes in the file that FUCINA_TEST_LOADS names when the language package, or the protocol, is read to be run. */
const HOOK = `const fs = require('node:fs');
const read = fs.readFileSync;
const note = (what) => fs.appendFileSync(process.env.FUCINA_TEST_LOADS, what + '\\n');
fs.readFileSync = function (path, ...rest) {
  const content = read.call(this, path, ...rest);
  if (!/[\\/]dist[\\/][^\\/]+\\.js$/.test(String(path))) return content;
  if (/package-language/.test(String(path))) note('language');
  if (String(content).includes('textDocument/publishDiagnostics')) note('protocol');
  return content;
};
`;

test('a start and a text turn load nothing of the language servers, and an edit without one no protocol', async () => {
  await using data = await tempDir();
  await using project = await sampleProject();
  const [hook, loads] = [join(data.path, 'hook.cjs'), join(data.path, 'loads')];
  await writeFile(hook, HOOK);
  const calls: ScriptedToolCall[] = [];
  await using model = await createModelServer({
    script: () => {
      const call = calls.shift();
      return call ? { toolCalls: [call] } : { text: 'Hello.' };
    },
  });
  const env = { NODE_OPTIONS: `--require ${hook}`, FUCINA_TEST_LOADS: loads, FUCINA_KEY_STORE: 'memory' };
  await using server = await startChild({ dataDir: join(data.path, 'data'), env });
  await server.call('POST', '/providers/ollama/runtime', { body: { endpoint: model.url, timeoutSeconds: 60 } });
  const body = { cartellaLibera: project.path, consegna: 'go', modello: 'ollama:test', permessi: 'Workspace write' };
  const turn = async (): Promise<void> => {
    const { sessionId } = (await server.call('POST', '/sessions/custom', { body })).data;
    await until(async () => {
      const { items } = (await server.call('GET', '/sessions')).data;
      return items.find((row: { sessionId: string }) => row.sessionId === sessionId)?.conclusa || undefined;
    });
  };
  await turn();
  expect(existsSync(loads)).toBe(false);
  calls.push({ name: 'scrivi', arguments: { percorso: 'new.rb', contenuto: 'x = 1\n' } });
  await turn();
  expect(await readFile(loads, 'utf8')).toBe('language\n');
});
