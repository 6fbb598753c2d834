import { describe, expect, test } from '@jest/globals';
import { testSessions } from '../test/harness.ts';
import { call, say } from './testing.ts';

const words = (messages: readonly unknown[] | undefined): string => JSON.stringify(messages);

describe('a removed message', () => {
  test('leaves a tombstone, disappears from the model view, and cannot be removed again', async () => {
    await using setup = await testSessions([{ events: say('a secret answer') }]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const messageId = (await setup.events(id)).flatMap((event) =>
      event.type === 'TextMessageStart' ? [event.messageId] : [],
    )[0] as string;
    for (const reference of [messageId, 'giro:1']) {
      expect(await setup.sessions.editing.removeMessage(id, reference)).toEqual({
        reference,
        isOutOfModel: true,
        reason: null,
      });
      await expect(setup.sessions.editing.removeMessage(id, reference)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await setup.sessions.turns.resume(id, { message: 'next' });
    await setup.sessions.turns.settled(id);
    const seen = words(setup.model.requests[1]?.messages);
    expect(seen).not.toContain('secret');
    expect(seen).not.toContain('fix the sum');
    await using again = await setup.reopen();
    await again.sessions.turns.resume(id, { message: 'after a restart' });
    await again.sessions.turns.settled(id);
    expect(words(again.model.requests[0]?.messages)).not.toContain('secret');
  });

  test.each(['giro:2', 'giro:99', 'giro:0', 'nothing', '%"'])('%s is not a message', async (reference) => {
    await using setup = await testSessions([{ events: say('x') }]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    await expect(setup.sessions.editing.removeMessage(id, reference)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is refused while a turn runs', async () => {
    await using setup = await testSessions([{ events: call('c1', 'shell', {}) }]);
    const id = await setup.start();
    await expect(setup.sessions.editing.removeMessage(id, 'giro:1')).rejects.toMatchObject({
      code: 'SESSION_STILL_RUNNING',
    });
    await setup.sessions.turns.stop(id);
  });
});

describe('shell commands of the user', () => {
  test('run in parallel with the conversation, keep their folder, and are reported to the model on request', async () => {
    await using setup = await testSessions([]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    await setup.sessions.commands.run(id, 'quiet');
    await setup.seen(id, 'ComandoUtenteFinito');
    await setup.sessions.commands.tellModel(id, true);
    await setup.sessions.commands.run(id, 'loud');
    while ((await setup.events(id)).filter(({ type }) => type === 'ComandoUtenteFinito').length < 2)
      await new Promise((resolve) => setImmediate(resolve));
    expect((await setup.sessions.read(id)).isConcluded).toBe(true);
    await setup.sessions.turns.resume(id, { message: 'seen that?' });
    await setup.sessions.turns.settled(id);
    const seen = words(setup.model.requests[1]?.messages);
    expect(seen).toMatch(/ran a shell command \(exit code 0\).*\$ loud\\nran loud in .*deeper.*seen that/);
    expect(seen).not.toContain('quiet');
  });

  test('can come first without starting a turn', async () => {
    await using setup = await testSessions([{ events: say('I see.') }]);
    const { sessionId: id } = await setup.sessions.create({ ...setup.newSession(), input: { command: 'quiet' } });
    expect(await setup.seen(id, 'ComandoUtenteFinito')).toBeDefined();
    expect(await setup.sessions.read(id)).toMatchObject({ name: '!quiet', isConcluded: true, outcome: null });
    await expect(setup.sessions.turns.resume(id)).rejects.toMatchObject({ reason: 'nothing-to-resume' });
    await setup.sessions.turns.resume(id, { message: 'first words' });
    await setup.sessions.turns.settled(id);
    const started = (await setup.events(id)).find(({ type }) => type === 'RunStarted');
    expect(started).toMatchObject({ input: { consegna: 'first words' } });
    expect(started).not.toHaveProperty('input.seguito');
    await using again = await setup.reopen();
    expect(await again.sessions.read(id)).toMatchObject({ isConcluded: true, outcome: 'finished' });
  });

  test('are not reported after the setting is switched off, which can be read', async () => {
    await using setup = await testSessions([]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    await setup.sessions.commands.tellModel(id, true);
    await setup.sessions.commands.run(id, 'loud');
    await setup.seen(id, 'ComandoUtenteFinito');
    await setup.sessions.commands.tellModel(id, false);
    await setup.sessions.commands.choosePlace(id, 'wsl2');
    expect(await setup.sessions.commands.settings(id)).toEqual({ place: 'wsl2', isReported: false });
    await setup.sessions.turns.resume(id, { message: 'go' });
    await setup.sessions.turns.settled(id);
    expect(words(setup.model.requests[1]?.messages)).not.toContain('loud');
  });

  test('are closed with a reason after a restart', async () => {
    await using setup = await testSessions([]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    await setup.sessions.commands.run(id, 'endless');
    await using again = await setup.reopen();
    const errore = 'The program stopped before this command ended.';
    expect((await again.events(id)).at(-1)).toMatchObject({ type: 'ComandoUtenteFinito', errore });
  });

  test('are refused on an interrupted session', async () => {
    await using setup = await testSessions([{ events: call('c1', 'shell', {}) }]);
    const id = await setup.start();
    await setup.seen(id, 'ToolCallOutput');
    await using again = await setup.reopen();
    await expect(again.sessions.commands.run(id, 'ls')).rejects.toMatchObject({ code: 'SESSION_NOT_READY' });
    await setup.sessions.turns.stop(id);
  });
});
