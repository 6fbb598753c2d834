import type { ModelClient, ModelEvent, ModelRequest } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { testSessions } from '../../test/harness.ts';
import { broken, call, finish, say } from '../testing.ts';

const LIMIT = 20_000;

interface Limited extends ModelClient {
  requests: ModelRequest[];
  refused: number;
}

/** A model that reads LIMIT characters of messages and refuses more, as vendors do; `answers` by the last message. */
function limited(answer: (request: ModelRequest) => readonly ModelEvent[]): Limited {
  const client: Limited = {
    requests: [],
    refused: 0,
    async *stream(request) {
      if (JSON.stringify(request.messages).length > LIMIT) {
        client.refused += 1;
        yield [broken({ class: 'context-too-long', httpStatus: 400, isOutcomeKnown: true, retryAfterMs: null })];
      } else if (JSON.stringify(request).includes('Goal; Constraints and preferences')) {
        yield [...say('SUMMARY'), finish('stop')];
      } else {
        client.requests.push({ ...request, messages: [...request.messages] });
        yield answer(request);
      }
    },
  };
  return client;
}

const done = [...say('done'), finish('stop')];

describe('a conversation that is too long for its model', () => {
  test('of texts only continues, turn after turn, without a refused turn', async () => {
    const model = limited(() => [...say('a'.repeat(3_000)), finish('stop')]);
    await using setup = await testSessions([], { model });
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    for (let turn = 2; turn <= 30; turn += 1) {
      await setup.sessions.turns.resume(id, { message: `message ${turn} ${'b'.repeat(1_000)}` });
      await setup.sessions.turns.settled(id);
    }
    const events = await setup.events(id);
    expect(events.filter(({ type }) => type === 'RunFinished')).toHaveLength(30);
    expect(model.refused).toBeGreaterThan(0);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toMatch(/SUMMARY.*message 30/);
  });

  test('of one giant message continues with its beginning and end', async () => {
    const model = limited(() => done);
    await using setup = await testSessions([], { model });
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    await setup.sessions.turns.resume(id, { message: `first words ${'x'.repeat(100_000)} last words` });
    await setup.sessions.turns.settled(id);
    expect((await setup.events(id)).at(-1)?.type).toBe('RunFinished');
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toMatch(
      /first words x+.*characters left out here.*x+ last words/,
    );
    const stored = JSON.stringify(await setup.events(id));
    expect(stored).toContain('x'.repeat(100_000));
  });

  test('of one exchange continues with shorter results, the longest ones first', async () => {
    const long: Record<string, string> = { 'a.ts': 'A'.repeat(60_000), 'b.ts': 'B'.repeat(4_000) };
    const tool = {
      name: 'lungo',
      description: 'reads',
      category: 'base' as const,
      effect: 'read' as const,
      gate: null,
      input: z.object({ percorso: z.string() }),
      action: ({ percorso }: { percorso: string }) => ({ tipo: 'leggi' as const, percorso }),
      run: async ({ percorso }: { percorso: string }) => ({ content: long[percorso] ?? '' }),
    };
    const model = limited(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? done
        : [
            ...call('c1', 'lungo', { percorso: 'a.ts' }),
            ...call('c2', 'lungo', { percorso: 'b.ts' }),
            finish('tool-calls'),
          ],
    );
    await using setup = await testSessions([], { model, tools: [tool as never] });
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    expect((await setup.events(id)).at(-1)?.type).toBe('RunFinished');
    const sent = JSON.stringify(model.requests.at(-1)?.messages);
    expect(sent).toMatch(/A+\\n\[\d+ characters left out here/);
    expect(sent).toContain('B'.repeat(4_000));
  });

  test('that cannot be made shorter ends its turn with the reason, and the session stays usable', async () => {
    let isShort = false;
    const model: ModelClient = {
      async *stream() {
        if (isShort) yield done;
        else yield [broken({ class: 'context-too-long', httpStatus: 400, isOutcomeKnown: true, retryAfterMs: null })];
      },
    };
    await using setup = await testSessions([], { model });
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    expect((await setup.events(id)).at(-1)).toMatchObject({ type: 'RunError', classe: 'contesto-troppo-lungo' });
    isShort = true;
    await setup.sessions.turns.resume(id, { message: 'again' });
    await setup.sessions.turns.settled(id);
    expect((await setup.events(id)).at(-1)?.type).toBe('RunFinished');
  });
});
