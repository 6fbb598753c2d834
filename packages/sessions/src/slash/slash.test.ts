import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Bench, bench } from '../../test/harness.ts';
import { call, say, used } from '../testing.ts';

const replies = async (b: Bench, id: string): Promise<string> =>
  (await b.events(id)).flatMap((event) => (event.type === 'TextMessageContent' ? [event.delta] : [])).join('\n');

async function typed(b: Bench, id: string, message: string): Promise<string> {
  const before = (await replies(b, id)).length;
  await b.sessions.turns.resume(id, { message });
  await b.sessions.turns.settled(id);
  return (await replies(b, id)).slice(before);
}

async function resting(b: Bench): Promise<string> {
  const id = await b.start();
  await b.sessions.turns.settled(id);
  return id;
}

describe('a slash command', () => {
  test('is answered by the server without the model', async () => {
    await using b = await bench([{ events: say('hello') }]);
    const id = await resting(b);
    expect(await typed(b, id, '/help')).toMatch(/`\/compact`.*\n.*`\/context`/);
    expect(await typed(b, id, '/status')).toContain('ollama:tiny');
    expect(await typed(b, id, '/context')).toMatch(/circa \d+ token/);
    expect(await typed(b, id, '/compact')).toContain('Niente da compattare');
    expect(b.model.requests).toHaveLength(1);
    await b.sessions.turns.resume(id, { message: 'go on' });
    await b.sessions.turns.settled(id);
    expect(JSON.stringify(b.model.requests[1]?.messages)).not.toMatch(/help|status|Niente/);
    await using again = await b.reopen();
    await again.sessions.turns.resume(id, { message: 'after' });
    await again.sessions.turns.settled(id);
    expect(JSON.stringify(again.model.requests[0]?.messages)).not.toMatch(/help|status|Niente/);
  });

  test('/cost prints usage and an unknown price', async () => {
    await using b = await bench([{ events: [...say('hello'), used(120, 30, 20)] }]);
    const id = await resting(b);
    expect((await typed(b, id, '/cost')).trim()).toBe(
      [
        '- Token di input: 120 (dalla cache: 20)',
        '- Token di output: 30',
        '- Chiamate al modello: 1',
        '- Costo: Prezzo sconosciuto',
      ].join('\n'),
    );
    expect(await b.sessions.cost(id)).toMatchObject({ usd: null, callsWithoutPrice: 1 });
    expect(b.model.requests).toHaveLength(1);
  });

  test('lists its arguments in English for files and changes', async () => {
    await using b = await bench([]);
    const usages = (await b.sessions.slashCommandsIn(b.dir)).map(({ usage }) => usage);
    expect(usages).toEqual(expect.arrayContaining(['/undo [files | chat | both]', '/diff [turn | session]']));
  });

  test('can be the first message', async () => {
    await using b = await bench([]);
    const { sessionId } = await b.sessions.create({ ...b.newSession(), input: { message: '/help' } });
    await b.sessions.turns.settled(sessionId);
    expect(b.model.requests).toEqual([]);
    expect(await b.sessions.read(sessionId)).toMatchObject({ isConcluded: true, outcome: 'finished' });
  });

  test('/plan switches plan mode on and off', async () => {
    await using b = await bench([]);
    const id = await resting(b);
    await typed(b, id, '/plan');
    expect((await b.sessions.read(id)).settings.mode).toBe('plan');
    await typed(b, id, '/plan');
    expect((await b.sessions.read(id)).settings.mode).toBe('normal');
  });

  test('of the project expands to a prompt, and an unknown name is plain text', async () => {
    await using b = await bench([]);
    await mkdir(join(b.dir, '.svc', 'commands'), { recursive: true });
    const file = '---\ndescription: Looks at one file\n---\nReview $1 for $ARGUMENTS.';
    await writeFile(join(b.dir, '.svc', 'commands', 'review.md'), file);
    const id = await resting(b);
    await typed(b, id, '/review a.ts carefully');
    expect(b.model.requests[1]?.messages.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'Review a.ts for a.ts carefully.' }],
    });
    const start = (await b.events(id)).findLast(({ type }) => type === 'RunStarted');
    expect(start).toMatchObject({ input: { consegna: '/review a.ts carefully' } });
    expect(await b.sessions.slashCommands(id)).toContainEqual({
      name: 'review',
      summary: 'Looks at one file',
      usage: '/review',
      kind: 'written',
    });
    expect(await b.sessions.slashCommandsIn(b.dir)).toEqual(await b.sessions.slashCommands(id));
    await typed(b, id, '/etc/hosts is empty');
    expect(JSON.stringify(b.model.requests[2]?.messages.at(-1))).toContain('/etc/hosts is empty');
  });

  test('of the server waits for the turn, and one of the project can be queued', async () => {
    await using b = await bench([{ events: call('c1', 'shell', {}) }]);
    const id = await b.start();
    await expect(b.sessions.turns.queue(id, { message: '/status' })).rejects.toMatchObject({
      code: 'SESSION_NOT_READY',
      reason: 'command-between-turns',
    });
    await b.sessions.turns.stop(id);
  });
});
