import { describe, expect, test } from '@jest/globals';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import type { PlanDecision } from '../state/custom-events.ts';
import { call, say } from '../testing.ts';

const planning = [
  {
    events: [
      ...call('w0', 'scrivi', { percorso: 'early' }),
      ...call('p1', 'present_plan', { plan: '# Plan\n1. write' }),
    ],
  },
  { events: call('w1', 'scrivi', { percorso: 'a.ts' }) },
];

async function shownPlan(setup: TestSessions, id: string) {
  for await (const item of setup.sessions.follow(id, 0, new AbortController().signal)) {
    if (item.kind === 'events' && item.events.some(({ json }) => json.includes('"proposed"'))) break;
  }
  const card = await setup.sessions.requests.pending(id);
  if (card?.kind !== 'plan') throw new Error('no plan');
  return card;
}

type Decision = { requestId: string; hash: string; decision: PlanDecision; feedback?: string };

const decide = (setup: TestSessions, id: string, { requestId, hash, decision, feedback }: Decision): Promise<void> =>
  setup.sessions.requests.decide(id, { requestId, hash, decision, ...(feedback && { feedback }) });

describe('plan mode', () => {
  test('changes nothing before approval, then continues at the approved level', async () => {
    await using setup = await testSessions(planning);
    const id = await setup.start({ mode: 'plan' });
    const card = await shownPlan(setup, id);
    expect(card).toMatchObject({ revision: 1, content: '# Plan\n1. write', hash: expect.stringMatching(/^sha256:/) });
    expect(setup.written).toEqual([]);
    expect((await setup.sessions.read(id)).waitsForPlan).toBe(true);
    await decide(setup, id, { ...card, decision: 'procedi-accetta-modifiche' });
    await setup.sessions.turns.settled(id);
    expect(setup.written).toEqual(['a.ts']);
    expect((await setup.sessions.read(id)).settings).toMatchObject({ mode: 'normal', permissions: 'Workspace write' });
    const names = (await setup.events(id)).flatMap((event) => (event.type === 'CUSTOM' ? [event.name] : []));
    expect(names.filter((name) => name === 'svc.plan')).toHaveLength(2);
    expect(names).toContain('svc.impostazioni-sessione');
    await decide(setup, id, { ...card, decision: 'procedi-accetta-modifiche' });
    await expect(decide(setup, id, { ...card, decision: 'procedi-con-conferma' })).rejects.toMatchObject({
      code: 'PLAN_NOT_PENDING',
    });
  });

  test('with confirmation asks for each change afterwards', async () => {
    await using setup = await testSessions(planning);
    const id = await setup.start({ mode: 'plan' });
    await decide(setup, id, { ...(await shownPlan(setup, id)), decision: 'procedi-con-conferma' });
    await setup.seen(id, 'ApprovalRequested');
    expect((await setup.sessions.read(id)).settings.permissions).toBe('On request');
    await setup.sessions.turns.stop(id);
  });

  test('continues planning with the user’s comment and revises the same plan', async () => {
    await using setup = await testSessions([
      planning[0] ?? { events: [] },
      { events: call('p2', 'present_plan', { plan: 'better' }) },
    ]);
    const id = await setup.start({ mode: 'plan' });
    const first = await shownPlan(setup, id);
    await expect(
      decide(setup, id, { ...first, hash: `sha256:${'0'.repeat(64)}`, decision: 'procedi-con-conferma' }),
    ).rejects.toMatchObject({ code: 'PLAN_STALE' });
    await decide(setup, id, { ...first, decision: 'continua-a-pianificare', feedback: 'shorter' });
    for (let card = first; card.revision === 1; ) {
      const next = await setup.sessions.requests.pending(id);
      if (next?.kind === 'plan') card = next as typeof first;
      else await new Promise((resolve) => setImmediate(resolve));
    }
    expect(setup.model.requests[1]?.messages.at(-1)).toMatchObject({ content: expect.stringContaining('shorter') });
    expect(await setup.sessions.requests.pending(id)).toMatchObject({ planId: first.planId, revision: 2 });
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    expect((await setup.sessions.read(id)).waitsForPlan).toBe(false);
  });

  test('in a new session starts it with the plan only and ends this turn', async () => {
    await using setup = await testSessions([planning[0] ?? { events: [] }, { events: say('carried out') }]);
    const id = await setup.start({ mode: 'plan' });
    await decide(setup, id, { ...(await shownPlan(setup, id)), decision: 'conversazione-pulita' });
    await setup.sessions.turns.settled(id);
    expect(await setup.sessions.read(id)).toMatchObject({ outcome: 'finished', settings: { mode: 'plan' } });
    const [fresh] = (await setup.sessions.list()).filter(({ header }) => header.sessionId !== id);
    expect(fresh?.settings).toMatchObject({ mode: 'normal', permissions: 'Workspace write' });
    await setup.sessions.turns.settled(fresh?.header.sessionId ?? '');
    expect(setup.model.requests[1]?.messages).toHaveLength(1);
    expect(JSON.stringify(setup.model.requests[1]?.messages)).toContain('# Plan');
  });

  test('in a new session keeps the command settings of the old one, or is not saved', async () => {
    const kept: string[][] = [];
    let isKept = false;
    const keepCommandSettings = async (from: string, to: string): Promise<void> => {
      if (!isKept) throw new Error('the store cannot be written');
      kept.push([from, to]);
    };
    await using setup = await testSessions([planning[0] ?? { events: [] }, { events: say('carried out') }], {
      keepCommandSettings,
    });
    const id = await setup.start({ mode: 'plan' });
    const decision = { ...(await shownPlan(setup, id)), decision: 'conversazione-pulita' as const };
    await expect(decide(setup, id, decision)).rejects.toMatchObject({ code: 'PLAN_DECISION_NOT_SAVED' });
    expect(await setup.sessions.list()).toHaveLength(1);
    isKept = true;
    await decide(setup, id, decision);
    await setup.sessions.turns.settled(id);
    const [fresh] = (await setup.sessions.list()).filter(({ header }) => header.sessionId !== id);
    expect(kept).toEqual([[id, fresh?.header.sessionId]]);
    await setup.sessions.turns.settled(fresh?.header.sessionId ?? '');
  });

  test('accepts a decision after a restart and resumes the turn', async () => {
    await using setup = await testSessions(planning);
    const id = await setup.start({ mode: 'plan' });
    await shownPlan(setup, id);
    await using again = await setup.reopen([{ events: call('w1', 'scrivi', { percorso: 'later.ts' }) }]);
    expect(await again.sessions.read(id)).toMatchObject({ isInterrupted: true, waitsForPlan: true });
    await decide(again, id, { ...(await shownPlan(again, id)), decision: 'procedi-accetta-modifiche' });
    await again.sessions.turns.settled(id);
    expect(again.written).toEqual(['later.ts']);
    await setup.sessions.turns.stop(id);
  });
});
