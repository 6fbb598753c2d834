import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { testServer } from '../harness.ts';

const CALLS = [
  { name: 'scrivi', arguments: { percorso: 'made.txt', contenuto: 'made' } },
  { name: 'shell', arguments: { comando: 'echo made > made.txt' } },
];

/** The tool results in a session of that level in that folder. */
async function answers(folder: string, permessi: string): Promise<string[]> {
  await using place = await tempDir('fucina-wide-');
  const dataDir = folder === 'above' ? join(place.path, 'data') : undefined;
  await using server = await testServer({
    ...(dataDir && { dataDir }),
    script: [{ toolCalls: CALLS }, { text: 'Done.' }],
  });
  const cartellaLibera = dataDir ? dirname(dataDir) : server.project.path;
  const id = await server.startSession({ cartellaLibera, permessi });
  await server.settled(id);
  const made = (await readdir(cartellaLibera)).includes('made.txt');
  const last = JSON.stringify(server.model.requests.at(-1)?.body);
  return [made ? 'made' : 'nothing made', last.match(/changes nothing in this folder/g)?.join() ?? 'no refusal'];
}

test('Workspace write rejects changes in a folder that contains the home and tells the model why', async () => {
  const sentence = 'changes nothing in this folder';
  expect(await answers('above', 'Workspace write')).toEqual(['nothing made', `${sentence},${sentence}`]);
  expect(await answers('beside', 'Workspace write')).toEqual(['made', 'no refusal']);
});
