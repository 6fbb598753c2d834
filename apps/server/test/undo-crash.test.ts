import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createModelServer, sampleProject, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { type ChildServer, startChild } from './child-server.ts';
import { rowOf, until } from './harness.ts';

const FILES = 120;

async function say({ call }: ChildServer, id: string, messaggio: string): Promise<void> {
  const reply = await call('POST', `/sessions/${id}/resume`, { body: { messaggio } });
  if (!reply.ok) throw new Error(reply.text);
}

const settled = ({ call }: ChildServer, id: string): Promise<any> =>
  until(async () => {
    const row = await rowOf(call, id);
    return row.conclusa || row.interrotta ? row : undefined;
  });

test('an undo killed halfway leaves every file whole, the next one completes it, and redo works after a restart', async () => {
  await using dir = await tempDir();
  await using project = await sampleProject();
  const files = Array.from({ length: FILES }, (_, index) => `f${index}.txt`);
  await project.write(Object.fromEntries(files.map((name) => [name, `before ${name}\n`])));
  const at = (name: string): string => join(project.path, name);
  const states = async (): Promise<Set<string>> =>
    new Set(await Promise.all(files.map(async (name) => (await readFile(at(name), 'utf8')).replace(name, 'x'))));
  let calls = ['for f in f*.txt; do echo "after $f" > $f; done; echo made > made.txt'];
  await using model = await createModelServer({
    script() {
      const [comando, ...rest] = calls;
      calls = rest;
      return comando ? { toolCalls: [{ name: 'shell', arguments: { comando } }] } : { text: 'Done.' };
    },
  });
  let first = await startChild({ dataDir: dir.path });
  await first.call('POST', '/providers/ollama/runtime', { body: { endpoint: model.url, timeoutSeconds: 60 } });
  const body = { cartellaLibera: project.path, consegna: 'Work.', modello: 'ollama:tiny' };
  const id = (await first.call('POST', '/sessions/custom', { body })).data.sessionId as string;
  await settled(first, id);
  expect(await states()).toEqual(new Set(['after x\n']));
  let second: ChildServer;
  for (;;) {
    await say(first, id, '/undo');
    // Created files are deleted first: from here on files are being restored.
    while (existsSync(at('made.txt')));
    await first.kill('SIGKILL');
    for (const state of await states()) expect(['before x\n', 'after x\n']).toContain(state);
    second = await startChild({ dataDir: dir.path });
    if ((await settled(second, id)).interrotta) break;
    // It was complete before the kill: once more.
    await say(second, id, '/redo');
    await settled(second, id);
    expect(await states()).toEqual(new Set(['after x\n']));
    first = second;
  }
  await say(second, id, '/undo');
  expect(await settled(second, id)).toMatchObject({ conclusa: true });
  expect(await states()).toEqual(new Set(['before x\n']));
  await second.kill('SIGKILL');

  await using third = await startChild({ dataDir: dir.path });
  await say(third, id, '/redo');
  await settled(third, id);
  expect(await states()).toEqual(new Set(['after x\n']));
  expect(await readFile(at('made.txt'), 'utf8')).toBe('made\n');
});
