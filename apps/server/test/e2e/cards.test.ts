import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { breakStore, type TestServer, testServer, until } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

const FULL = "CREATE TRIGGER full BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END";
const QUESTIONS = [
  { id: 'colour', question: 'Which colour?', why: 'It shows.', options: [{ label: 'Red' }, { label: 'Blue' }] },
];
const PLAN = '# Plan\n\n1. Fix the sum.';

interface Card {
  requestId: string;
  questions?: unknown[];
  piano?: { hash: string; content: string; revision: number };
}

/** A session that waits for the answer to a card. */
async function waiting(call: { name: string; arguments: Record<string, unknown> }, fields: object = {}, on = server) {
  on.model.script((request) => (request.lastRole === 'tool' ? { text: 'Thank you.' } : { toolCalls: [call] }));
  const id = await on.startSession({ ...fields });
  const card = await until<Card>(
    async () => (await on.call('GET', `/sessions/${id}/pending`)).data.pending ?? undefined,
  );
  return { id, card };
}
const asking = (on = server) => waiting({ name: 'ask_user', arguments: { questions: QUESTIONS } }, {}, on);
const planning = (on = server) =>
  waiting({ name: 'present_plan', arguments: { plan: PLAN } }, { modalitaOperativa: 'piano' }, on);
const answer = (id: string, body: unknown, on = server) => on.call('POST', `/sessions/${id}/question`, { body });
const decide = (id: string, body: unknown, { on = server, headers = {} } = {}) =>
  on.call('POST', `/sessions/${id}/plan-decision`, { body, headers });

describe('a question to the user', () => {
  covers('turns.question', 'passes the answer to the model and accepts the same answer again', async () => {
    const { id, card } = await asking();
    expect(card.questions).toMatchObject([{ id: 'colour' }]);
    const row = (await server.call('GET', '/sessions')).data.items.find((item: any) => item.sessionId === id);
    expect(row.inAttesaDomanda).toBe(true);
    const body = { requestId: card.requestId, status: 'answered', answers: { colour: 'Blue' }, rispostoDa: id };
    for (const bad of [
      {},
      { ...body, status: 'maybe' },
      { ...body, answers: undefined },
      { ...body, status: 'skipped' },
      { ...body, answers: { other: 'x' } },
      { ...body, skipped: ['colour'] },
      { ...body, x: 1 },
    ]) {
      expect((await answer(id, bad)).code).toBe('QUERY_INVALID');
    }
    expect((await answer(id, body)).data).toEqual({ ok: true });
    expect((await answer(id, body)).data).toEqual({ ok: true });
    await server.settled(id);
    expect(server.model.requests.at(-1)?.lastText).toContain('Blue');
  });

  covers('turns.question', 'accepts an answer after a restart and continues the turn', async () => {
    await using first = await testServer();
    const { id, card } = await asking(first);
    await first.host.quiesce();
    await first.stop();
    await using second = await testServer({ dataDir: first.dataDir, script: () => ({ text: 'At last.' }) });
    const { data } = await second.call('GET', `/sessions/${id}/pending`);
    expect(data.pending).toMatchObject({ requestId: card.requestId, questions: [{ id: 'colour' }] });
    const body = { requestId: card.requestId, status: 'answered', answers: { colour: 'my own' } };
    expect((await answer(id, body, second)).ok).toBe(true);
    expect((await second.settled(id)).motivoChiusura).toBe('fine-lavoro');
    expect(second.model.requests.at(-1)?.lastText).toContain('my own');
  });

  refuses(
    'turns.question',
    'QUESTION_NOT_PENDING',
    'for an unknown question and for another answer to an answered one',
    async () => {
      const { id, card } = await asking();
      const body = { requestId: card.requestId, status: 'skipped' };
      expect(await answer(id, { ...body, requestId: 'other' })).toMatchObject({
        status: 409,
        code: 'QUESTION_NOT_PENDING',
      });
      await answer(id, body);
      expect((await answer(id, { ...body, status: 'cancelled' })).code).toBe('QUESTION_NOT_PENDING');
      await server.settled(id);
    },
  );

  refuses('turns.question', 'QUESTION_ANSWER_FORBIDDEN', 'from a session that is not an ancestor', async () => {
    const { id, card } = await asking();
    const body = { requestId: card.requestId, status: 'skipped', rispostoDa: 'stranger' };
    expect(await answer(id, body)).toMatchObject({ status: 403, code: 'QUESTION_ANSWER_FORBIDDEN' });
    await server.call('POST', `/sessions/${id}/stop`);
    await server.settled(id);
  });

  refuses('turns.question', 'QUESTION_ANSWER_NOT_SAVED', 'when the store cannot be written', async () => {
    await using broken = await testServer();
    const { id, card } = await asking(broken);
    await breakStore(broken.dataDir, FULL);
    const reply = await answer(id, { requestId: card.requestId, status: 'skipped' }, broken);
    expect(reply).toMatchObject({ status: 500, code: 'QUESTION_ANSWER_NOT_SAVED' });
  });
});

describe('a plan', () => {
  covers('turns.plan-decision', 'changes mode and level on approval and accepts the same decision again', async () => {
    const { id, card } = await planning();
    expect(card.piano).toMatchObject({ content: PLAN, revision: 1 });
    const body = { requestId: card.requestId, decisione: 'procedi-con-conferma', hash: card.piano?.hash };
    for (const bad of [
      {},
      { ...body, hash: 'x' },
      { ...body, decisione: 'forse' },
      { ...body, feedback: 'no' },
      { ...body, decisione: 'continua-a-pianificare', feedback: 'x'.repeat(4_001) },
    ]) {
      expect((await decide(id, bad)).code).toBe('QUERY_INVALID');
    }
    expect((await decide(id, body)).data).toEqual({ ok: true });
    expect((await decide(id, body)).data).toEqual({ ok: true });
    expect(await server.settled(id)).toMatchObject({ modalitaOperativa: 'normale', permessi: 'On request' });
    const customEvents = (await server.events(id)).flatMap((event) => (event.type === 'CUSTOM' ? [event] : []));
    const plans = customEvents
      .filter(({ name }) => name === 'svc.plan')
      .map(({ value }) => value as { status: string });
    expect(plans.map(({ status }) => status)).toEqual(['proposed', 'approved']);
    expect(customEvents.find(({ name }) => name === 'svc.impostazioni-sessione')?.value).toEqual({
      modalitaOperativa: 'normale',
      permessi: 'On request',
      motivo: 'piano-approvato',
    });
  });

  covers('turns.plan-decision', 'starts a new session with only the plan when asked', async () => {
    const { id, card } = await planning();
    const body = { requestId: card.requestId, decisione: 'conversazione-pulita', hash: card.piano?.hash };
    expect((await decide(id, body)).ok).toBe(true);
    await server.settled(id);
    const decided = (await server.events(id)).flatMap((event) =>
      event.type === 'CUSTOM' && event.name === 'svc.plan' ? [event.value as { nuovaSessionId?: string }] : [],
    );
    const fresh = await server.settled(decided.at(-1)?.nuovaSessionId ?? '');
    expect(fresh).toMatchObject({ permessi: 'Workspace write', modalitaOperativa: 'normale' });
  });

  refuses('turns.plan-decision', 'PLAN_STALE', 'when the text differs from the text on screen', async () => {
    const { id, card } = await planning();
    const body = { requestId: card.requestId, decisione: 'procedi-con-conferma', hash: `sha256:${'0'.repeat(64)}` };
    expect(await decide(id, body)).toMatchObject({ status: 409, code: 'PLAN_STALE' });
    await server.call('POST', `/sessions/${id}/stop`);
    await server.settled(id);
  });

  refuses('turns.plan-decision', 'PLAN_NOT_PENDING', 'when no plan is pending', async () => {
    server.model.script(() => ({ text: 'Hello.' }));
    const id = await server.startSession();
    await server.settled(id);
    const body = { requestId: 'x', decisione: 'procedi-con-conferma', hash: `sha256:${'0'.repeat(64)}` };
    expect(await decide(id, body)).toMatchObject({ status: 409, code: 'PLAN_NOT_PENDING' });
  });

  refuses('turns.plan-decision', 'PLAN_APPROVAL_ORIGIN_FORBIDDEN', 'from another origin', async () => {
    const { id, card } = await planning();
    const body = { requestId: card.requestId, decisione: 'procedi-con-conferma', hash: card.piano?.hash };
    const headers = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(await decide(id, body, { headers })).toMatchObject({ status: 403, code: 'PLAN_APPROVAL_ORIGIN_FORBIDDEN' });
    await server.call('POST', `/sessions/${id}/stop`);
    await server.settled(id);
  });

  refuses(
    'turns.plan-decision',
    'PLAN_DECISION_NOT_SAVED',
    'when the store cannot be written, and keeps the plan open',
    async () => {
      await using broken = await testServer();
      const { id, card } = await planning(broken);
      await breakStore(broken.dataDir, FULL);
      const body = { requestId: card.requestId, decisione: 'procedi-con-conferma', hash: card.piano?.hash };
      expect(await decide(id, body, { on: broken })).toMatchObject({ status: 500, code: 'PLAN_DECISION_NOT_SAVED' });
      expect((await broken.call('GET', `/sessions/${id}/pending`)).data.pending.requestId).toBe(card.requestId);
    },
  );
});
