import type { ModelEvent, SessionEvent } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { call, finish, say } from '../testing.ts';

async function run(answers: readonly (readonly ModelEvent[])[]) {
  const setup = await testSessions(answers.map((events) => ({ events })));
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  const events = await setup.events(id);
  await setup[Symbol.asyncDispose]();
  return { setup, events, last: events.at(-1) as SessionEvent, requests: setup.model.requests };
}
const lastWords = (request: { messages: readonly unknown[] } | undefined): string =>
  JSON.stringify(request?.messages.at(-1));
const cut = (text: string): ModelEvent[] => [...say(text), finish('length')];

test('a text cut at the output limit is continued up to three times, and is never a success', async () => {
  const three = await run([cut('a'), cut('b'), cut('c'), [...say('d'), finish('stop')]]);
  expect(three.last.type).toBe('RunFinished');
  expect(lastWords(three.requests[1])).toContain('cut at the output limit');
  const four = await run([cut('a'), cut('b'), cut('c'), cut('d')]);
  expect(four.last).toMatchObject({ type: 'RunError', code: 'risposta-tagliata' });
  expect(four.requests).toHaveLength(4);
});

test('a call cut at the output limit is not run and is told so; the one before it is run', async () => {
  const { events, requests, last } = await run([
    [
      ...call('c1', 'leggi', { percorso: 'a.ts' }),
      { type: 'tool-start', id: 'c2', name: 'scrivi' },
      { type: 'tool-arguments', id: 'c2', delta: '{"percorso":"b.ts","contenuto":"half' },
      finish('length'),
    ],
  ]);
  const results = events.flatMap((event) =>
    event.type === 'ToolCallResult' ? [[event.toolCallId, event.content]] : [],
  );
  expect(Object.fromEntries(results)).toEqual({
    c1: 'content of a.ts',
    c2: expect.stringContaining('cut at the output limit, so it was not run'),
  });
  expect(requests).toHaveLength(2);
  expect(last.type).toBe('RunFinished');
});

test('whole calls of an answer that reached its limit are run', async () => {
  const { events } = await run([[...call('c1', 'leggi', { percorso: 'a.ts' }), finish('length')]]);
  expect(events.find(({ type }) => type === 'ToolCallResult')).toMatchObject({ content: 'content of a.ts' });
});

test.each<[string, ModelEvent[]]>([
  ['nothing', [finish('stop')]],
  ['blank text', [...say(' \n'), finish('stop')]],
  ['reasoning only', [{ type: 'reasoning', delta: 'hm' }, { type: 'reasoning-end' }, finish('stop')]],
])('an answer of %s is asked for once more; a second one ends the turn', async (_name, empty) => {
  const once = await run([empty, [...say('done'), finish('stop')]]);
  expect(once.last.type).toBe('RunFinished');
  expect(lastWords(once.requests[1])).toContain('Your last answer was empty');
  const twice = await run([empty, empty]);
  expect(twice.last).toMatchObject({ type: 'RunError', code: 'risposta-vuota' });
  expect(twice.requests).toHaveLength(2);
});

test('an empty answer after calls counts from there', async () => {
  const { last, requests } = await run([
    [finish('stop')],
    call('c1', 'leggi', { percorso: 'a' }),
    [finish('stop')],
    say('done'),
  ]);
  expect([last.type, requests.length]).toEqual(['RunFinished', 4]);
});

test('a refusal ends the turn with its reason, and no call of it is run', async () => {
  const { last, events } = await run([[...call('c1', 'scrivi', { percorso: 'a' }), finish('content-filter')]]);
  expect(last).toMatchObject({ type: 'RunError', code: 'risposta-rifiutata', message: 'The model refused to answer.' });
  expect(events.find(({ type }) => type === 'ToolCallResult')).toMatchObject({ interrotto: true });
});

test('a model that pauses is asked to go on', async () => {
  const { last, requests } = await run([
    [...say('half'), finish('pause')],
    [...say(' whole'), finish('stop')],
  ]);
  expect([last.type, requests.length]).toEqual(['RunFinished', 2]);
});

test('a call that the vendor could not read is asked for again, three times at most', async () => {
  const bad = [finish('malformed-call')];
  const saved = await run([bad, [...say('whole'), finish('stop')]]);
  expect([saved.last.type, saved.requests.length]).toEqual(['RunFinished', 2]);
  expect(JSON.stringify(saved.requests[1]?.messages)).toContain('Your last call could not be read');
  const lost = await run([bad, bad, bad, bad, [...say('late'), finish('stop')]]);
  expect([lost.last.type, lost.requests.length]).toEqual(['RunError', 4]);
});
