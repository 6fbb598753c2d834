import { describe, expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { call, finish, say, used } from '../testing.ts';

/** What the conversation shows; notices travel as CUSTOM. */
const types = (events: readonly { type: string }[]): string[] =>
  events.map(({ type }) => type).filter((type) => type !== 'CUSTOM');

describe('a turn', () => {
  test('streams text, runs called tools and ends when the model ends', async () => {
    await using setup = await testSessions([
      {
        events: [...say('looking'), ...call('c1', 'leggi', { percorso: 'a.ts' }), used(10, 2, 4), finish('tool-calls')],
      },
      { events: [...say('all '), ...say('good'), used(20, 3, 10), finish('stop')] },
    ]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const events = await setup.events(id);
    expect(types(events)).toEqual([
      'RunStarted',
      'TextMessageStart',
      'TextMessageContent',
      'TextMessageEnd',
      'ToolCallStart',
      'ToolCallArgs',
      'StateDelta',
      'ToolCallResult',
      'TextMessageStart',
      'TextMessageContent',
      'TextMessageContent',
      'TextMessageEnd',
      'StateDelta',
      'RunFinished',
    ]);
    expect(events.map((event) => (event as unknown as { _sequenza: number })._sequenza)).toEqual(
      Array.from({ length: events.length }, (_, index) => index + 1),
    );
    const [row] = await setup.sessions.list();
    expect(row).toMatchObject({ isConcluded: true, isInterrupted: false, outcome: 'finished', name: 'fix the sum' });
    expect(row?.usage).toEqual({ prompt_tokens: 30, completion_tokens: 5, cached_tokens: 14, giri: 2 });
    expect(row?.total).toMatchObject({ promptTokens: 30, cachedTokens: 14, steps: 2, runs: 1, runsWithCache: 1 });
  });

  test('sends tool results in the next request', async () => {
    await using setup = await testSessions([
      { events: [...call('c1', 'leggi', { percorso: 'a.ts' }), finish('tool-calls')] },
    ]);
    await setup.sessions.turns.settled(await setup.start());
    expect(setup.model.requests[1]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'fix the sum' }] },
      {
        role: 'assistant',
        parts: [{ type: 'call', id: 'c1', name: 'read', arguments: '{"path":"a.ts"}' }],
      },
      { role: 'tool', toolCallId: 'c1', toolName: 'read', content: 'content of a.ts', isError: false },
    ]);
  });

  test('reports unknown tools, invalid JSON and wrong arguments to the model instead of failing', async () => {
    await using setup = await testSessions([
      {
        events: [
          ...call('c1', 'nothing', {}),
          { type: 'tool-start', id: 'c2', name: 'leggi' },
          { type: 'tool-arguments', id: 'c2', delta: '{"percorso":' },
          ...call('c3', 'leggi', { percorso: 7 }),
        ],
      },
    ]);
    await setup.sessions.turns.settled(await setup.start());
    const results = setup.model.requests[1]?.messages.flatMap((message) =>
      message.role === 'tool' ? [message.content] : [],
    );
    expect(results?.[0]).toMatch(/no tool named nothing.*read, write, bash/);
    expect(results?.[1]).toMatch(/not valid JSON/);
    expect(results?.[2]).toMatch(/path: /);
    const cacheMarks = setup.model.requests[1]?.messages.flatMap((message) =>
      message.role === 'tool' ? [message.isError] : [],
    );
    expect(cacheMarks).toEqual([true, true, true]);
  });

  test('renames a call id repeated by the provider', async () => {
    await using setup = await testSessions([
      { events: call('c1', 'leggi', { percorso: 'a' }) },
      { events: call('c1', 'leggi', { percorso: 'b' }) },
    ]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const ids = (await setup.events(id)).flatMap((event) => (event.type === 'ToolCallStart' ? [event.toolCallId] : []));
    expect(new Set(ids).size).toBe(2);
  });

  test('ends with the model’s failure as code and keeps the partial text', async () => {
    const failure = {
      class: 'stream-interrupted',
      code: 'PROVIDER_OUTCOME_UNKNOWN',
      message: 'The stream broke.',
      providerMessage: 'Overloaded',
      httpStatus: 200,
      retryAfterMs: null,
      isOutcomeKnown: false,
    } as const;
    const broken = { events: [...say('half'), { type: 'failure', failure } as const] };
    await using setup = await testSessions([broken], { modelTries: 1 });
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const events = await setup.events(id);
    expect(types(events)).toEqual([
      'RunStarted',
      'TextMessageStart',
      'TextMessageContent',
      'TextMessageEnd',
      'RunError',
    ]);
    expect(events.at(-1)).toMatchObject({
      code: 'PROVIDER_OUTCOME_UNKNOWN',
      classe: 'flusso-interrotto',
      messaggioFornitore: 'Overloaded',
    });
    expect(setup.model.requests).toHaveLength(1);
  });

  test('truncates an answer beyond its limit, including reasoning, and reports it', async () => {
    const chunk = { type: 'reasoning', delta: 'x'.repeat(1024 * 1024) } as const;
    await using setup = await testSessions([{ events: [...Array.from({ length: 12 }, () => chunk), ...say('never')] }]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const events = await setup.events(id);
    expect(events.filter(({ type }) => type === 'ReasoningMessageContent')).toHaveLength(8);
    expect(types(events).slice(-2)).toEqual(['ReasoningMessageEnd', 'RunError']);
    expect(events.at(-1)).toMatchObject({
      code: 'risposta-troppo-lunga',
      message: 'The answer was longer than 8 MiB and was cut there.',
    });
    expect(setup.model.requests).toHaveLength(1);
  });

  test('retries after a transient failure and reports the wait', async () => {
    const failure = {
      class: 'rate-limit',
      code: 'MODEL_CALL_FAILED',
      message: 'Busy.',
      httpStatus: 429,
      retryAfterMs: 5,
      isOutcomeKnown: true,
    } as const;
    await using setup = await testSessions([{ events: [{ type: 'failure', failure }] }, { events: say('here') }]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const events = await setup.events(id);
    const notices = events.flatMap((event) =>
      event.type === 'CUSTOM' && event.name === 'svc.provider-retry' ? [event.value as Record<string, unknown>] : [],
    );
    expect(notices.map(({ fase, tentativo, httpStatus }) => ({ fase, tentativo, httpStatus }))).toEqual([
      { fase: 'attesa', tentativo: 2, httpStatus: 429 },
      { fase: 'invio', tentativo: 2, httpStatus: 429 },
      { fase: 'fine', tentativo: 2, httpStatus: 429 },
    ]);
    expect(events.at(-1)?.type).toBe('RunFinished');
  });
});

describe('approval of a call', () => {
  const writing = [{ events: call('c1', 'scrivi', { percorso: 'src/a.ts' }) }];

  test('blocks a write at On request until it is allowed', async () => {
    await using setup = await testSessions(writing);
    const id = await setup.start({ permissions: 'On request' });
    const asked = (await setup.seen(id, 'ApprovalRequested')) as { requestId: string; azione: unknown };
    expect(asked.azione).toEqual({ tipo: 'scrivi', percorso: 'src/a.ts' });
    expect(await setup.sessions.requests.pending(id)).toEqual({
      kind: 'approval',
      requestId: asked.requestId,
      action: asked.azione,
    });
    expect((await setup.sessions.read(id)).waitsForApproval).toBe(true);
    expect(setup.written).toEqual([]);
    await setup.sessions.requests.approve(id, { requestId: asked.requestId, isApproved: true });
    await setup.sessions.turns.settled(id);
    expect(setup.written).toEqual(['src/a.ts']);
    expect(await setup.sessions.requests.pending(id)).toBeNull();
  });

  test('denied never runs the write and informs the model', async () => {
    await using setup = await testSessions(writing);
    const id = await setup.start({ permissions: 'On request' });
    const { requestId } = (await setup.seen(id, 'ApprovalRequested')) as { requestId: string };
    await setup.sessions.requests.approve(id, { requestId, isApproved: false });
    await setup.sessions.turns.settled(id);
    expect(setup.written).toEqual([]);
    expect(setup.model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringMatching(/did not allow/),
    });
  });

  test('rejects a second answer and an unknown request', async () => {
    await using setup = await testSessions(writing);
    const id = await setup.start({ permissions: 'On request' });
    const { requestId } = (await setup.seen(id, 'ApprovalRequested')) as { requestId: string };
    await expect(setup.sessions.requests.approve(id, { requestId: 'other', isApproved: true })).rejects.toMatchObject({
      code: 'APPROVAL_NOT_PENDING',
    });
    await setup.sessions.requests.approve(id, { requestId, isApproved: true });
    await expect(setup.sessions.requests.approve(id, { requestId, isApproved: false })).rejects.toMatchObject({
      code: 'APPROVAL_NOT_PENDING',
    });
    await setup.sessions.turns.settled(id);
    expect(setup.written).toEqual(['src/a.ts']);
  });

  test('is accepted only from the session or an ancestor', async () => {
    await using setup = await testSessions(writing);
    const id = await setup.start({ permissions: 'On request' });
    const { requestId } = (await setup.seen(id, 'ApprovalRequested')) as { requestId: string };
    const answer = { requestId, isApproved: true };
    await expect(setup.sessions.requests.approve(id, { ...answer, answeredFrom: 'stranger' })).rejects.toMatchObject({
      code: 'APPROVAL_ANSWER_FORBIDDEN',
    });
    await setup.sessions.requests.approve(id, { ...answer, answeredFrom: id });
  });

  test('for a folder covers the next write in it and not one elsewhere', async () => {
    await using setup = await testSessions([
      { events: call('c1', 'scrivi', { percorso: 'src/a.ts' }) },
      { events: call('c2', 'scrivi', { percorso: 'src/deep/b.ts' }) },
      { events: call('c3', 'scrivi', { percorso: 'other/c.ts' }) },
    ]);
    const id = await setup.start({ permissions: 'On request' });
    const { requestId } = (await setup.seen(id, 'ApprovalRequested')) as { requestId: string };
    await setup.sessions.requests.approve(id, { requestId, isApproved: true, scope: 'folder' });
    while (setup.model.requests.length < 3) await new Promise((resolve) => setImmediate(resolve));
    while (!(await setup.sessions.requests.pending(id))) await new Promise((resolve) => setImmediate(resolve));
    expect(setup.written).toEqual(['src/a.ts', 'src/deep/b.ts']);
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    expect(setup.written).toHaveLength(2);
  });
});

describe('stopping a turn', () => {
  test('aborts the model, closes open items and records fermato', async () => {
    await using setup = await testSessions([{ events: say('thinking'), hold: new Promise(() => undefined) }]);
    const id = await setup.start();
    await setup.seen(id, 'TextMessageContent');
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    const events = await setup.events(id);
    expect(types(events).slice(-2)).toEqual(['TextMessageEnd', 'RunError']);
    expect(events.at(-1)).toMatchObject({ code: 'fermato' });
    expect(await setup.sessions.read(id)).toMatchObject({ isConcluded: true, outcome: 'stopped', stoppedTurns: [1] });
  });

  test('ends a running command and denies a pending request', async () => {
    await using setup = await testSessions([{ events: call('c1', 'shell', {}) }]);
    const id = await setup.start();
    await setup.seen(id, 'ToolCallOutput');
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    expect(types(await setup.events(id)).slice(-2)).toEqual(['ToolCallResult', 'RunError']);
  });

  test('marks a call waiting for approval and the next one as interrupted', async () => {
    await using setup = await testSessions([
      { events: [...call('c1', 'scrivi', { percorso: 'a' }), ...call('c2', 'scrivi', { percorso: 'b' })] },
    ]);
    const id = await setup.start({ permissions: 'On request' });
    await setup.seen(id, 'ApprovalRequested');
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    const events = await setup.events(id);
    expect(events.filter(({ type }) => type === 'ApprovalResolved')).toMatchObject([
      { approvato: false, interrotto: true },
    ]);
    const results = events.filter(({ type }) => type === 'ToolCallResult');
    expect(results).toMatchObject([
      { toolCallId: 'c1', fallito: true, interrotto: true },
      { toolCallId: 'c2', fallito: true, interrotto: true },
    ]);
    expect(setup.written).toEqual([]);
  });

  test('one command can be stopped while the turn continues', async () => {
    await using setup = await testSessions([{ events: call('c1', 'shell', {}) }]);
    const id = await setup.start();
    await setup.seen(id, 'ToolCallOutput');
    await setup.sessions.stopProcess(id, 'c1');
    await setup.sessions.turns.settled(id);
    expect((await setup.events(id)).at(-1)?.type).toBe('RunFinished');
    await expect(setup.sessions.stopProcess(id, 'c1')).rejects.toMatchObject({ code: 'PROCESS_NOT_RUNNING' });
  });

  test('is accepted when nothing runs and refused for an unknown session', async () => {
    await using setup = await testSessions([]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    await setup.sessions.turns.stop(id);
    await expect(setup.sessions.turns.stop('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('resuming a session', () => {
  test('with a message starts the next turn on the same stream', async () => {
    await using setup = await testSessions([]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    await setup.sessions.turns.resume(id, { message: 'and now?' });
    await setup.sessions.turns.settled(id);
    const starts = (await setup.events(id)).flatMap((event) => (event.type === 'RunStarted' ? [event.input] : []));
    expect(starts).toEqual([{ consegna: 'fix the sum' }, { consegna: 'and now?', seguito: true }]);
    expect(setup.model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  test('answers SESSION_NOT_READY without an interrupted turn and while one runs', async () => {
    await using setup = await testSessions([{ events: [], hold: new Promise(() => undefined) }]);
    const id = await setup.start();
    await expect(setup.sessions.turns.resume(id, { message: 'x' })).rejects.toMatchObject({
      code: 'SESSION_NOT_READY',
      reason: 'turn-in-progress',
    });
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    await expect(setup.sessions.turns.resume(id)).rejects.toMatchObject({
      code: 'SESSION_NOT_READY',
      reason: 'nothing-to-resume',
    });
  });

  test('closes and continues a turn whose process died, without a message', async () => {
    await using setup = await testSessions([{ events: call('c1', 'shell', {}), hold: new Promise(() => undefined) }]);
    const id = await setup.start();
    await setup.seen(id, 'ToolCallArgs');
    await using next = await setup.reopen([{ events: say('back again') }]);
    expect(await next.sessions.read(id)).toMatchObject({
      isInterrupted: true,
      isConcluded: false,
      outcome: 'interrupted',
    });
    const events = await next.events(id);
    expect(types(events).slice(-2)).toEqual(['ToolCallResult', 'RunError']);
    expect(events.at(-1)).toMatchObject({ code: 'SESSION_INTERRUPTED' });
    await next.sessions.turns.resume(id);
    await next.sessions.turns.settled(id);
    expect(next.model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect((await next.sessions.read(id)).outcome).toBe('finished');
  });

  test('answers SESSION_STORE_BUSY when another process runs it', async () => {
    await using setup = await testSessions([{ events: [], hold: new Promise(() => undefined) }]);
    const id = await setup.start();
    const other = setup.beside();
    await expect(other.turns.resume(id, { message: 'x' })).rejects.toMatchObject({ code: 'SESSION_STORE_BUSY' });
    await expect(other.rename(id, 'x')).rejects.toMatchObject({ code: 'SESSION_STORE_BUSY' });
    await expect(other.changeSettings(id, { language: 'it' })).rejects.toMatchObject({ code: 'SESSION_STORE_BUSY' });
    expect((await other.read(id)).isInterrupted).toBe(false);
    await other[Symbol.asyncDispose]();
    await setup.sessions.turns.stop(id);
  });

  test('after closing continues the interrupted turn, and closing refuses new ones', async () => {
    await using setup = await testSessions([{ events: [], hold: new Promise(() => undefined) }]);
    const id = await setup.start();
    await setup.sessions.turns.close();
    expect((await setup.events(id)).at(-1)).toMatchObject({ type: 'RunError', code: 'SESSION_INTERRUPTED' });
    await expect(setup.start()).rejects.toMatchObject({ code: 'SERVER_SHUTTING_DOWN' });
    await expect(setup.sessions.turns.resume(id)).rejects.toMatchObject({ code: 'SERVER_SHUTTING_DOWN' });
  });
});
