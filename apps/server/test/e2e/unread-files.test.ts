import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ScriptedToolCall, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { type TestServer, testServer, until } from '../harness.ts';

const call = (name: string, args: object): ScriptedToolCall => ({ name, arguments: args as Record<string, unknown> });
const write = (percorso: string, contenuto: string): ScriptedToolCall => call('scrivi', { percorso, contenuto });

function makes(server: TestServer, ...calls: ScriptedToolCall[]): void {
  const left = [...calls];
  server.model.script(() => {
    const next = left.shift();
    return next ? { toolCalls: [next] } : { text: 'Done.' };
  });
}

/** What the calls of the last turn answered. */
async function results(server: TestServer, id: string): Promise<string[]> {
  await server.settled(id);
  const events = await server.events(id);
  const from = events.findLastIndex(({ type }) => type === 'RunStarted');
  return events
    .slice(from)
    .flatMap((event) => (event.type === 'ToolCallResult' ? [(event as unknown as { content: string }).content] : []));
}

test('a file that was never read is shown and not replaced, also after a restart, and what was read or made is', async () => {
  await using data = await tempDir();
  await using folder = await tempDir();
  await folder.write({ 'read.txt': 'old\n', 'edited.txt': 'old\n', 'unread.txt': 'of the user\n' });
  const text = (path: string): Promise<string> => readFile(join(folder.path, path), 'utf8');
  let id: string;
  {
    await using server = await testServer({ dataDir: data.path });
    makes(
      server,
      call('leggi', { percorso: 'read.txt' }),
      call('leggi', { percorso: 'edited.txt' }),
      write('made.txt', 'made\n'),
      call('shell', { comando: 'echo built > built.txt' }),
    );
    id = await server.startSession({ cartellaLibera: folder.path, permessi: 'Workspace write' });
    expect((await results(server, id)).length).toBe(4);
    await until(async () =>
      (await server.events(id)).some((event) => JSON.stringify(event).includes('/file/built.txt')),
    );
  }
  await writeFile(join(folder.path, 'edited.txt'), 'of the user\n');
  await using server = await testServer({ dataDir: data.path });
  const paths = ['read.txt', 'made.txt', 'built.txt', 'unread.txt', 'edited.txt', 'unread.txt'];
  makes(server, ...paths.map((path, at) => write(path, `new ${at}\n`)));
  await server.call('POST', `/sessions/${id}/resume`, { body: { messaggio: 'Write all.' } });
  expect(await results(server, id)).toEqual([
    'Replaced read.txt (1 line).',
    'Replaced made.txt (1 line).',
    'Replaced built.txt (1 line).',
    expect.stringMatching(/^unread\.txt exists and was not read .*\n {4}1\tof the user$/s),
    expect.stringContaining('edited.txt has changed since you read it'),
    'Replaced unread.txt (1 line).',
  ]);
  const kept = await Promise.all(['edited.txt', 'unread.txt', 'read.txt'].map(text));
  expect(kept).toEqual(['of the user\n', 'new 5\n', 'new 0\n']);
});

test('the user is asked about a replacement only after the file was read', async () => {
  await using server = await testServer();
  await server.project.write({ 'a.txt': 'old\n' });
  makes(server, write('a.txt', 'new\n'), write('a.txt', 'newer\n'));
  const id = await server.startSession({ permessi: 'On request' });
  const asked = await until(async () => (await server.events(id)).find(({ type }) => type === 'ApprovalRequested'));
  expect(asked).toMatchObject({ azione: { tipo: 'scrivi', contenuto: 'newer\n' } });
  expect(await readFile(join(server.project.path, 'a.txt'), 'utf8')).toBe('old\n');
});
