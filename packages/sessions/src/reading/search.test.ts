import { describe, expect, test } from '@jest/globals';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import { call, say } from '../testing.ts';

const found = async (setup: TestSessions, text: string) =>
  (await setup.sessions.search(text)).map(({ header, hits = [] }) => ({
    sessionId: header.sessionId,
    hits: hits.map(({ reference, snippet }) => [
      reference,
      snippet.filter(({ isHit }) => isHit).map((one) => one.text),
    ]),
  }));

async function said(setup: TestSessions, message: string): Promise<string> {
  const { sessionId } = await setup.sessions.create({ ...setup.newSession(), input: { message } });
  await setup.sessions.turns.settled(sessionId);
  return sessionId;
}

describe('session search', () => {
  test('finds words of user and agent ignoring accents, with a prefix match for the last word', async () => {
    await using setup = await testSessions([{ events: say('La città è Perugia.') }, { events: say('Other') }]);
    const id = await said(setup, 'Where is the forge?');
    await said(setup, 'Something else');
    const [hit] = await found(setup, 'citta peru');
    expect(hit).toMatchObject({ sessionId: id, hits: [[expect.any(String), ['città', 'Perugia']]] });
    expect(await found(setup, 'FORGE')).toEqual([{ sessionId: id, hits: [['giro:1', ['forge']]] }]);
    expect(await found(setup, 'perugia forge')).toEqual([]);
    expect(await setup.sessions.search(undefined)).toHaveLength(2);
  });

  test.each(['"', 'a" OR "b', '* NEAR(', '(', '-', 'text:x', ''])(
    '%j is treated as words and never as syntax',
    async (text) => {
      await using setup = await testSessions([{ events: say('a b') }]);
      await said(setup, 'x');
      await expect(setup.sessions.search(text)).resolves.toBeInstanceOf(Array);
    },
  );

  test('reflects new messages, removals and deletions', async () => {
    await using setup = await testSessions([{ events: say('first') }, { events: say('a later word') }]);
    const id = await said(setup, 'begin');
    expect(await found(setup, 'later')).toEqual([]);
    await setup.sessions.turns.resume(id, { message: 'go on' });
    await setup.sessions.turns.settled(id);
    expect(await found(setup, 'later')).toHaveLength(1);
    await setup.sessions.editing.removeMessage(id, 'giro:1');
    expect(await found(setup, 'begin')).toEqual([]);
    await setup.sessions.remove(id);
    expect(await found(setup, 'later')).toEqual([]);
  });

  test('is a tool of the agent limited to its folder', async () => {
    await using setup = await testSessions([
      { events: say('the secret word is here') },
      { events: call('f1', 'cerca_conversazioni', { testo: 'secret' }) },
    ]);
    await said(setup, 'remember');
    const elsewhere = setup.newSession();
    const here = await said(setup, 'what was it?');
    const result = (await setup.events(here)).find(({ type }) => type === 'ToolCallResult') as { content: string };
    expect(result.content).toMatch(/^- agent, session .*: the secret word is here$/);
    const { sessionId } = await setup.sessions.create({
      ...elsewhere,
      folder: { ...elsewhere.folder, folder: '/' },
      input: { message: 'and there?' },
    });
    await setup.sessions.turns.settled(sessionId);
  });
});
