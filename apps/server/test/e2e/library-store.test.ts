import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { testServer } from '../harness.ts';

test('notes, tasks and memories survive a restart, and unreadable lists are null instead of empty', async () => {
  await using place = await tempDir();
  const first = await testServer({ dataDir: place.path });
  await first.call('POST', '/me/notes', { body: { titolo: 'Kept', contenuto: 'x' } });
  await first[Symbol.asyncDispose]();
  const second = await testServer({ dataDir: place.path });
  expect((await second.call('GET', '/me/notes')).data.note).toMatchObject([{ titolo: 'Kept' }]);
  await second[Symbol.asyncDispose]();
  await place.write({ 'library.db': 'no database, and long enough to be taken for one. '.repeat(100) });
  await using third = await testServer({ dataDir: place.path });
  for (const [path, list] of Object.entries({ notes: 'note', tasks: 'attivita', memory: 'memorie' })) {
    const { status, data } = await third.call('GET', `/me/${path}`, { headers: { 'accept-language': 'en' } });
    expect([status, data[list], data.errore]).toEqual([200, null, expect.stringContaining('Could not read')]);
  }
});

test('tools of the agent write into the same store and add receipts to the conversation', async () => {
  await using own = await testServer({
    script: ({ lastRole }) =>
      lastRole === 'tool'
        ? { text: 'Noted.' }
        : { toolCalls: [{ name: 'notes_create', arguments: { title: 'From the agent', content: 'seen' } }] },
  });
  const id = await own.startSession({ permessi: 'Read only' });
  await own.settled(id);
  const { note } = (await own.call('GET', `/sessions/${id}/notes`)).data;
  expect(note).toMatchObject([{ titolo: 'From the agent' }]);
  expect((await own.call('GET', `/me/notes/${note[0].id}`)).data.nota.origine).toBe('modello');
  expect(JSON.stringify(await own.events(id))).toContain('Note created');
});
