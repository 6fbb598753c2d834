import { describe, expect, test } from '@jest/globals';
import { stepChain } from '../../test/cores.ts';
import { ROOT, runFixture } from '../../test/run-fixture.ts';

describe('a successful run', () => {
  test('runs steps in order, stores every result, and succeeds', async () => {
    await using fixture = await runFixture();
    const { runId } = await fixture.started(stepChain('a', 'b', 'c'));
    expect(fixture.states(runId)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'succeeded' });
    expect(fixture.row(runId)).toMatchObject({ status: 'succeeded', terminated: 3, attention: 0 });
    expect(fixture.steps.orders.map(({ nodeId }) => nodeId)).toEqual(['a', 'b', 'c']);
    const facts = fixture.facts(runId);
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, position) => position + 1));
    expect(fixture.types(runId).slice(0, 13)).toEqual([
      'run_created',
      'run_started',
      'budget_reserved',
      'activity_scheduled',
      'capacity_claimed',
      'agent_session_created',
      'activity_started',
      'node_started',
      'agent_session_finished',
      'budget_settled',
      'capacity_released',
      'result_recorded',
      'activity_completed',
    ]);
    expect(fixture.types(runId).at(-1)).toBe('run_succeeded');
    expect(fixture.budget(runId, 'promptTokens')).toEqual({ reserved: 0, used: 300 });
    expect(fixture.outcomes).toMatchObject([{ runId, sessionId: ROOT, status: 'succeeded', steps: { succeeded: 3 } }]);
  });
});
