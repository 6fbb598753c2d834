import { describe, expect, test } from '@jest/globals';
import { chain } from '../../test/cores.ts';
import { ROOT, runGround } from '../../test/run-ground.ts';

describe('a run that goes well', () => {
  test('steps follow each other, every result is kept, and the run has succeeded', async () => {
    await using ground = await runGround();
    const { runId } = await ground.started(chain('a', 'b', 'c'));
    expect(ground.states(runId)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'succeeded' });
    expect(ground.row(runId)).toMatchObject({ status: 'succeeded', terminated: 3, attention: 0 });
    expect(ground.steps.orders.map(({ nodeId }) => nodeId)).toEqual(['a', 'b', 'c']);
    const facts = ground.facts(runId);
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, position) => position + 1));
    expect(ground.types(runId).slice(0, 13)).toEqual([
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
    expect(ground.types(runId).at(-1)).toBe('run_succeeded');
    expect(ground.budget(runId, 'promptTokens')).toEqual({ reserved: 0, used: 300 });
    expect(ground.outcomes).toMatchObject([{ runId, sessionId: ROOT, status: 'succeeded', steps: { succeeded: 3 } }]);
  });
});
