import { describe, expect, test } from '@jest/globals';
import { bench } from '../test/harness.ts';
import { call, say } from './testing.ts';

const words = (messages: readonly unknown[] | undefined): string => JSON.stringify(messages);

describe('a forked session', () => {
  test('has the events, settings and model view, its own id, and continues independently', async () => {
    await using b = await bench([{ events: say('first answer') }]);
    const id = await b.start({ permissions: 'On request' });
    await b.sessions.turns.settled(id);
    const { sessionId } = await b.sessions.editing.fork(id);
    expect(await b.sessions.read(sessionId)).toMatchObject({
      isConcluded: true,
      header: { forkOf: id },
      settings: { permissions: 'On request' },
    });
    expect(await b.events(sessionId)).toEqual(await b.events(id));
    await b.sessions.turns.resume(sessionId, { message: 'and now?' });
    await b.sessions.turns.settled(sessionId);
    expect(words(b.model.requests[1]?.messages)).toMatch(/first answer.*and now\?/);
    expect((await b.events(id)).length).toBeLessThan((await b.events(sessionId)).length);
    expect((await b.sessions.agents.timeline(sessionId, {})).coverage).toBe('complete');
  });

  test('is refused while a turn runs', async () => {
    await using b = await bench([{ events: call('c1', 'shell', {}) }]);
    const id = await b.start();
    await expect(b.sessions.editing.fork(id)).rejects.toMatchObject({ code: 'SESSION_NOT_READY' });
    await b.sessions.turns.stop(id);
  });
});

describe('a removed message', () => {
  test('leaves a tombstone, disappears from the model view, and cannot be removed again', async () => {
    await using b = await bench([{ events: say('a secret answer') }]);
    const id = await b.start();
    await b.sessions.turns.settled(id);
    const messageId = (await b.events(id)).flatMap((event) =>
      event.type === 'TextMessageStart' ? [event.messageId] : [],
    )[0] as string;
    for (const reference of [messageId, 'giro:1']) {
      expect(await b.sessions.editing.removeMessage(id, reference)).toEqual({
        reference,
        isOutOfModel: true,
        reason: null,
      });
      await expect(b.sessions.editing.removeMessage(id, reference)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await b.sessions.turns.resume(id, { message: 'next' });
    await b.sessions.turns.settled(id);
    const seen = words(b.model.requests[1]?.messages);
    expect(seen).not.toContain('secret');
    expect(seen).not.toContain('mend the sum');
    await using again = await b.reopen();
    await again.sessions.turns.resume(id, { message: 'after a restart' });
    await again.sessions.turns.settled(id);
    expect(words(again.model.requests[0]?.messages)).not.toContain('secret');
  });

  test.each(['giro:2', 'giro:99', 'giro:0', 'nothing', '%"'])('%s is not a message', async (reference) => {
    await using b = await bench([{ events: say('x') }]);
    const id = await b.start();
    await b.sessions.turns.settled(id);
    await expect(b.sessions.editing.removeMessage(id, reference)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is refused while a turn runs', async () => {
    await using b = await bench([{ events: call('c1', 'shell', {}) }]);
    const id = await b.start();
    await expect(b.sessions.editing.removeMessage(id, 'giro:1')).rejects.toMatchObject({
      code: 'SESSION_STILL_RUNNING',
    });
    await b.sessions.turns.stop(id);
  });
});

describe('shell commands of the user', () => {
  test('run in parallel with the conversation, keep their folder, and are reported to the model on request', async () => {
    await using b = await bench([]);
    const id = await b.start();
    await b.sessions.turns.settled(id);
    await b.sessions.commands.run(id, 'quiet');
    await b.seen(id, 'ComandoUtenteFinito');
    await b.sessions.commands.tellModel(id, true);
    await b.sessions.commands.run(id, 'loud');
    while ((await b.events(id)).filter(({ type }) => type === 'ComandoUtenteFinito').length < 2);
    expect((await b.sessions.read(id)).isConcluded).toBe(true);
    await b.sessions.turns.resume(id, { message: 'seen that?' });
    await b.sessions.turns.settled(id);
    const seen = words(b.model.requests[1]?.messages);
    expect(seen).toMatch(/ran a shell command \(exit code 0\).*\$ loud\\nran loud in .*deeper.*seen that/);
    expect(seen).not.toContain('quiet');
  });

  test('can come first without starting a turn', async () => {
    await using b = await bench([{ events: say('I see.') }]);
    const { sessionId: id } = await b.sessions.create({ ...b.newSession(), input: { command: 'quiet' } });
    expect(await b.seen(id, 'ComandoUtenteFinito')).toBeDefined();
    expect(await b.sessions.read(id)).toMatchObject({ name: '!quiet', isConcluded: true, outcome: null });
    await expect(b.sessions.turns.resume(id)).rejects.toMatchObject({ reason: 'nothing-to-resume' });
    await b.sessions.turns.resume(id, { message: 'first words' });
    await b.sessions.turns.settled(id);
    const started = (await b.events(id)).find(({ type }) => type === 'RunStarted');
    expect(started).toMatchObject({ input: { consegna: 'first words' } });
    expect(started).not.toHaveProperty('input.seguito');
    await using again = await b.reopen();
    expect(await again.sessions.read(id)).toMatchObject({ isConcluded: true, outcome: 'finished' });
  });

  test('are not reported after the setting is switched off, which can be read', async () => {
    await using b = await bench([]);
    const id = await b.start();
    await b.sessions.turns.settled(id);
    await b.sessions.commands.tellModel(id, true);
    await b.sessions.commands.run(id, 'loud');
    await b.seen(id, 'ComandoUtenteFinito');
    await b.sessions.commands.tellModel(id, false);
    await b.sessions.commands.choosePlace(id, 'wsl2');
    expect(await b.sessions.commands.settings(id)).toEqual({ place: 'wsl2', isTold: false });
    await b.sessions.turns.resume(id, { message: 'go' });
    await b.sessions.turns.settled(id);
    expect(words(b.model.requests[1]?.messages)).not.toContain('loud');
  });

  test('are closed with a reason after a restart', async () => {
    await using b = await bench([]);
    const id = await b.start();
    await b.sessions.turns.settled(id);
    await b.sessions.commands.run(id, 'endless');
    await using again = await b.reopen();
    const errore = 'The program stopped before this command ended.';
    expect((await again.events(id)).at(-1)).toMatchObject({ type: 'ComandoUtenteFinito', errore });
  });

  test('are refused on an interrupted session', async () => {
    await using b = await bench([{ events: call('c1', 'shell', {}) }]);
    const id = await b.start();
    await b.seen(id, 'ToolCallOutput');
    await using again = await b.reopen();
    await expect(again.sessions.commands.run(id, 'ls')).rejects.toMatchObject({ code: 'SESSION_NOT_READY' });
    await b.sessions.turns.stop(id);
  });
});
