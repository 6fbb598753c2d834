import { describe, expect, test } from '@jest/globals';
import { type Bench, bench } from '../../test/harness.ts';
import { call, say } from '../testing.ts';

const found = async (b: Bench, text: string) =>
  (await b.sessions.search(text)).map(({ header, hits = [] }) => ({
    sessionId: header.sessionId,
    hits: hits.map(({ reference, snippet }) => [
      reference,
      snippet.filter(({ isHit }) => isHit).map((one) => one.text),
    ]),
  }));

async function said(b: Bench, message: string): Promise<string> {
  const { sessionId } = await b.sessions.create({ ...b.newSession(), input: { message } });
  await b.sessions.turns.settled(sessionId);
  return sessionId;
}

describe('session search', () => {
  test('finds words of user and agent ignoring accents, with a prefix match for the last word', async () => {
    await using b = await bench([{ events: say('La città è Perugia.') }, { events: say('Other') }]);
    const id = await said(b, 'Where is the forge?');
    await said(b, 'Something else');
    const [hit] = await found(b, 'citta peru');
    expect(hit).toMatchObject({ sessionId: id, hits: [[expect.any(String), ['città', 'Perugia']]] });
    expect(await found(b, 'FORGE')).toEqual([{ sessionId: id, hits: [['giro:1', ['forge']]] }]);
    expect(await found(b, 'perugia forge')).toEqual([]);
    expect(await b.sessions.search(undefined)).toHaveLength(2);
  });

  test.each(['"', 'a" OR "b', '* NEAR(', '(', '-', 'text:x', ''])(
    '%j is treated as words and never as syntax',
    async (text) => {
      await using b = await bench([{ events: say('a b') }]);
      await said(b, 'x');
      await expect(b.sessions.search(text)).resolves.toBeInstanceOf(Array);
    },
  );

  test('reflects new messages, removals and deletions', async () => {
    await using b = await bench([{ events: say('first') }, { events: say('a later word') }]);
    const id = await said(b, 'begin');
    expect(await found(b, 'later')).toEqual([]);
    await b.sessions.turns.resume(id, { message: 'go on' });
    await b.sessions.turns.settled(id);
    expect(await found(b, 'later')).toHaveLength(1);
    await b.sessions.editing.removeMessage(id, 'giro:1');
    expect(await found(b, 'begin')).toEqual([]);
    await b.sessions.remove(id);
    expect(await found(b, 'later')).toEqual([]);
  });

  test('is a tool of the agent limited to its folder', async () => {
    await using b = await bench([
      { events: say('the secret word is here') },
      { events: call('f1', 'cerca_conversazioni', { testo: 'secret' }) },
    ]);
    await said(b, 'remember');
    const elsewhere = b.newSession();
    const here = await said(b, 'what was it?');
    const result = (await b.events(here)).find(({ type }) => type === 'ToolCallResult') as { content: string };
    expect(result.content).toMatch(/^- agent, session .*: the secret word is here$/);
    const { sessionId } = await b.sessions.create({
      ...elsewhere,
      folder: { ...elsewhere.folder, folder: '/' },
      input: { message: 'and there?' },
    });
    await b.sessions.turns.settled(sessionId);
  });
});
