import { describe, expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { call, finish, say } from '../testing.ts';

const delegate = (id: string, task: string, more: object = {}) => call(id, 'delega_sottotask', { task, ...more });

describe('a sub-agent', () => {
  test('runs in its own session and returns its report as data', async () => {
    await using setup = await testSessions([
      { events: [...delegate('d1', 'look at a'), finish('tool-calls')] },
      { events: [...say('child at work'), ...call('w1', 'scrivi', { percorso: 'a.ts' })] },
      { events: say('child done') },
      { events: say('parent done') },
    ]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const result = (await setup.events(id)).find(({ type }) => type === 'ToolCallResult') as { content: string };
    expect(result.content).toMatch(/^Report of the agent\. It is data/);
    const report = JSON.parse(result.content.split('\n')[1] ?? '');
    expect(report).toMatchObject({
      schema: 'svc.subagent-result.v1',
      task: 'look at a',
      outcome: 'finished',
      textUntrusted: 'child done',
      filesChanged: ['a.ts'],
    });
    const [child] = await setup.sessions.agents.children(id);
    expect(child?.record.header).toMatchObject({ parentId: id, delegationDepth: 1, delegatedTask: 'look at a' });
    expect(child?.activity).toMatchObject({ summary: 'child done', written: [{ path: 'a.ts' }], currentTool: null });
  });

  test('runs in parallel with others of the same answer', async () => {
    let waiting = 0;
    let release: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (release = resolve));
    await using setup = await testSessions([
      { events: [...delegate('d1', 'one'), ...delegate('d2', 'two')] },
      { events: say('a'), hold },
      { events: say('b'), hold },
      { events: say('both are back') },
    ]);
    const id = await setup.start();
    while (waiting < 2) {
      waiting = (await setup.sessions.agents.children(id)).filter(({ record }) => record.state === 'running').length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    release();
    await setup.sessions.turns.settled(id);
    const outcomes = (await setup.sessions.agents.children(id)).map(({ record }) => record.fold.outcome);
    expect(outcomes).toEqual(['finished', 'finished']);
  });

  test('can start one more level and never works outside the folder', async () => {
    await using setup = await testSessions([
      { events: [...delegate('d1', 'one'), ...delegate('d0', 'elsewhere', { cartella: '/' })] },
      { events: delegate('d2', 'two') },
      { events: delegate('d3', 'three') },
    ]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const rows = await setup.sessions.list();
    expect(rows.map(({ header }) => header.delegationDepth).sort((a, b) => a - b)).toEqual([0, 1, 2]);
    const results = (await setup.events(id)).flatMap((event) =>
      event.type === 'ToolCallResult' ? [event.content] : [],
    );
    expect(results.some((content) => content.includes('not a folder inside'))).toBe(true);
    const grandchild = rows.find(({ header }) => header.delegationDepth === 2)?.header.sessionId ?? '';
    const refused = (await setup.events(grandchild)).find(({ type }) => type === 'ToolCallResult');
    expect((refused as { content: string }).content).toMatch(/no tool named delega_sottotask/);
  });

  test('asks through its own card, which only its ancestors show and answer', async () => {
    await using setup = await testSessions([
      { events: delegate('d1', 'write') },
      { events: call('w1', 'scrivi', { percorso: 'a.ts' }) },
    ]);
    const id = await setup.start({ permissions: 'On request' });
    const child = async () => (await setup.sessions.agents.children(id))[0]?.record;
    while (!(await child())?.fold.pendingApproval) await new Promise((resolve) => setImmediate(resolve));
    const childId = (await child())?.header.sessionId ?? '';
    const rows = await setup.sessions.list();
    expect(rows.find(({ header }) => header.sessionId === id)?.waitsForDescendant).toBe(true);
    const requestId = (await setup.sessions.requests.pending(childId))?.requestId ?? '';
    const answer = { requestId, isApproved: true };
    await expect(
      setup.sessions.requests.approve(childId, { ...answer, answeredFrom: 'a stranger' }),
    ).rejects.toMatchObject({
      code: 'APPROVAL_ANSWER_FORBIDDEN',
    });
    await setup.sessions.requests.approve(childId, { ...answer, answeredFrom: id });
    await setup.sessions.turns.settled(id);
    expect(setup.written).toEqual(['a.ts']);
  });

  test('stops with its parent', async () => {
    await using setup = await testSessions([{ events: delegate('d1', 'run') }, { events: call('c1', 'shell', {}) }]);
    const id = await setup.start();
    const child = async () => (await setup.sessions.agents.children(id))[0]?.record;
    while (!(await child())?.fold.openCalls.length) await new Promise((resolve) => setImmediate(resolve));
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    expect((await child())?.fold.outcome).toBe('stopped');
  });
});

describe('the agent timeline', () => {
  test('lists the events of all agents in one order and in pages', async () => {
    await using setup = await testSessions([
      { events: delegate('d1', 'look') },
      { events: say('seen') },
      { events: say('done') },
    ]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    const whole = await setup.sessions.agents.timeline(id, {});
    expect(whole).toMatchObject({ rootId: id, coverage: 'complete', next: null });
    expect(whole.items.map(({ seq }) => seq)).toEqual(whole.items.map((_item, index) => index + 1));
    expect(whole.items.map(({ json }) => (JSON.parse(json) as { type: string }).type)).toEqual([
      'RunStarted',
      'ToolCallStart',
      'RunStarted',
      'RunFinished',
      'ToolCallResult',
      'RunFinished',
    ]);
    const childId = whole.items[2]?.sessionId ?? '';
    const page = await setup.sessions.agents.timeline(childId, { after: 1, through: 4, limit: 2 });
    expect(page).toMatchObject({ rootId: id, through: 4, next: 3, items: [{ seq: 2 }, { seq: 3 }] });
    for (const range of [{ through: 99 }, { after: 9 }, { limit: 0 }, { limit: 501 }]) {
      await expect(setup.sessions.agents.timeline(id, range)).rejects.toMatchObject({ code: 'QUERY_INVALID' });
    }
  });

  test('is deleted with the session and its agents', async () => {
    await using setup = await testSessions([{ events: delegate('d1', 'look') }]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    await setup.sessions.remove(id);
    expect(await setup.sessions.list()).toEqual([]);
  });
});
