import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionEvent } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { changeFilesTool, turnThatChanges } from '../test/change-files.ts';
import { type TestSessions, testSessions } from '../test/harness.ts';
import { call, say } from './testing.ts';

const words = (messages: readonly unknown[] | undefined): string => JSON.stringify(messages);
const lastSeen = ({ model }: TestSessions): string => words(model.requests.at(-1)?.messages);

type Numbered = SessionEvent & { _sequenza: number };

const numbered = async (setup: TestSessions, id: string): Promise<Numbered[]> => (await setup.events(id)) as Numbered[];

/** A session of these turns, each with one message and one answer; and the references of the messages. */
async function conversation(setup: TestSessions, messages: readonly string[]): Promise<[string, string[]]> {
  const id = await setup.start();
  for (const message of messages) await next(setup, id, message);
  return [id, await references(setup, id)];
}

async function next({ sessions }: TestSessions, id: string, message: string): Promise<void> {
  await sessions.turns.settled(id);
  await sessions.turns.resume(id, { message });
  await sessions.turns.settled(id);
}

async function references(setup: TestSessions, id: string): Promise<string[]> {
  await setup.sessions.turns.settled(id);
  return (await numbered(setup, id)).flatMap((event) =>
    event.type === 'RunStarted' && event.input && !event.input.comando ? [`giro:${event._sequenza}`] : [],
  );
}

async function continued(setup: TestSessions, id: string, before: string, message: string): Promise<string> {
  const order = { before, message };
  const { sessionId } = await setup.sessions.branches.create(id, order);
  await setup.sessions.turns.settled(sessionId);
  return sessionId;
}

describe('a forked session', () => {
  test('has the events, settings and model view, its own id, and continues independently', async () => {
    await using setup = await testSessions([{ events: say('first answer') }]);
    const id = await setup.start({ permissions: 'On request' });
    await setup.sessions.turns.settled(id);
    const { sessionId } = await setup.sessions.branches.fork(id);
    expect(await setup.sessions.read(sessionId)).toMatchObject({
      isConcluded: true,
      header: { forkOf: id },
      settings: { permissions: 'On request' },
    });
    expect(await setup.events(sessionId)).toEqual(await setup.events(id));
    await setup.sessions.turns.resume(sessionId, { message: 'and now?' });
    await setup.sessions.turns.settled(sessionId);
    expect(words(setup.model.requests[1]?.messages)).toMatch(/first answer.*and now\?/);
    expect((await setup.events(id)).length).toBeLessThan((await setup.events(sessionId)).length);
    expect((await setup.sessions.agents.timeline(sessionId, {})).coverage).toBe('complete');
  });

  test('is refused while a turn runs', async () => {
    await using setup = await testSessions([{ events: call('c1', 'shell', {}) }]);
    const id = await setup.start();
    await expect(setup.sessions.branches.fork(id)).rejects.toMatchObject({ code: 'SESSION_NOT_READY' });
    await setup.sessions.turns.stop(id);
  });
});

describe('a branch', () => {
  test('has the turns before the message and continues with another one; the original stays as it was', async () => {
    await using setup = await testSessions(
      ['one', 'two', 'three', 'other'].map((text) => ({ events: say(`${text}!`) })),
    );
    const [id, [, second = '']] = await conversation(setup, ['second', 'third']);
    const before = await setup.events(id);
    expect((await setup.sessions.branches.messages(id)).map(({ text }) => text)).toEqual([
      'fix the sum',
      'second',
      'third',
    ]);
    const branch = await continued(setup, id, second, 'second, in other words');
    expect(lastSeen(setup)).toMatch(/fix the sum.*one!.*second, in other words/);
    expect(lastSeen(setup)).not.toMatch(/two!|three!/);
    expect(await setup.events(id)).toEqual(before);
    expect(await setup.sessions.read(branch)).toMatchObject({
      header: { forkOf: id, branchTurn: 2, assignment: 'second, in other words' },
    });
    const sequences = (await numbered(setup, branch)).map(({ _sequenza }) => _sequenza);
    expect(sequences).toEqual(sequences.map((_seq, index) => index + 1));
    await using again = await setup.reopen([{ events: say('later') }]);
    await next(again, branch, 'and after a restart?');
    expect(lastSeen(again)).toMatch(/one!.*in other words.*other!.*after a restart/);
  });

  test('of the first message starts a separate conversation', async () => {
    await using setup = await testSessions([{ events: say('one!') }]);
    const [id, [first = '']] = await conversation(setup, []);
    const branch = await continued(setup, id, first, 'fix the product');
    expect(lastSeen(setup)).not.toMatch(/fix the sum|one!/);
    expect(await setup.sessions.read(branch)).toMatchObject({ header: { assignment: 'fix the product' } });
    expect((await setup.events(branch))[0]).not.toHaveProperty('input.seguito');
  });

  test('ends with the turn that was chosen and waits for a message', async () => {
    await using setup = await testSessions(['one', 'two', 'three'].map((text) => ({ events: say(`${text}!`) })));
    const [id, [first = '', , third = '']] = await conversation(setup, ['second', 'third']);
    const { sessionId } = await setup.sessions.branches.create(id, { after: first });
    expect((await setup.events(sessionId)).at(-1)).toMatchObject({ type: 'RunFinished' });
    expect(await setup.sessions.read(sessionId)).toMatchObject({ isConcluded: true, outcome: 'finished' });
    await next(setup, sessionId, 'elsewhere');
    expect(lastSeen(setup)).toMatch(/one!.*elsewhere/);
    expect(lastSeen(setup)).not.toContain('two!');
    const whole = await setup.sessions.branches.create(id, { after: third });
    expect(await setup.events(whole.sessionId)).toEqual(await setup.events(id));
  });

  test('after a turn that was undone has neither the command nor the turn in the model view', async () => {
    await using setup = await testSessions(turnThatChanges('one', { 'a.txt': 'first' }), { tools: [changeFilesTool] });
    const [id, [first = '']] = await conversation(setup, []);
    await next(setup, id, '/undo both');
    const { sessionId } = await setup.sessions.branches.create(id, { after: first });
    expect(words(await setup.events(sessionId))).not.toContain('/undo');
    await next(setup, sessionId, 'elsewhere');
    expect(lastSeen(setup)).not.toMatch(/changing one|changed one/);
  });

  test('does not restore a message that was removed after its starting point', async () => {
    await using setup = await testSessions([{ events: say('a secret') }, { events: say('two!') }]);
    const [id, [, second = '']] = await conversation(setup, ['second']);
    const messageId = (await setup.events(id)).flatMap((event) =>
      event.type === 'TextMessageStart' ? [event.messageId] : [],
    )[0] as string;
    await setup.sessions.editing.removeMessage(id, messageId);
    await continued(setup, id, second, 'again');
    expect(lastSeen(setup)).not.toContain('secret');
  });

  test('does not restore a turn that was undone after its starting point', async () => {
    const answers = [...turnThatChanges('one', { 'a.txt': 'first' }), { events: say('two!') }];
    await using setup = await testSessions(answers, { tools: [changeFilesTool] });
    const [id, [, second = '']] = await conversation(setup, ['second']);
    await next(setup, id, '/undo chat');
    await next(setup, id, '/undo both');
    await continued(setup, id, second, 'again');
    expect(lastSeen(setup)).not.toMatch(/changing one|changed one/);
  });

  test.each(['giro:2', 'giro:99', 'nothing'])('%s is not a message that began a turn', async (reference) => {
    await using setup = await testSessions([{ events: say('x') }]);
    const [id] = await conversation(setup, []);
    const before = { before: reference, message: 'x', restoresFiles: true };
    for (const order of [before, { after: reference }]) {
      await expect(setup.sessions.branches.create(id, order)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await setup.sessions.list()).toHaveLength(1);
  });

  test('is refused while a turn runs', async () => {
    await using setup = await testSessions([{ events: call('c1', 'shell', {}) }]);
    const id = await setup.start();
    const order = { before: 'giro:1', message: 'x' };
    await expect(setup.sessions.branches.create(id, order)).rejects.toMatchObject({ code: 'SESSION_NOT_READY' });
    await setup.sessions.turns.stop(id);
  });
});

describe('the alternatives of a turn', () => {
  test('are the sessions with the same turns before it, oldest first, wherever they are asked for', async () => {
    await using setup = await testSessions([]);
    const [id, [first = '', second = '', third = '']] = await conversation(setup, ['second', 'third']);
    const b = await continued(setup, id, second, 'b');
    const c = await continued(setup, b, (await references(setup, b))[1] ?? '', 'c');
    const d = await continued(setup, id, third, 'd');
    const list = (one: string) => setup.sessions.branches.list(one);
    expect(await list(id)).toEqual([
      { reference: second, sessionIds: [id, b, c], current: id },
      { reference: third, sessionIds: [id, d], current: id },
    ]);
    expect(await list(d)).toEqual([
      { reference: second, sessionIds: [id, b, c], current: id },
      { reference: third, sessionIds: [id, d], current: d },
    ]);
    expect((await list(c)).map(({ current }) => current)).toEqual([c]);
    const e = await continued(setup, b, first, 'e');
    expect(await list(e)).toEqual([{ reference: first, sessionIds: [id, e], current: e }]);
    await setup.sessions.remove(id);
    expect(await list(b)).toEqual([{ reference: (await references(setup, b))[1], sessionIds: [b, c], current: b }]);
  });

  test('do not include a fork, nor a branch without its own turn', async () => {
    await using setup = await testSessions([]);
    const [id, [first = '']] = await conversation(setup, ['second']);
    await setup.sessions.branches.fork(id);
    const { sessionId } = await setup.sessions.branches.create(id, { after: first });
    expect(await setup.sessions.branches.list(id)).toEqual([]);
    await next(setup, sessionId, 'elsewhere');
    expect(await setup.sessions.branches.list(id)).toMatchObject([{ sessionIds: [id, sessionId], current: id }]);
  });
});

describe('files', () => {
  const answers = [
    ...turnThatChanges('one', { 'a.txt': 'first', 'b.txt': 'made' }),
    ...turnThatChanges('two', { 'a.txt': 'second', 'c.txt': 'made' }),
    ...turnThatChanges('three', { 'a.txt': 'third', 'b.txt': null }),
  ];
  const open = async (): Promise<[TestSessions, string, string[]]> => {
    const setup = await testSessions(answers, { tools: [changeFilesTool] });
    return [setup, ...(await conversation(setup, ['second', 'third']))];
  };
  const read = ({ dir }: TestSessions, path: string): Promise<string | null> =>
    readFile(join(dir, path), 'utf8').catch(() => null);
  const all = (setup: TestSessions) => Promise.all(['a.txt', 'b.txt', 'c.txt'].map((path) => read(setup, path)));

  test('are restored to before a turn as previewed, and /redo all brings them back', async () => {
    const [opened, id, [, second = '']] = await open();
    await using setup = opened;
    expect((await setup.sessions.branches.preview(id, second)).files).toEqual([
      { path: 'a.txt', effect: 'restored', problem: null },
      { path: 'b.txt', effect: 'recreated', problem: null },
      { path: 'c.txt', effect: 'removed', problem: null },
    ]);
    await setup.sessions.branches.restore(id, second);
    expect(await all(setup)).toEqual(['first', 'made', null]);
    expect(words(await setup.events(id))).toContain('Annullati i turni 2, 3.');
    expect(await setup.sessions.branches.preview(id, second)).toEqual({ files: [] });
    await next(setup, id, '/redo all');
    expect(await all(setup)).toEqual(['third', null, 'made']);
  });

  test('are restored for a branch; one that was changed since is left alone and named', async () => {
    const [opened, id, [, second = '']] = await open();
    await using setup = opened;
    await writeFile(join(setup.dir, 'a.txt'), 'of the user');
    expect((await setup.sessions.branches.preview(id, second)).files[0]).toEqual({
      path: 'a.txt',
      effect: 'restored',
      problem: 'cambiato',
    });
    const order = { before: second, message: 'again', restoresFiles: true };
    const { sessionId, skipped } = await setup.sessions.branches.create(id, order);
    await setup.sessions.turns.settled(sessionId);
    expect(skipped).toEqual(['a.txt']);
    expect(await all(setup)).toEqual(['of the user', 'made', null]);
  });

  test('are not restored while a sub-agent runs, and no branch is created then', async () => {
    const answers = [...turnThatChanges('one', { 'a.txt': 'first' }), { events: call('c1', 'shell', {}) }];
    await using setup = await testSessions(answers, { tools: [changeFilesTool] });
    const [id, [first = '']] = await conversation(setup, []);
    const order = { parentId: id, message: 'look', name: 'look', prepare: async () => undefined };
    const agent = await setup.sessions.startResearch(order);
    const refusal = { code: 'SESSION_NOT_READY', reason: 'agent-in-progress' };
    await expect(setup.sessions.branches.restore(id, first)).rejects.toMatchObject(refusal);
    const branch = { before: first, message: 'again', restoresFiles: true };
    await expect(setup.sessions.branches.create(id, branch)).rejects.toMatchObject(refusal);
    expect(await readFile(join(setup.dir, 'a.txt'), 'utf8')).toBe('first');
    expect(await setup.sessions.list()).toHaveLength(2);
    await setup.sessions.turns.stop(agent.sessionId);
  });
});
