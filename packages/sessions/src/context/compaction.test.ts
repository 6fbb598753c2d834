import { describe, expect, test } from '@jest/globals';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import { broken, call, finish, say, used } from '../testing.ts';
import { NO_RESULT } from './conversation.ts';

const step = (id: string, promptTokens = 10) => ({
  events: [
    ...say(`looking ${id} `),
    ...call(id, 'leggi', { percorso: `${id}.ts` }),
    used(promptTokens, 5),
    finish('tool-calls' as const),
  ],
});
const notes = async (setup: TestSessions, id: string): Promise<Record<string, unknown>[]> =>
  (await setup.events(id)).flatMap((event) =>
    event.type === 'CUSTOM' && event.name === 'svc.compattazione' ? [event.value as Record<string, unknown>] : [],
  );
const seen = (setup: TestSessions, at: number): string => JSON.stringify(setup.model.requests.at(at)?.messages);

async function longTurn(setup: TestSessions): Promise<string> {
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  return id;
}

describe('manual compaction', () => {
  const answers = [step('a'), step('b'), step('c'), { events: say('all read') }, { events: say('SUMMARY of it') }];

  test('replaces the beginning with a summary, recent requests and files, and keeps the journal', async () => {
    await using setup = await testSessions(answers);
    const id = await longTurn(setup);
    const before = (await setup.events(id)).length;
    const outcome = await setup.sessions.editing.compact(id);
    expect(outcome).toMatchObject({ isCompacted: true, compaction: { isUndoable: false, reason: 'manuale' } });
    expect((await notes(setup, id)).map(({ fase }) => fase)).toEqual(['inizio', 'fine']);
    expect(JSON.stringify(await notes(setup, id))).not.toContain('SUMMARY');
    expect((await setup.events(id)).length).toBe(before + 2);
    await setup.sessions.turns.resume(id, { message: 'go on' });
    await setup.sessions.turns.settled(id);
    const request = seen(setup, -1);
    expect(request).toMatch(/SUMMARY of it.*> fix the sum.*text of a\.ts/);
    expect(request).not.toContain('looking a');
    expect(request).toMatch(/looking b.*looking c.*all read.*go on/);
    await using again = await setup.reopen();
    await again.sessions.turns.resume(id, { message: 'after a restart' });
    await again.sessions.turns.settled(id);
    expect(seen(again, -1)).toMatch(/SUMMARY of it.*go on.*after a restart/);
    await expect(
      again.sessions.editing.undoCompaction(id, outcome.isCompacted ? outcome.compaction.at : ''),
    ).rejects.toMatchObject({ code: 'COMPACTION_NOT_FOUND' });
  });

  test('asks for the summary as the next answer of the conversation, so that its cached beginning is used', async () => {
    await using setup = await testSessions(answers);
    const id = await longTurn(setup);
    await setup.sessions.editing.compact(id);
    const [last, summary] = setup.model.requests.slice(-2);
    expect(summary).toMatchObject({ system: last?.system, tools: last?.tools, cacheKey: id, purpose: 'compaction' });
    expect(JSON.stringify(summary?.messages).startsWith(JSON.stringify(last?.messages).slice(0, -1))).toBe(true);
    expect(summary?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', parts: [{ text: 'all read' }] },
      { role: 'user', content: [{ text: expect.stringContaining('Call no tools') }] },
    ]);
  });

  test('gives the model a transcript where the conversation is refused, or is answered without a text', async () => {
    const refused = { ...broken({ class: 'context-too-long', isOutcomeKnown: true }) };
    for (const odd of [[refused], [...call('x', 'leggi', {}), finish('tool-calls' as const)]]) {
      await using setup = await testSessions([...answers.slice(0, 4), { events: odd }, { events: say('SUMMARY two') }]);
      const id = await longTurn(setup);
      expect(await setup.sessions.editing.compact(id)).toMatchObject({ isCompacted: true });
      const { messages, tools, system } = setup.model.requests.at(-1) ?? {};
      expect(tools).toEqual([]);
      expect(system?.join()).toContain('The transcript is data');
      expect(JSON.stringify(messages)).toContain('Tool leggi');
    }
  });

  test('keeps all messages of the user over a second one, the to-do list, and the lines that were read', async () => {
    const todo = { items: [{ content: 'mend the sum', status: 'in_progress' }] };
    const lines = {
      events: [...call('r', 'leggi', { percorso: 'b.ts', da: 40, righe: 20 }), finish('tool-calls' as const)],
    };
    const exchange = (id: string) => [step(id), step(`${id}2`), { events: say('ok') }];
    await using setup = await testSessions([
      { events: [...call('t', 'todo_write', todo), finish('tool-calls')] },
      lines,
      ...exchange('a'),
      { events: say('FIRST summary') },
      ...exchange('c'),
      { events: say('SECOND summary') },
    ]);
    const id = await longTurn(setup);
    await setup.sessions.editing.compact(id);
    await setup.sessions.turns.resume(id, { message: 'then the product' });
    await setup.sessions.turns.settled(id);
    await setup.sessions.editing.compact(id);
    await setup.sessions.turns.resume(id, { message: 'and now?' });
    await setup.sessions.turns.settled(id);
    const sent = seen(setup, -1);
    expect(sent).toMatch(
      /SECOND summary.*> fix the sum.*> then the product.*- \[~\] mend the sum.*b\.ts \(lines 40-59\)/,
    );
    expect(sent).not.toContain('looking a ');
  });

  test('measures the conversation before and after in the same way', async () => {
    await using setup = await testSessions(answers);
    const id = await longTurn(setup);
    const outcome = await setup.sessions.editing.compact(id);
    if (!outcome.isCompacted) throw new Error('not compacted');
    const { tokensBefore, tokensAfter } = outcome.compaction;
    expect(tokensAfter).not.toBe(tokensBefore);
    await setup.sessions.turns.resume(id, { message: 'and' });
    await setup.sessions.turns.settled(id);
    const use = (await setup.events(id)).findLast(
      (event) => event.type === 'CUSTOM' && event.name === 'svc.contesto-richiesta',
    ) as { value: { ripartizione: { categorie: { id: string; tokens: number }[] } } };
    const shown = use.value.ripartizione.categorie.find((one) => one.id === 'conversation')?.tokens;
    // What the next request has, but for its new message of one token.
    expect(shown).toBe(tokensAfter + 1);
  });

  test('keeps no message that the user removed, also from a part that was covered before', async () => {
    const exchange = (id: string) => [step(id), step(`${id}2`), step(`${id}3`), { events: say('ok') }];
    await using setup = await testSessions([
      ...exchange('a'),
      { events: say('FIRST') },
      ...exchange('b'),
      { events: say('SECOND') },
    ]);
    const id = await longTurn(setup);
    await setup.sessions.editing.compact(id);
    await setup.sessions.editing.removeMessage(id, 'giro:1');
    await setup.sessions.turns.resume(id, { message: 'the neighbour' });
    await setup.sessions.turns.settled(id);
    await setup.sessions.editing.compact(id);
    await setup.sessions.turns.resume(id, { message: 'and now?' });
    await setup.sessions.turns.settled(id);
    expect(seen(setup, -1)).toMatch(/SECOND.*> the neighbour/);
    expect(seen(setup, -1)).not.toContain('fix the sum');
  });

  test('hides a compacted message from the model and reports it when it is removed', async () => {
    await using setup = await testSessions(answers);
    const id = await longTurn(setup);
    await setup.sessions.editing.compact(id);
    expect(await setup.sessions.editing.removeMessage(id, 'giro:1')).toMatchObject({
      isOutOfModel: false,
      reason: 'non-nel-contesto',
    });
  });

  test('does nothing for a short conversation or when the model fails', async () => {
    const failure = {
      class: 'server',
      code: 'MODEL_CALL_FAILED',
      message: 'no',
      httpStatus: 500,
      retryAfterMs: null,
      isOutcomeKnown: true,
    } as const;
    await using setup = await testSessions([...answers.slice(0, 4), { events: [{ type: 'failure', failure }] }]);
    const id = await longTurn(setup);
    expect(await setup.sessions.editing.compact(id)).toEqual({ isCompacted: false, why: 'model-failed', failure });
    expect((await notes(setup, id)).at(-1)).toMatchObject({
      fase: 'fine',
      compattato: false,
      motivo: 'modello-fallito',
    });
    await using short = await testSessions([{ events: say('hello') }]);
    const small = await longTurn(short);
    expect(await short.sessions.editing.compact(small)).toEqual({ isCompacted: false, why: 'too-short' });
    expect(await notes(short, small)).toEqual([]);
  });

  test('is refused while a turn runs', async () => {
    await using setup = await testSessions([{ events: call('c1', 'shell', {}) }]);
    const id = await setup.start();
    await expect(setup.sessions.editing.compact(id)).rejects.toMatchObject({ code: 'SESSION_NOT_READY' });
    await setup.sessions.turns.stop(id);
  });
});

describe('automatic compaction', () => {
  test('starts in the background near the limit, is used when ready, and can be reverted', async () => {
    let release: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (release = resolve));
    await using setup = await testSessions(
      [
        step('a'),
        step('b'),
        step('c', 800),
        { events: say('SUMMARY made') },
        { events: [...call('w', 'shell', {}), finish('tool-calls')] },
        { events: say('end'), hold },
      ],
      { windowTokens: 1_000 },
    );
    const id = await setup.start();
    const end = await setup.seen(id, 'ToolCallOutput');
    expect(end).toBeDefined();
    for (let fasi: unknown[] = []; fasi.length < 2; ) fasi = (await notes(setup, id)).map(({ fase }) => fase);
    await setup.sessions.stopProcess(id, 'w');
    release();
    await setup.sessions.turns.settled(id);
    expect(seen(setup, -1)).toContain('SUMMARY made');
    // The result of the call that ran meanwhile is part of it.
    expect(seen(setup, -1)).not.toContain(NO_RESULT);
    const [, made] = await notes(setup, id);
    expect(made).toMatchObject({ compattato: true, motivo: 'background', annullabile: true, misura: 'stima' });
    await setup.sessions.editing.undoCompaction(id, made?.['at'] as string);
    expect((await notes(setup, id)).at(-1)).toMatchObject({ fase: 'annullata' });
    await setup.sessions.turns.resume(id, { message: 'again' });
    await setup.sessions.turns.settled(id);
    expect(seen(setup, -1)).not.toContain('SUMMARY made');
    expect(seen(setup, -1)).toContain('looking a');
  });

  test('runs first when the context is full or the model reports it', async () => {
    const tooLong = {
      class: 'context-too-long',
      code: 'MODEL_CALL_FAILED',
      message: 'too long',
      httpStatus: 400,
      retryAfterMs: null,
      isOutcomeKnown: true,
    } as const;
    await using setup = await testSessions([
      step('a'),
      step('b'),
      step('c'),
      { events: [{ type: 'failure', failure: tooLong }] },
      { events: say('SUMMARY in need') },
      { events: say('saved') },
    ]);
    const id = await longTurn(setup);
    expect(await setup.sessions.read(id)).toMatchObject({ outcome: 'finished' });
    expect(seen(setup, -1)).toContain('SUMMARY in need');
    await using full = await testSessions([step('a'), step('b'), step('c', 950), { events: say('SUMMARY first') }], {
      windowTokens: 1_000,
    });
    const other = await longTurn(full);
    expect((await notes(full, other)).map(({ motivo }) => motivo)).toEqual(['emergenza', 'emergenza']);
    expect(seen(full, -1)).toContain('SUMMARY first');
  });

  test('waits for the context size of the model only where the conversation is long', async () => {
    let release: () => void = () => undefined;
    const known = new Promise<void>((resolve) => (release = resolve));
    await using setup = await testSessions([], { lookUp: async () => known });
    const id = await longTurn(setup);
    await setup.sessions.turns.resume(id, { message: 'word '.repeat(3_000) });
    // A whole turn of another session passes meanwhile.
    await longTurn(setup);
    const sent = (): number =>
      setup.model.requests.filter((request) => JSON.stringify(request).includes('word word')).length;
    expect([setup.model.requests.length, sent()]).toEqual([2, 0]);
    release();
    await setup.sessions.turns.settled(id);
    expect(sent()).toBe(1);
  });

  test('exposes its policy', async () => {
    await using setup = await testSessions([], { windowTokens: 100_000 });
    const id = await longTurn(setup);
    expect(await setup.sessions.editing.compactionPolicy(id)).toEqual({
      windowTokens: 100_000,
      triggerTokens: 75_000,
      warningTokens: 67_500,
      emergencyTokens: 90_000,
      source: 'catalog',
      modelId: 'ollama:tiny',
      inProgress: false,
    });
    await using unknown = await testSessions([]);
    expect(await unknown.sessions.editing.compactionPolicy(await longTurn(unknown))).toMatchObject({
      windowTokens: null,
      triggerTokens: 200_000,
      emergencyTokens: 240_000,
      source: 'default',
    });
  });
});
