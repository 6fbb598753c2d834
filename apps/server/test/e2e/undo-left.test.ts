import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { testServer, until } from '../harness.ts';

const WAITS = 'until [ -e both ]; do sleep 0.02; done; echo x > made.txt; until [ -e go ]; do sleep 0.02; done';
const SEES = 'touch both; until [ -e made.txt ]; do sleep 0.02; done';

test('what a command changed while one of another session ran is named where it is not undone', async () => {
  await using folder = await tempDir();
  await using server = await testServer({
    script: ({ lastRole, lastText }) =>
      lastRole === 'user' && ['FIRST', 'SECOND'].includes(lastText)
        ? { toolCalls: [{ name: 'shell', arguments: { comando: lastText === 'FIRST' ? WAITS : SEES } }] }
        : { text: 'Done.' },
  });
  const start = (consegna: string): Promise<string> =>
    server.startSession({
      cartellaLibera: folder.path,
      consegna,
      permessi: 'Workspace write',
      linguaInterfaccia: 'en',
    });
  const eventWith = async (id: string, text: string) =>
    (await server.events(id)).find((event) => JSON.stringify(event).includes(text));
  const first = await start('FIRST');
  await until(() => eventWith(first, 'ToolCallStart'));
  const second = await start('SECOND');
  await until(() => eventWith(second, '/file/made.txt'));
  await writeFile(join(folder.path, 'go'), '');
  await until(() => eventWith(first, '"contesi":["both","made.txt"]'));
  await server.settled(first);

  const started = (await server.events(first)).find(({ type }) => type === 'RunStarted') as { _sequenza?: number };
  const reference = `giro:${started._sequenza}`;
  const preview = await server.call('GET', `/ext/sessions/${first}/restore`, { query: { riferimento: reference } });
  expect(preview.data.file).toEqual([
    { percorso: 'go', effetto: 'eliminato', problema: null },
    ...['both', 'made.txt'].map((percorso) => ({ percorso, effetto: 'ripristinato', problema: 'incerto' })),
  ]);
  const body = { riferimento: reference };
  expect((await server.call('POST', `/ext/sessions/${first}/restore`, { body })).data).toEqual({
    ok: true,
    fileNonRipristinati: ['both', 'made.txt'],
  });
  expect(await eventWith(first, 'Not changed:')).toBeDefined();
  expect(['go', 'both', 'made.txt'].map((path) => existsSync(join(folder.path, path)))).toEqual([false, true, true]);
});
